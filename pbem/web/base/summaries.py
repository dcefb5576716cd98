"""Games in a few words, and the slices of a log that pages show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from flask import current_app, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.engine import Say, Seat, Sheet, Value, Word, catalog, count_say, say
from pbem.engine.events import Told
from pbem.engine.position_text import spoken
from pbem.engine.sheet import Standing
from pbem.engine.text import together
from pbem.language import current
from pbem.language.times import span
from pbem.store.statuses import PLAYING, GameStatus, SeatStatus
from pbem.views.games import GameFacts, GameLine, MoveView, TableView
from pbem.views.log import LogLine, log_lines, since_own_orders
from pbem.web.base.context import context as of_request
from pbem.web.base.times import limit_said


class Result(Value):
    seat: str
    name: str
    score: int | None
    out: bool


def figure(number: int | None) -> str:
    """A figure with a real minus sign; nothing for ``None``."""
    return "" if number is None else str(number).replace("-", "−")


def game_name(game: str) -> str:
    return next((sheet.game_name for sheet in catalog.sheets() if sheet.game == game), game)


def turn_words(game: TableView) -> Say | str:
    """ "turn 5 of 7", "round 5"; nothing before the start."""
    return "" if game.position is None else turn_said(game.sheet, len(game.seats), game.position.turn)


def turn_said(sheet: Sheet, players: int, turn: int) -> Say:
    return sheet.unit.nth(turn, sheet.turns(players))


def counts_words(sheet: Sheet) -> Say:
    counts = sheet.player_counts()
    # TRANSLATORS: How many can play: from 3 to 6 players.
    return say("{n} to {m} players", n=counts[0], m=counts[-1]) if len(counts) > 1 else players_said(counts[0])


def players_said(players: int) -> Say:
    return count_say("{n} player", "{n} players", players)


def since(game: GameFacts, seat: str) -> tuple[MoveView, ...]:
    """A player's last own orders and what has happened after them, as emails tell it; no news but the deal: nothing."""
    return tuple(move for move in since_own_orders(game.log, seat) if move.number > 0)


def news_of(game: GameFacts, seat: str) -> tuple[Told, ...]:
    """What has happened, event by event, since the first order of the last turn in which a player has ordered."""
    own = [move for move in game.log if move.seat == seat and move.counts]
    begun = next((move.number for move in own if move.turn == own[-1].turn), 0)
    return (
        tuple(event for move in game.log if move.counts and move.number >= begun for event in move.events)
        if own
        else ()
    )


def log_of(game: GameFacts, moves: Iterable[MoveView], seat: str) -> tuple[LogLine, ...]:
    """The log as the player of a seat may read it (``""``: a guest); of a finished game everybody reads all."""
    return log_lines(readable(game, moves, seat))


def last_orders(game: TableView) -> Mapping[Seat, tuple[LogLine, ...]]:
    """What each player has ordered last, as the viewer may read it; nobody who has not ordered yet."""
    last = {move.seat: move for move in game.log if move.seat and move.counts}
    return {seat: log_of(game, move.parted(seat)[:1], game.viewer) for seat, move in last.items()}


def last_change(game: TableView) -> tuple[Say, ...]:
    last = (move for move in game.log if move.counts and move.number == game.version)
    return tuple(sentence for line in log_of(game, last, game.viewer) for sentence in line.sentences)


def readable(game: GameFacts, moves: Iterable[MoveView], seat: str) -> tuple[MoveView, ...]:
    """These moves without what the player of a seat may not read of them."""
    over = game.status == GameStatus.OVER
    return tuple(move if over else move.seen_by(seat) for move in moves)


def by_turn(moves: Sequence[MoveView]) -> list[tuple[int, list[MoveView]]]:
    """The log by turn, the latest turn first; the moves of a turn as they came."""
    played = sorted((move for move in moves if move.number > 0), key=lambda move: move.number)
    return [(turn, list(found)) for turn, found in groupby(played, key=lambda move: move.turn)][::-1]


