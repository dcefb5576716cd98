"""How a finished game went: the table of players after every turn, and the moments that decided it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from sqlalchemy import select

from pbem.engine import Say, Seat, State, Value, Who, say, to_reader
from pbem.engine.events import Told
from pbem.engine.overview import Column
from pbem.engine.text import nth
from pbem.engine.units import Unit
from pbem.service.base import Office
from pbem.service.games.views import decoded
from pbem.store.tables import Move
from pbem.views.games import GameView, MoveView

MOST_MOMENTS, MOST_OF_A_KIND = 7, 2
LEAST_CLIMB = 2
"""By how many places somebody rises or falls for it to be told."""
LOOKED_AT = 40
"""Deliveries of which it is asked who else wanted the cube: those that gained most."""
LINKS = frozenset({"LinkCompleted", "LinkBought", "ConnectionCompleted"})
"""The kinds of events that tell of a finished link."""
ELIMINATED = "Eliminated"
TRACK = Column("track", say("Track"))
"""The length of a player's network: segments of track on the board."""
POINTS = "points"
"""The column by which companies are ranked."""


class TurnEnd(Value):
    """The table after the last order of a turn; turn 0 is the deal. ``figures``: by seat and column; ``out``: who is
    out of the game, and why in words."""

    turn: int
    number: int
    figures: Mapping[Seat, Mapping[str, int]]
    out: Mapping[Seat, Say]

    def ranked(self) -> list[tuple[int, Seat]]:
        return sorted(((row[POINTS], seat) for seat, row in self.figures.items() if POINTS in row), reverse=True)


class Course(Value):
    """The turns of a game with the columns in which somebody has a figure, points first."""

    columns: tuple[Column, ...]
    turns: tuple[TurnEnd, ...]


class Moment(Value):
    """Something that decided a game. ``number``: of the order after which it is seen."""

    number: int
    title: Say
    words: tuple[Say, ...]


def of_game(office: Office, view: GameView) -> Course:
    """The course of a finished game, whose whole log ``view`` holds."""
    ends = {0: 0} | {move.turn: move.number for move in view.log if move.number > 0}
    with office.read() as session:
        query = select(Move.number, Move.state).where(Move.game_id == view.id, Move.number.in_(ends.values()))
        stored = {row.number: row.state for row in session.execute(query)}
    turns = tuple(
        after(view, turn, number, decoded(view.sheet, stored[number]))
        for turn, number in sorted(ends.items())
        if number in stored
    )
    known = {key for end in turns for row in end.figures.values() for key in row}
    columns = [column for column in (*view.sheet.columns(view.state), TRACK) if column.key in known]
    return Course(tuple(sorted(columns, key=lambda column: column.key != POINTS)), turns)


def after(view: GameView, turn: int, number: int, state: State) -> TurnEnd:
    """The table after an order; ``state``: the position then."""
    rows, track = view.sheet.rows(state), _track(view.sheet.position(state).get("track", {}))
    figures = {
        row.seat: {
            key: value for key, value in (*row.cells.items(), (TRACK.key, track[row.seat])) if isinstance(value, int)
        }
        for row in rows
        if row.out is None
    }
    return TurnEnd(turn, number, figures, {row.seat: row.out for row in rows if row.out is not None})


def _track(seen: Mapping[str, Iterable[Sequence[object]]]) -> Counter[str]:
    return Counter(str(owner) for segments in seen.values() for _, owner in segments if owner is not None)


def moments(view: GameView, course: Course, fought: Sequence[Moment] = ()) -> tuple[Moment, ...]:
    """What decided a finished game, in the order in which it happened: who went out of it, the dearest links, the order
    that gained its player most, what was ``fought`` for, the last change of the lead, the largest changes of rank, and
    earlier changes of the lead, the latest first."""
    counted = [move for move in view.log if move.counts and move.number > 0]
    unit = view.sheet.unit
    greatest = _greatest(unit, counted)
    best = [*_dearest(unit, counted), *([greatest] if greatest else []), *fought]
    last, *earlier = [*reversed(list(_leads(unit, course))), None]
    decided = [*_left(unit, course, counted), *best, last, *_climbs(unit, course), *earlier]
    told = [moment for moment in decided if moment is not None][:MOST_MOMENTS]
    kept = {moment.number: moment for moment in reversed(told)}
    return tuple(kept[number] for number in sorted(kept))


def fought_for(office: Office, view: GameView) -> tuple[Moment, ...]:
    """The delivery of a cube that somebody else, who still moved goods in that turn, could have delivered for most."""
    last = {(move.turn, move.phase, move.seat): move.number for move in view.log if move.counts}
    gained = [
        (_gain(event, move.seat), move, event)
        for move in view.log
        if move.counts and move.number > 0
        for event in move.events
        if "gains" in event.fields and event.fields.get("seat") == move.seat
    ]
    looked_at = sorted(gained, key=lambda found: (found[0], found[1].number), reverse=True)[:LOOKED_AT]
    before = _states_before(office, view, [move.number for _, move, _ in looked_at])
    lost = [
        (steps, move.number, rival, move, event)
        for _, move, event in looked_at
        for rival, steps in view.sheet.wanted_by(before[move.number], move.seat, event).items()
        if last.get((move.turn, move.phase, rival), 0) > move.number
    ]
    steps, number, rival, move, event = max(lost, key=lambda found: found[:3], default=(0, 0, "", None, None))
    if move is None or event is None:
        return ()
    turn = view.sheet.unit.nth(move.turn)
    title = say("{turn}: {player} takes the cube {rival} wanted", turn=turn, player=Who(move.seat), rival=Who(rival))
    words = say("{rival} moved later and could have delivered it for {n}.", rival=Who(rival), n=steps)
    return (Moment(number, title, (event.say, words)),)


def _states_before(office: Office, view: GameView, numbers: Sequence[int]) -> dict[int, State]:
    wanted = [number - 1 for number in numbers]
    with office.read() as session:
        query = select(Move.number, Move.state).where(Move.game_id == view.id, Move.number.in_(wanted))
        return {row.number + 1: decoded(view.sheet, row.state) for row in session.execute(query)}


def _climbs(unit: Unit, course: Course) -> list[Moment]:
    """The turns in which somebody's place changed most, with one player each; before the first nobody has one."""
    found = []
    for before, end in pairwise(course.turns[1:]):
        old, new = _places(before), _places(end)
        jumps = [(old[seat] - new[seat], seat) for seat in new if seat in old]
        steps, seat = max(jumps, key=lambda jump: (abs(jump[0]), jump[0], jump[1]), default=(0, ""))
        if abs(steps) >= LEAST_CLIMB:
            found.append((abs(steps), end, seat, old[seat], new[seat]))
    found.sort(key=lambda climb: (-climb[0], -climb[1].turn))
    return [_climb(unit, end, seat, old, new) for _, end, seat, old, new in found[:MOST_OF_A_KIND]]


def _climb(unit: Unit, end: TurnEnd, seat: Seat, old: int, new: int) -> Moment:
    places: dict[str, object] = {"turn": unit.nth(end.turn), "player": Who(seat), "old": nth(old), "new": nth(new)}
    if new < old:
        title = say("{turn}: {player} rises from {old} to {new}", **places)
    else:
        title = say("{turn}: {player} falls from {old} to {new}", **places)
    rest = tuple(say("{player} {n}", player=Who(other), n=n) for n, other in end.ranked())
    return Moment(end.number, title, (say("Points then: {rest}.", rest=rest),))


def _places(end: TurnEnd) -> dict[Seat, int]:
    """The place of everybody who has points, shared by equals."""
    ranked = end.ranked()
    return {seat: 1 + sum(other > points for other, _ in ranked) for points, seat in ranked}


