"""What the templates of one part of a letter are given: the view, read out for one reader and one medium."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.engine.sheet import Words
from pbem.engine.text import PLAIN, Say, say
from pbem.log import LogLine, log_lines
from pbem.mail import tables
from pbem.mail.marks import mark
from pbem.mail.times import Calendar, span
from pbem.mail.voices import NAME, HtmlVoice, TextVoice
from pbem.mail.words import capital, small, tidy, tidy_lines
from pbem.views import GameView, LetterView, SeatView

TITLE = 80
"""Longest title of a game in the body; subjects cut at 30."""
QUOTED_LINES, QUOTED_COLUMNS = 40, 300
"""How much of refused orders a letter quotes."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line of what the player wrote, in three parts; ``bad`` is the part that failed, empty on other lines."""

    before: str
    bad: str = ""
    after: str = ""


def voice_of(view: LetterView, html: bool) -> TextVoice:
    """The voice of a letter: that of its game, or plain English for a letter without one."""
    inner, names = (view.game.voice, view.game.names) if view.game else (PLAIN, {})
    return HtmlVoice(inner, names) if html else TextVoice(inner, names)


def content(view: LetterView, html: bool) -> dict[str, Any]:
    """Everything the templates name."""
    voice = voice_of(view, html)
    calendar = Calendar(view.zone, view.now)
    values: dict[str, Any] = {
        "voice": voice,
        "letter": view,
        "links": view.links,
        "game": view.game,
        "question": view.question,
        "me": tidy(view.name, NAME),
        "host": tidy(view.host_name, NAME),
        "mark": mark,
        "amount": tables.amount,
        "capital": capital,
        "small": small,
        "span": span,
        "nth": nth,
        "table_text": tables.as_text,
        "name": lambda text: tidy(text, NAME),
        **_times(calendar),
    }
    return values | (_of_game(view, view.game, voice) if view.game else {})


def _times(calendar: Calendar) -> dict[str, Callable[[datetime], Say] | Say]:
    return {
        "when": calendar.when,
        "day": calendar.day,
        "short": calendar.short,
        "ahead": calendar.ahead,
        "left": calendar.left,
        "zone": calendar.named(),
    }


def _of_game(view: LetterView, game: GameView, voice: TextVoice) -> dict[str, Any]:
    values: dict[str, Any] = {
        "title": tidy(game.title, TITLE) or game.sheet.name,
        "map": game.sheet.name,
        "turns": game.sheet.turns(len(game.seats)),
        "log": log_lines(view.since),
        "orders": quoted(view.text, view.line, view.step),
        "played": next((move for move in reversed(view.since) if move.seat == view.seat), None),
        "decliners": voice.listed([tidy(seat.name, NAME) for seat in game.seats if seat.status == "declined"]),
        "status": status,
        "options": tuple(
            (o.title, o.choices.get(game.options.get(o.key, o.default), o.default)) for o in game.sheet.options()
        ),
    }
    return values | (_of_position(view, game, voice) if game.state is not None else {})


def _of_position(view: LetterView, game: GameView, voice: TextVoice) -> dict[str, Any]:
    sheet, state = game.sheet, game.state
    rows = sheet.rows(state)
    order = [row.seat for row in rows]
    winners = tuple(s for s in game.standings if s.place == 1 and not s.out)
    return {
        "turn": sheet.turn(state),
        "order": order,
        "ordinal": order.index(view.seat) + 1 if view.seat in order else 0,
        "money": tables.players_table(sheet.columns(state), rows, voice, view.seat),
        "board_words": sheet.words(state),
        "alt": words_in_one(sheet.words(state), voice_of(view, html=False)),
        "final": tables.final_table(game.standings, voice, view.seat),
        "standing": next((s for s in game.standings if s.seat == view.seat), None),
        "winners": winners,
        "winner": voice.listed([voice.who(s.seat) for s in winners]),
    }


def status(seat: SeatView) -> Say:
    """What somebody has answered to an invitation."""
    if seat.host:
        return say("invites")
    match seat.status:
        case "accepted":
            return say("has accepted")
        case "declined":
            return say("has declined")
    return say("has not answered yet")


def nth(place: int) -> Say:
    """A place in an order: "1st"."""
    ends = {1: say("{n}st", n=place), 2: say("{n}nd", n=place), 3: say("{n}rd", n=place)}
    return ends.get(place, say("{n}th", n=place))


def words_in_one(words: tuple[Words, ...], voice: TextVoice) -> str:
    """The board in words as running text, for the ``alt`` of its picture."""
    return " ".join(f"{voice.read(part.head)}: {' '.join(voice.read(item) for item in part.items)}" for part in words)


def quoted(text: str, line: int, step: int) -> tuple[OrderLine, ...]:
    """The refused text in lines; ``line`` (from 1, 0 = the only one) failed, in a build its ``step`` (0 = the whole line)."""
    lines = tidy_lines(text, QUOTED_LINES, QUOTED_COLUMNS)
    failed = line or (1 if len(lines) == 1 else 0)
    return tuple(
        _marked(words, step) if number == failed else OrderLine(words) for number, words in enumerate(lines, 1)
    )


def _marked(words: str, step: int) -> OrderLine:
    parts = words.split(";")
    first = next((at for at, part in enumerate(parts) if part.strip().lower().startswith("build ")), None)
    if first is None or not 1 <= step <= len(parts) - first:
        return OrderLine("", words)
    at = first + step - 1
    before = "".join(f"{part};" for part in parts[:at])
    after = "".join(f";{part}" for part in parts[at + 1 :])
    bad = parts[at]
    space = len(bad) - len(bad.lstrip())
    return OrderLine(before + bad[:space], bad[space:], after)


def line_log(lines: tuple[LogLine, ...], voice: TextVoice) -> tuple[str, ...]:
    """The log's lines as sentences, for the text part."""
    return tuple(_line(line, voice) for line in lines)


def _line(line: LogLine, voice: TextVoice) -> str:
    told = " ".join(voice.read(sentence) for sentence in line.sentences)
    return f"{capital(voice.word(line.phase.word))}: {told}" if line.phase else told