def length_words(sheet: Sheet, players: int = 0) -> Say:
    """ "6 to 10 turns"; with ``players`` "8 turns"."""
    turns = [found for n in sheet.player_counts() if players in (0, n) and (found := sheet.turns(n)) is not None]
    if not turns:
        return sheet.unit.endless
    least, most = min(turns), max(turns)
    return sheet.unit.length(most) if least == most else sheet.unit.between(least, most)


def public_words(line: GameLine) -> Say:
    """The same as :func:`line_words` without the names of players, for pages that search engines list."""
    what = {"sheet": line.sheet.full_name, "players": players_said(len(line.seats))}
    if line.status == GameStatus.OVER:
        best = next((result for result in results(line) if not result.out), None)
        if best is None:
            return say("{sheet}, {players}.", **what)
        if best.score is None:
            # TRANSLATORS: The game is over; the winner has no points on this map.
            return say("{sheet}, {players}, won.", **what)
        # TRANSLATORS: How many points the winner has.
        return say("{sheet}, {players}, won with {points}.", points=best.score, **what)
    turn = turn_said(line.sheet, len(line.seats), line.turn)
    return say("{sheet}, {players}, {turn}: {phase}.", turn=turn, phase=_phase(line), **what)


def line_words(line: GameLine) -> Say:
    return together(stand_words(line), *company(line)) if line.status in PLAYING else stand_words(line)


def company(line: GameLine) -> tuple[Say, ...]:
    """ "With Ben and Cleo."; nothing for who plays alone."""
    own = None if line.seat is None else line.seat.number
    others = tuple(seat.name for seat in line.seats if seat.name and seat.number != own)
    return (say("With {others}.", others=others),) if others else ()


def invitation_words(line: GameLine) -> Say:
    host = next((seat.name for seat in line.seats if seat.host), "")
    what = {"sheet": line.sheet.full_name, "players": players_said(len(line.seats)), "time": span(line.turn_time)}
    if not host:
        said = say("{sheet}: {players}, {time} for each answer.", **what)
    else:
        said = say("{host} invites you to {sheet}: {players}, {time} for each answer.", host=host, **what)
    return said if line.weekends else together(said, say("Saturdays and Sundays do not count."))


def answers_words(line: GameLine) -> tuple[Say, ...]:
    own = None if line.seat is None else line.seat.number
    others = [seat for seat in line.seats if seat.name and seat.number != own and not seat.host]
    accepted = tuple(seat.name for seat in others if seat.status == SeatStatus.ACCEPTED)
    missing = tuple(seat.name for seat in others if seat.status != SeatStatus.ACCEPTED)
    return (
        *((say("Accepted: {names}.", names=accepted),) if accepted else ()),
        *((say("Not accepted yet: {names}.", names=missing),) if missing else ()),
    )


def stand_words(line: GameLine) -> Say:
    """The same without the others who play in a running game."""
    sheet = line.sheet.full_name
    match line.status:
        case GameStatus.RUNNING:
            turn = turn_said(line.sheet, len(line.seats), line.turn)
            waiting = [] if line.turn_page or line.plays_at else [_waiting(line)]
            stands = say("{sheet}, {turn}, {phase}.", sheet=sheet, turn=turn, phase=_phase(line))
            return together(stands, *waiting)
        case GameStatus.STOPPING:
            turn = line.sheet.unit.nth(line.turn)
            return say("{sheet}, {turn}: the players have agreed to end it.", sheet=sheet, turn=turn)
        case GameStatus.OPEN:
            return together(
                say("{sheet}, {players}.", sheet=sheet, players=players_said(len(line.seats))), *_open(line)
            )
        case GameStatus.OVER:
            return _over(line)
    return say("{sheet}.", sheet=sheet)


def _open(line: GameLine) -> Iterator[Say]:
    missing = tuple(seat.name for seat in line.seats if seat.name and seat.status != SeatStatus.ACCEPTED)
    if missing:
        yield say("Not accepted yet: {names}.", names=missing)
    if free := sum(not seat.name for seat in line.seats):
        yield count_say("Open to anybody: {n} seat.", "Open to anybody: {n} seats.", free)


