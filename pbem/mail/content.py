"""What the templates of one part of a letter are given: the view, read out for one reader and one medium."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.engine import Say, say
from pbem.engine.position_text import Paragraph, Section, as_text, spoken
from pbem.engine.sheet import Option
from pbem.engine.text import nth
from pbem.language import current, times
from pbem.language.times import Calendar, span
from pbem.language.voice import READER, capital
from pbem.mail import tables
from pbem.mail.answers import WARNED, answer_lines, latest, names_in_orders
from pbem.mail.clocks import clock_lines, included
from pbem.mail.marks import mark
from pbem.mail.people import posts
from pbem.mail.voices import NAME, HtmlVoice, TextVoice
from pbem.mail.words import small, tidy
from pbem.store.statuses import MoveCause, SeatStatus
from pbem.views.games import GameLine, SeatView, TableView
from pbem.views.letters import AskedQuestion, LetterView
from pbem.views.log import LogLine, log_lines
from pbem.views.position import Position

TITLE = 80
"""Longest title of a game in the body; subjects cut at 30."""
WITH_LINKS = 4
"""Of so many answers at most each has its address in the text part, where replies are not read."""
NOT_OWN = {
    MoveCause.DEADLINE: say("(time ended)"),
    MoveCause.CARETAKER: say("(a caretaker)"),
    MoveCause.STANDING_ORDER: say("(standing order)"),
}
"""What stands behind orders that were played for somebody, by their cause."""
WHY, TAKEN_BACK = say("Why:"), say("(taken back)")


def table_of(view: LetterView) -> TableView | None:
    return view.game.seen_by(view.seat) if view.game else None


def content(view: LetterView, game: TableView | None, html: bool, longest: int = NAME) -> dict[str, Any]:
    """Everything the templates of one part name, ``game`` from :func:`table_of`: nothing leads to what the reader may
    not see. ``longest``: of a name."""
    inner, names = (game.voice, game.names) if game else (READER, {})
    plain = TextVoice(inner, names, longest)
    voice = HtmlVoice(inner, names, longest) if html else plain
    values: dict[str, Any] = {
        "voice": voice,
        "plain_voice": plain,
        "letter": view.envelope,
        "language": current().code,
        "links": view.links,
        "own": view.own,
        "game": game,
        "reader": view.seat,
        "own_seat": view.seat_number,
        **_asked(view.asked, game),
        "with_links": WITH_LINKS,
        "answer_lines": answer_lines,
        "latest": latest,
        "most_warned": WARNED,
        "posts": posts(view.talk),
        "mark": mark,
        "amount": tables.amount,
        "capital": capital,
        "small": small,
        "span": span,
        "nth": nth,
        "table_text": tables.as_text,
        "waiting_name": waiting_name,
        "timed": game is None or game.position is not None,
        **_times(Calendar(view.envelope.zone, view.envelope.now)),
    }
    return values | (_of_game(view, game, plain, voice) if game else {})


def _times(calendar: Calendar) -> dict[str, Callable[[Any], Say] | Say]:
    return {
        "public_holidays": lambda code: times.not_counting(code, calendar),
        "when": calendar.when,
        "limit": calendar.limit,
        "short": calendar.short,
        "brief_day": calendar.brief_day,
        "ahead": calendar.ahead,
        "left": calendar.left,
        "day": calendar.date,
        "limit_day": calendar.limit_day,
        "zone": calendar.named(),
    }


def _asked(asked: AskedQuestion | None, game: TableView | None) -> dict[str, Any]:
    names = names_in_orders(game.position.places, game.names) if game and game.position else {}
    if asked is None:
        return {"order_names": names, "question": None, "choices": (), "more": 0}
    return {"order_names": names, "question": asked.question, "choices": asked.links(names), "more": asked.more}


def waiting_name(line: GameLine) -> str:
    names = {seat.seat: seat.name for seat in line.seats}
    return tidy(names.get(line.waiting_for, line.waiting_for), NAME)


def _of_game(view: LetterView, game: TableView, plain: TextVoice, voice: TextVoice) -> dict[str, Any]:
    values: dict[str, Any] = {
        "title": tidy(game.title, TITLE) or game.sheet.name,
        "map": game.sheet.full_name,
        "unit": game.sheet.unit,
        "turns": game.sheet.turns(len(game.seats)),
        "rules": game.sheet.rule_texts(),
        "log": log_lines(view.moves),
        "confirmed": log_lines(view.confirmed),
        "clocks": clock_lines(view),
        "included": included(view),
        "status": status,
        "part_table": lambda part: tables.part_as_text(part, voice),
        "options": tuple((option.title, chosen(option, game.options)) for option in game.sheet.options()),
    }
    return values | (_of_position(game, game.position, plain, voice) if game.position else {})


def _of_position(game: TableView, position: Position, plain: TextVoice, voice: TextVoice) -> dict[str, Any]:
    reader, seats = game.viewer, [row.seat for row in position.rows]
    winners = tuple(standing for standing in game.standings if standing.seat in position.winners)
    said = cache(lambda: position_said(game, position))

    def read_out(sections: Sequence[Section]) -> tuple[Paragraph, ...]:
        return spoken(sections, plain, seats)

    return {
        "turn": position.turn,
        "nth_turn": game.sheet.unit.nth(position.turn),
        "seats": seats,
        "ordinal": seats.index(reader) + 1 if reader in seats else 0,
        "position_parts": said,
        "position_text": lambda: as_text(said()),
        "read_out": read_out,
        "sections_text": lambda sections: as_text(read_out(sections)),
        "board_text": lambda: as_text(read_out(game.sheet.board_words())),
        "hand": position.hand,
        "standing": next((standing for standing in game.standings if standing.seat == reader), None),
        "winners": winners,
        "counts_points": any(column.key == "points" for column in position.columns),
        "money": tables.players_table(position.columns, position.rows, voice, reader),
        "final": tables.final_table(game.standings, position, voice, reader) if game.standings else None,
        "verdict": "" if position.verdict is None else position.verdict.read(voice),
        "winner": voice.listed([voice.who(standing.seat) for standing in winners]),
        "rivals": voice.listed([voice.who(standing.seat) for standing in winners if standing.seat != reader]),
    }


def position_said(game: TableView, position: Position) -> tuple[Paragraph, ...]:
    return spoken(position.words, TextVoice(game.position_voice, game.names), game.names)


def chosen(option: Option, options: Mapping[str, str]) -> str:
    return option.choices.get(options.get(option.key, option.default), option.choices[option.default])


def status(seat: SeatView) -> Say:
    """What somebody has answered to an invitation, said of the reader and of others alike."""
    if seat.host:
        # TRANSLATORS: In a list, behind the name of a player or “You”: who invites.
        return say("the host")
    match seat.status:
        case SeatStatus.ACCEPTED:
            return say("invitation accepted")
        case SeatStatus.DECLINED:
            return say("invitation declined")
        case SeatStatus.VACANT:
            # TRANSLATORS: In a list, behind a free seat.
            return say("open to anybody")
    # TRANSLATORS: In a list, behind the name of a player who is invited, or “You”.
    return say("no answer yet")


def log_sentences(lines: tuple[LogLine, ...], voice: TextVoice) -> tuple[str, ...]:
    return tuple(_line(line, voice) for line in lines)


def _line(line: LogLine, voice: TextVoice) -> str:
    told = " ".join(voice.read(sentence) for sentence in line.sentences)
    whys = "".join(f" {voice.read(WHY)} {voice.read(why)}" for why in line.whys)
    if line.phase:
        return f"{capital(voice.word(line.phase.word))}: {told}{whys}"
    if line.taken_back:
        return f"{told} {voice.read(TAKEN_BACK)}"
    return f"{told} {voice.read(NOT_OWN[line.cause])}{whys}" if line.cause in NOT_OWN else f"{told}{whys}"
