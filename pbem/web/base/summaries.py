"""Games in a few words, and the slices of a log that pages show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem import catalog
from pbem.engine.sheet import Sheet, Standing
from pbem.engine.text import listed
from pbem.log import LogLine, log_lines
from pbem.statuses import GameStatus, MoveCause, SeatStatus
from pbem.views import GameFacts, GameLine, MoveView, TableView
from pbem.web.base.times import counted, moment


@dataclass(frozen=True, slots=True)
class Result:
    """A player's line in the list of finished games."""

    seat: str
    name: str
    score: int | None
    out: bool


def figure(number: int | None) -> str:
    """A figure with a real minus sign; nothing for ``None``."""
    return "" if number is None else str(number).replace("-", "−")


def game_name(game: str) -> str:
    """ "Age of Steam", of a game that there is a map of."""
    return next((sheet.game_name for sheet in catalog.sheets() if sheet.game == game), game)


def turn_words(game: TableView) -> str:
    """ "turn 5 of 7"; nothing before the start."""
    if game.position is None:
        return ""
    turns, now = game.sheet.turns(len(game.seats)), game.position.turn
    return f"turn {now} of {turns}" if turns else f"turn {now}"


def counts_words(sheet: Sheet) -> str:
    """ "3 to 6 players"."""
    counts = sheet.player_counts()
    return f"{counts[0]} to {counts[-1]} players" if len(counts) > 1 else counted(counts[0], "player")


def since(game: GameFacts, seat: str) -> tuple[MoveView, ...]:
    """What has happened since a player last sent orders; what was played for him meanwhile is news as well."""
    own = (move.number for move in game.log if move.seat == seat and move.counts and move.cause == MoveCause.PLAYER)
    last = max(own, default=0)
    return tuple(move for move in game.log if move.number > last and move.number > 0)


def log_of(game: GameFacts, moves: Iterable[MoveView], seat: str) -> tuple[LogLine, ...]:
    """The log as the player of a seat may read it (``""``: a guest); of a finished game everybody reads all."""
    return log_lines(readable(game, moves, seat))


def readable(game: GameFacts, moves: Iterable[MoveView], seat: str) -> tuple[MoveView, ...]:
    """These moves without what the player of a seat may not read of them."""
    over = game.status == GameStatus.OVER
    return tuple(move if over else move.seen_by(seat) for move in moves)


def by_turn(moves: Sequence[MoveView]) -> list[tuple[int, list[MoveView]]]:
    """The log by turn, latest first."""
    latest_first = sorted((move for move in moves if move.number > 0), key=lambda move: -move.number)
    return [(turn, list(found)) for turn, found in groupby(latest_first, key=lambda move: move.turn)]


def length_words(sheet: Sheet, players: int = 0) -> str:
    """ "6 to 10 turns"; with ``players`` "8 turns"."""
    turns = [found for n in sheet.player_counts() if players in (0, n) and (found := sheet.turns(n)) is not None]
    if not turns:
        return "no fixed number of turns"
    least, most = min(turns), max(turns)
    return counted(most, "turn") if least == most else f"{least} to {most} turns"


def public_words(line: GameLine) -> str:
    """The same as :func:`line_words` without the names of players, for pages that search engines list."""
    players = counted(len(line.seats), "player")
    if line.status == GameStatus.OVER:
        best = [result for result in results(line) if not result.out][:1]
        won = "".join(f", won{_with(result.score)}" for result in best)
        return f"{line.sheet.full_name}, {players}{won}."
    turns = line.sheet.turns(len(line.seats))
    turn = f"turn {line.turn} of {turns}" if turns else f"turn {line.turn}"
    return f"{line.sheet.full_name}, {players}, {turn}: {line.sheet.word(line.phase)}."


def line_words(line: GameLine) -> str:
    """What a list of games says under the title."""
    others = [seat.name for seat in line.seats if seat.name and (line.seat is None or seat.number != line.seat.number)]
    company = f"With {listed(others)}." if others else ""
    match line.status:
        case GameStatus.RUNNING:
            turns = line.sheet.turns(len(line.seats))
            turn = f"turn {line.turn} of {turns}" if turns else f"turn {line.turn}"
            waiting = "" if line.turn_page or line.plays_at else f" {_waiting(line)}"
            return f"{line.sheet.full_name}, {turn}, {line.sheet.word(line.phase)}.{waiting} {company}".strip()
        case GameStatus.STOPPING:
            return f"{line.sheet.full_name}, turn {line.turn}: the players have agreed to end it. {company}".strip()
        case GameStatus.OPEN:
            missing = [seat.name for seat in line.seats if seat.name and seat.status != SeatStatus.ACCEPTED]
            free = sum(not seat.name for seat in line.seats)
            waiting = f" Not accepted yet: {listed(missing)}." if missing else ""
            waiting += f" Open to anybody: {counted(free, 'seat')}." if free else ""
            return f"{line.sheet.full_name}, {counted(len(line.seats), 'player')}.{waiting}"
        case GameStatus.OVER:
            best = [result for result in results(line) if not result.out][:1]
            won = "".join(f": {result.name} won{_with(result.score)}" for result in best)
            return f"{line.sheet.full_name}, {counted(len(line.seats), 'player')}{won}."
    return f"{line.sheet.full_name}."


def _with(score: int | None) -> str:
    """What somebody won with; nothing on sheets without points."""
    return "" if score is None else f" with {figure(score)}"


def results(line: GameLine) -> list[Result]:
    """The final standings with names, the winner first."""
    names = {seat.seat: seat.name for seat in line.seats}
    return [Result(s.seat, names.get(s.seat, s.seat), s.score, s.out) for s in line.standings]


def part_names(standings: Iterable[Standing]) -> list[str]:
    """The columns of a final table between the player and the points."""
    return list(dict.fromkeys(name for line in standings for name, _ in line.parts))


def _waiting(line: GameLine) -> str:
    names = {seat.seat: seat.name for seat in line.seats}
    if line.paused:
        return f"Paused; {names.get(line.waiting_for, line.waiting_for)} is asked."
    since_when = f" since {moment(line.waiting_since)}" if line.waiting_since else ""
    return f"Waiting for {names.get(line.waiting_for, line.waiting_for)}{since_when}."