def _over(line: GameLine) -> Say:
    what = {"sheet": line.sheet.full_name, "players": players_said(len(line.seats))}
    best = next((result for result in results(line) if not result.out), None)
    if best is None:
        return say("{sheet}, {players}.", **what)
    if line.seat is not None and best.seat == line.seat.seat:
        if best.score is None:
            return say("{sheet}, {players}: you won.", **what)
        return say("{sheet}, {players}: you won with {points}.", points=best.score, **what)
    if best.score is None:
        return say("{sheet}, {players}: {name} won.", name=best.name, **what)
    return say("{sheet}, {players}: {name} won with {points}.", name=best.name, points=best.score, **what)


def _phase(line: GameLine) -> Word:
    return Word(line.sheet.word(line.phase))


def results(line: GameLine) -> list[Result]:
    """The final standings with names, the winner first."""
    names = {seat.seat: seat.name for seat in line.seats}
    return [Result(s.seat, names.get(s.seat, s.seat), s.score, s.out) for s in line.standings]


def part_names(standings: Iterable[Standing]) -> list[str]:
    """The columns of a final table between the player and the points."""
    return list(dict.fromkeys(name for line in standings for name, _ in line.parts))


def arithmetic(standing: Standing) -> str:
    """How the points of a player add up: "78 − 42 + 21"."""
    first, *others = (value for _, value in standing.parts)
    signed = (f" {'−' if value < 0 else '+'} {abs(value)}" for value in others)
    return f"{figure(first)}{''.join(signed)}"


def _waiting(line: GameLine) -> Say:
    names = {seat.seat: seat.name for seat in line.seats}
    name = names.get(line.waiting_for, line.waiting_for)
    if line.paused:
        return say("Paused; it is {name}’s turn.", name=name)
    if line.waiting_since:
        return say("Waiting for {name} since {time}.", name=name, time=limit_said(line.waiting_since))
    return say("Waiting for {name}.", name=name)


@pass_context
def log(
    context: Context,
    game: TableView,
    moves: Iterable[MoveView],
    seat: str = "",
    new: bool = False,
    at: int = -1,
) -> Markup:
    """The lines of these orders as the player of a seat may read them; the line of ``at`` stands out, or with
    ``new`` all.

    Kept by everything that decides what it says: the language, the events (as they were read from the store), the
    names of people and places, who reads, and where the numbers lead.
    """
    orders = readable(game, moves, seat)
    step_to = context.get("step_to") or (lambda number: url_for("games.game", game_id=game.id, at=number))
    shown = at if any(order.number == at for order in orders) else -1
    said = tuple(
        (o.number, o.seat, o.turn, o.phase, o.cause, o.taken_back, repr(o.why), *map(id, o.events)) for o in orders
    )
    places = tuple(game.position.places.items()) if game.position else ()
    key = (
        current().code,
        game.sheet,
        places,
        tuple(game.names.items()),
        game.viewer,
        game.id,
        step_to(0),
        new,
        shown,
        said,
    )

    def written() -> tuple[Markup, tuple[MoveView, ...]]:
        lines = log_of(game, orders, seat)
        marked = next((line.number for line in lines if 0 <= shown <= line.number), -1)
        template = current_app.jinja_env.get_template("log.html")
        values = {"game": game, "voice": game.voice, "step_to": step_to, "new": new, "at": marked}
        return Markup(template.render(values, lines=lines)), orders  # nosec B704 # noqa: S704 - made by a template; orders keep the ids of their events

    return of_request().markup.get(key, written)[0]


def words(game: TableView, page: str = "") -> Markup:
    """The position in words, folded; ``page``: the address of the page in words."""
    parts = spoken(game.position.words, game.position_voice, game.names) if game.position else ()
    fold = current_app.jinja_env.get_template("words.html").render(parts=parts, page=page)
    return Markup(fold)  # nosec B704 # noqa: S704 - made by a template
