"""Writing down that a game went on: the move, the new position, the time there is, and the letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell
from pbem.engine.moves import Refused
from pbem.engine.phase import Step
from pbem.engine.record import digest
from pbem.engine.sheet import Sheet, State
from pbem.service import ahead, clocks, grace, hookpost, letters, planning, rows
from pbem.service.hints import Hint
from pbem.store.tables import Game, Move, Seat

MOST_AHEAD = 500
"""Orders ahead that are played one after the other at most; far more than a turn has questions."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is written down about one move beside the step it led to."""

    seat: str
    orders: str
    cause: str
    turn: int
    phase: str


def chance_at(game: Game, sheet: Sheet, state: State) -> NotedChance:
    """The dice of the game from this position on."""
    return NotedChance(SeededChance(game.seed, sheet.place(state)))


def write_down(
    session: Session,
    hints: list[Hint],
    game: Game,
    entry: Entry,
    step: Step[State],
    chance: NotedChance,
    now: datetime,
    *,
    hold: timedelta = timedelta(0),
) -> None:
    """Add the move that led to ``step``, make it the position of the game, and write to whom it concerns.

    ``hold``: how long the letter waits if the next question is for the same seat, whom a page shows it meanwhile.
    """
    sheet = rows.sheet(game)
    _note(session, game, entry, step, chance, now)
    state = _play_ahead(session, game, sheet, step.state, now)
    revealed = state is not step.state or grace.reveals(chance.notes, step.events)
    game.grace_until = grace.until(game, entry.cause, revealed, now)
    opened = entry.cause == "start" or sheet.turn(state) != entry.turn
    _tell(session, hints, game, sheet, state, now, sender=entry.seat, opened=opened, hold=hold)


def write_down_first(
    session: Session, game: Game, entry: Entry, step: Step[State], chance: NotedChance, now: datetime
) -> None:
    """The same for a move that its sender follows up with another at once: nobody is told of the position between."""
    _note(session, game, entry, step, chance, now)
    clocks.ask(session, game, entry.seat, now)


def _note(session: Session, game: Game, entry: Entry, step: Step[State], chance: NotedChance, now: datetime) -> None:
    """Stop the clock of the seat that answered, and add the move."""
    time = clocks.answered(session, game, now)
    add(session, game, entry, step, chance.notes, now, time)


def go_on(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """Play orders ahead that answer what is asked now: some have just been given."""
    sheet = rows.sheet(game)
    state = sheet.decode(game.state)
    after = _play_ahead(session, game, sheet, state, now)
    if after is not state:
        game.grace_until = None
        _tell(session, hints, game, sheet, after, now, opened=sheet.turn(after) != sheet.turn(state))


def _play_ahead(session: Session, game: Game, sheet: Sheet, state: State, now: datetime) -> State:
    """Play orders that waited for this position and those it leads to, each as a move of its own."""
    for _ in range(MOST_AHEAD):
        found = ahead.spoken(session, game, sheet, state, now)
        if found is None:
            break
        seat, chance = sheet.to_act(state) or "", chance_at(game, sheet, state)
        try:
            step = sheet.play(state, seat, (found.move,), chance)
        except Refused as refused:
            ahead.void(found.row, refused, now)
            break
        entry = Entry(seat, written(step.played), "ahead", sheet.turn(state), sheet.phase(state))
        game.version += 1
        clocks.ask(session, game, seat, now)
        _note(session, game, entry, step, chance, now)
        ahead.was_played(found.row, game.version, now)
        state = step.state
    ahead.sweep(session, game, sheet, state, now)
    return state


def _tell(
    session: Session,
    hints: list[Hint],
    game: Game,
    sheet: Sheet,
    state: State,
    now: datetime,
    *,
    sender: str = "",
    opened: bool = False,
    hold: timedelta = timedelta(0),
) -> None:
    """Ask the next seat, or tell everybody that the game is over.

    ``sender``: who may still take orders back; ``opened``: a turn has begun, and everybody is asked what can be
    planned; ``hold``: see :func:`write_down`.
    """
    if sheet.over(state):
        _end(session, hints, game, rows.seats(session, game.id), now)
        return
    asked = sheet.to_act(state) or ""
    wait = grace.wait(game, sender, asked, now)
    ask(session, hints, game, asked, now, wait=hold if sender == asked else wait, planned=wait if opened else None)


def written(moves: Sequence[object]) -> str:
    """Orders in canonical notation."""
    return "\n".join(map(str, moves))


def add(
    session: Session,
    game: Game,
    entry: Entry,
    step: Step[State],
    chance: Sequence[dict[str, object]],
    now: datetime,
    time: tuple[int, int] | None = None,
) -> None:
    """Add an entry with number ``game.version`` to the log and make ``step`` the position; nobody is asked yet.

    ``time``: what the answer took and what the seat had in reserve before, in seconds.
    """
    spent, reserve = time or (None, None)
    sheet = rows.sheet(game)
    game.state = sheet.encode(step.state)
    session.add(
        Move(
            game_id=game.id,
            number=game.version,
            seat=entry.seat,
            turn=entry.turn,
            phase=entry.phase,
            orders=entry.orders,
            cause=entry.cause,
            chance=list(chance),
            events=[tell(event) for event in step.events],
            state=game.state,
            digest=digest(sheet, step.state),
            at=now,
            asked_at=game.waiting_since,
            spent_seconds=spent,
            reserve_seconds=reserve,
        )
    )
    game.turn, game.phase = sheet.turn(step.state), sheet.phase(step.state)


def ask(
    session: Session,
    hints: list[Hint],
    game: Game,
    colour: str,
    now: datetime,
    *,
    wait: timedelta = timedelta(0),
    planned: timedelta | None = None,
) -> None:
    """Ask this seat what the position asks; ``wait``: how long the letter is held back and no time runs.

    ``planned``: a turn has begun, and after this time everybody is asked what can be planned.
    """
    clocks.ask(session, game, colour, now, told=now + wait)
    if planned is not None:
        planning.open_turn(session, hints, game, now, planned)
    seat = rows.seat(session, game.id, colour)
    hookpost.turn(session, hints, game, seat, now, wait)
    if seat.caretaker_since is not None:
        return
    if seat.account_id is not None and not planning.covers(session, game, seat):
        key = f"your-turn:{game.id}:{game.version}"
        void = ahead.void_now(session, game, colour, now)
        letters.write(
            session,
            hints,
            "your-turn",
            key,
            seat.account_id,
            now,
            game=game,
            seat=seat,
            version=game.version,
            data={} if void is None else {"void": void},
            wait=wait,
        )


def _end(session: Session, hints: list[Hint], game: Game, players: Sequence[Seat], now: datetime) -> None:
    game.status, game.ended_at, game.to_act = "over", now, ""
    clocks.stop(game)
    hookpost.over(session, hints, game, now)
    for seat in players:
        if seat.account_id is not None:
            key = f"game-over:{game.id}:{seat.number}"
            letters.write(
                session, hints, "game-over", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )
