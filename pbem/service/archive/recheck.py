"""Rechecking: stored games are replayed with the rules of today, up to the first move that comes out differently.

Nothing is changed. A running game goes on from its stored position whatever is found here
(``docs/extending.md``).
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, undefer

from pbem.engine import BadMove, Refused, Say, Sheet, State, Value, catalog, count_say, say
from pbem.engine.chance import DEAL, ChanceMismatch, Draw, NotedChance, SeededChance, asked_first
from pbem.engine.record import BadRecord, digest, read_record, replay, start
from pbem.engine.storage import BadState
from pbem.service.base import Office, queries
from pbem.store.statuses import NOTES, PLAYING, MoveCause
from pbem.store.tables import Game, Move

log = logging.getLogger(__name__)

AT_ONCE = 500


class Finding(Value):
    """Where a game differs first. ``number``: of the move, ``None`` when it is about the game as a whole.

    ``broken``: it could not be replayed at all, because of an error of ours or of what is stored.
    """

    game: str
    title: str
    map: str
    number: int | None
    seat: str
    orders: str
    sentences: tuple[Say, ...]
    broken: bool = False


class Outcome(Value):
    state: State
    draws: Sequence[Draw]


class Differs(Exception):
    """Here a game differs first; the sentences say how."""

    def __init__(self, *sentences: Say) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


def count(office: Office, running: bool = False) -> int:
    with office.read() as session:
        return session.scalar(select(func.count()).select_from(_begun(running).subquery())) or 0


def ids(office: Office, running: bool = False) -> Iterator[str]:
    """The games that have begun, or those of them that are not over, in the order of their ids."""
    after = ""
    while True:
        with office.read() as session:
            found = session.scalars(_begun(running).where(Game.id > after).order_by(Game.id).limit(AT_ONCE)).all()
        if not found:
            return
        yield from found
        after = found[-1]


def _begun(running: bool) -> Select[str]:
    query = select(Game.id).where(Game.started_at.is_not(None))
    return query.where(Game.status.in_(PLAYING)) if running else query


def check(office: Office, game_id: str) -> Finding | None:
    """Replay a game; ``None`` when it comes out as it is stored.

    Whatever goes wrong in it is a finding, so that a bad game does not stop the others.
    """
    with office.read() as session:
        game = session.get(Game, game_id)
        if game is None or game.started_at is None:
            return Finding(
                game_id, "", "", None, "", "", (say("There is no such game, or it has not started."),), broken=True
            )
        try:
            return _checked(session, game)
        except DBAPIError:
            raise
        except Exception as error:
            log.exception("game %s cannot be replayed", game_id)
            why = say("It cannot be replayed: {error}", error=f"{type(error).__name__}: {error}")
            return Finding(game.id, game.title, game.map, None, "", "", (why,), broken=True)


def _checked(session: Session, game: Game) -> Finding | None:
    number: int | None = None
    try:
        sheet = queries.sheet(game)
        query = select(Move).where(Move.game_id == game.id, Move.number <= game.version).order_by(Move.number)
        moves = session.scalars(query.options(undefer(Move.state))).all()
        elsewhere = game.imported is not None
        again = _of_record(sheet, game.imported or {}) if elsewhere else _of_orders(session, sheet, game, moves)
        for move in moves:
            number = move.number
            if (outcome := next(again, None)) is None:
                raise Differs(say("The record has fewer entries than the log."))
            _compare(sheet, move, outcome)
        number = None
        _compare_game(game, moves[-1] if moves else None)
    except catalog.UnknownSheet as unknown:
        return _finding(session, game, None, (say("{why}", why=str(unknown)),), broken=True)
    except Differs as differs:
        return _finding(session, game, number, differs.sentences)
    return None


def _finding(
    session: Session, game: Game, number: int | None, sentences: tuple[Say, ...], broken: bool = False
) -> Finding:
    move = None if number is None else session.get(Move, (game.id, number))
    seat, orders = ("", "") if move is None else (move.seat, move.orders)
    return Finding(game.id, game.title, game.map, number, seat, orders, sentences, broken)


def _compare(sheet: Sheet, move: Move, again: Outcome) -> None:
    """Raises :class:`Differs` unless the entry is as it is stored."""
    if list(move.chance) != list(again.draws):
        purposes = tuple(dict.fromkeys(str(draw.get("for")) for draw in (*move.chance, *again.draws)))
        raise Differs(
            say("The replay gives other dice or draws than the stored ones, for: {purposes}.", purposes=purposes)
        )
    if move.state != sheet.encode(again.state) and (differences := _differences(sheet, move, again.state)):
        raise Differs(*differences)
    if move.digest != digest(sheet, again.state):
        raise Differs(say("The stored digest does not match the stored position."))


def _differences(sheet: Sheet, move: Move, again: State) -> tuple[Say, ...]:
    """Nothing where an older version wrote the same state in another form."""
    try:
        return differing(sheet, sheet.decode(move.state), again)
    except BadState as bad:
        raise Differs(say("Its {why}.", why=str(bad))) from bad


def _compare_game(game: Game, last: Move | None) -> None:
    if last is None or last.number != game.version:
        raise Differs(say("The log ends before the current version of the game, {n}.", n=game.version))
    if game.state != last.state:
        raise Differs(say("The position of the game does not match its last entry."))


def _of_orders(session: Session, sheet: Sheet, game: Game, moves: Sequence[Move]) -> Iterator[Outcome]:
    """What comes out of the seed and the orders of a game of ours, entry by entry."""
    seats = [seat.colour for seat in queries.seats(session, game.id)]
    states: list[State] = []
    withdrawn: dict[int, int] = {}
    for move in moves:
        if move.number != len(states):
            raise Differs(say("Entry {n} of the log is missing.", n=len(states)))
        if move.taken_back_by is not None:
            withdrawn.setdefault(move.taken_back_by, move.number)
        if not states:
            chance = NotedChance(SeededChance(game.seed, DEAL))
            outcome = Outcome(sheet.start(seats, chance, game.options).state, chance.notes)
        elif move.cause not in NOTES:
            outcome = _played(sheet, game.seed, states[-1], move)
        elif move.cause == MoveCause.SEAT:
            outcome = Outcome(states[-1], ())
        elif move.number in withdrawn:
            outcome = Outcome(states[withdrawn[move.number] - 1], ())
        else:
            raise Differs(say("No entry of the log is marked as taken back by this one."))
        states.append(outcome.state)
        yield outcome


def _played(sheet: Sheet, seed: bytes, before: State, move: Move) -> Outcome:
    chance = NotedChance(SeededChance(seed, sheet.place(before), asked_first(move.chance)))
    try:
        step = sheet.play(before, move.seat, sheet.parse(before, move.orders, {}), chance)
    except BadMove as bad:
        raise Differs(say("The orders cannot be read with today’s rules: {why}", why=bad.sentence())) from bad
    except Refused as refused:
        raise Differs(say("Today’s rules refuse it: {why}", why=refused.refusal.sentence())) from refused
    return Outcome(step.state, chance.notes)


def _of_record(sheet: Sheet, raw: dict[str, Any]) -> Iterator[Outcome]:
    """What comes out of the record of a game that was played elsewhere."""
    try:
        record = read_record(json.dumps(raw))
        step, draws = start(sheet, record)
    except (BadRecord, ChanceMismatch) as bad:
        raise Differs(say("{why}", why=str(bad))) from bad
    yield Outcome(step.state, draws)
    for played in replay(sheet, record):
        if played.refusal is not None:
            why = played.refusal.sentence()
            raise Differs(
                say("Entry {n} of the record cannot be played with today’s rules: {why}", n=played.number, why=why)
            )
        if played.step is not None:
            yield Outcome(played.state, played.draws)


MOST_TOLD = 6
"""Fields that are told one by one."""
LONGEST = 60
"""Characters of a value that is shown."""
NOTHING = "nothing"


def differing(sheet: Sheet, stored: State, again: State) -> tuple[Say, ...]:
    """What differs between a stored state and the one that came out today; nothing where they are the same.

    Values are told of what everybody may see; of the rest only that it differs, and where.
    """
    seen = list(_fields(sheet.position(stored), sheet.position(again), ()))
    if seen:
        told = [_told(*difference) for difference in seen[:MOST_TOLD]]
        more = len(seen) - len(told)
        return (*told, *([count_say("{n} more field differs.", "{n} more fields differ.", more)] if more else []))
    left, right = (json.loads(sheet.encode(state))["state"] for state in (stored, again))
    unseen = [key for key in dict.fromkeys([*left, *right]) if left.get(key) != right.get(key)]
    if not unseen:
        return ()
    return (say("What players see is the same; other stored values differ: {fields}.", fields=tuple(unseen)),)


def _told(path: tuple[str, ...], stored: Any, again: Any) -> Say:
    return say(
        "{field}: stored as {stored}, replayed as {again}.",
        field=" of ".join(reversed(path)),
        stored=_short(stored),
        again=_short(again),
    )


def _short(value: Any) -> str:
    text = NOTHING if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _fields(stored: Any, again: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(stored, Mapping) and isinstance(again, Mapping):
        for key in dict.fromkeys([*stored, *again]):
            yield from _fields(stored.get(key), again.get(key), (*path, str(key)))
    elif _plain(stored) != _plain(again):
        yield path or ("position",), stored, again


def _plain(value: Any) -> str:
    """As a digest sees it: lists and tuples are the same."""
    return json.dumps(value, sort_keys=True)