def _left(unit: Unit, course: Course, moves: Sequence[MoveView]) -> Iterator[Moment]:
    """Who went out of the game, after the order that brought it about where one tells of it."""
    told = {
        event.fields.get("seat"): (move.number, event.say)
        for move in moves
        for event in move.events
        if event.kind == ELIMINATED
    }
    for before, end in pairwise(course.turns):
        for seat, why in end.out.items():
            if seat not in before.out:
                title = say("{turn}: {player} goes out", turn=unit.nth(end.turn), player=Who(seat))
                number, words = told.get(seat, (end.number, why))
                yield Moment(number, title, (words,))


def _leads(unit: Unit, course: Course) -> Iterator[Moment]:
    leader = ""
    for end in course.turns[1:]:
        ranked = end.ranked()
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]) or ranked[0][1] == leader:
            continue
        (points, first), *others = ranked
        if leader:
            title = say("{turn}: {player} takes the lead", turn=unit.nth(end.turn), player=Who(first))
            rest = tuple(say("{player} {n}", player=Who(seat), n=n) for n, seat in others)
            words = say("{player} has {n} points now; the others: {rest}.", player=Who(first), n=points, rest=rest)
            yield Moment(end.number, title, (words,))
        leader = first


def _dearest(unit: Unit, moves: Sequence[MoveView]) -> list[Moment]:
    """The orders that cost most among those that completed a link; where there are none, the one that cost most."""
    paid = sorted(((_paid(move), move.number, move) for move in moves), key=lambda found: found[:2], reverse=True)
    linked = [found for found in paid if any(event.kind in LINKS for event in found[2].events)][:MOST_OF_A_KIND]
    found = []
    for price, number, move in linked or paid[:1]:
        if price:
            title = say("{turn}: {player} pays ${price}", turn=unit.nth(move.turn), player=Who(move.seat), price=price)
            told = [event for event in move.events if event.kind in LINKS or "paid" in event.fields]
            told = told or [event for event in move.events if _number(event.fields.get("price"))]
            found.append(Moment(number, title, tuple(event.say for event in told)))
    return found


def _paid(move: MoveView) -> int:
    """Dollars that an order cost: as its last event sums it up, or part by part."""
    sums = [_number(event.fields["paid"]) for event in move.events if "paid" in event.fields]
    return sums[-1] if sums else sum(_number(event.fields.get("price")) for event in move.events)


def _greatest(unit: Unit, moves: Sequence[MoveView]) -> Moment | None:
    """The order that gained its own player most; the latest of equal ones."""
    gains = [
        (_gain(event, move.seat), move.number, move, event)
        for move in moves
        for event in move.events
        if event.fields.get("seat") == move.seat
    ]
    steps, number, move, event = max(gains, key=lambda found: found[:2], default=(0, 0, None, None))
    if move is None or event is None or not steps:
        return None
    title = say("{turn}: {player} gains {n}", turn=unit.nth(move.turn), player=Who(move.seat), n=steps)
    return Moment(number, title, (event.say,))


def _gain(event: Told, seat: Seat) -> int:
    gains = event.fields.get("gains")
    return sum(_number(steps) for one, steps in gains if one == seat) if isinstance(gains, list | tuple) else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


to_reader(
    "{turn}: {player} takes the cube {rival} wanted",
    player="{turn}: you take the cube {rival} wanted",
    rival="{turn}: {player} takes the cube you wanted",
)
to_reader(
    "{rival} moved later and could have delivered it for {n}.",
    rival="You moved later and could have delivered it for {n}.",
)
to_reader("{turn}: {player} rises from {old} to {new}", player="{turn}: you rise from {old} to {new}")
to_reader("{turn}: {player} falls from {old} to {new}", player="{turn}: you fall from {old} to {new}")
to_reader("{player} {n}", player="you {n}")
to_reader("{turn}: {player} goes out", player="{turn}: you go out")
to_reader("{turn}: {player} takes the lead", player="{turn}: you take the lead")
to_reader("{player} has {n} points now; the others: {rest}.", player="You have {n} points now; the others: {rest}.")
to_reader("{turn}: {player} pays ${price}", player="{turn}: you pay ${price}")
to_reader("{turn}: {player} gains {n}", player="{turn}: you gain {n}")
