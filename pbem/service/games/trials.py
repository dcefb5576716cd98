"""Trials: playing on from a position for all seats, in thought. Nothing is written, and nothing hidden is shown.

A trial is a value: the position it begins with, a seed of its own and the orders tried. What its viewer may not know of
the position is dealt anew with that seed when it begins; dice and draws that follow come from it as well, so that they
tell nothing of those of the game.
"""

import hashlib
from collections.abc import Mapping, Sequence
from time import monotonic

from pbem.engine import BadMove, Move, Refusal, Refused, Seat, Sheet, State, replace, say
from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell, told
from pbem.language import orders as spoken_orders
from pbem.robot.review.continuations import TILES
from pbem.robot.review.doubts import worth
from pbem.service.base import NotNow
from pbem.service.turns import orders, robots
from pbem.service.turns.plain_orders import PlainReader
from pbem.store.statuses import GameStatus, MoveCause
from pbem.views.games import Attempt, GameView, MoveView, Trial

MOST = 120
"""Orders a trial can hold: some turns of the largest table."""
FULL = say(
    "A trial can hold {most} orders, and this one is full. Undo the last one, or begin another trial.", most=MOST
)
PATIENCE = 2.0
"""Seconds after which robots leave the next answer to another call."""
ANEW = "anew"
"""The place of the dice with which hidden things are dealt, which is none of a game."""


def begin(view: GameView, viewer: str, seed: str) -> GameView:
    """The position of a view as the beginning of a trial, for the eyes of a seat.

    The log of ``view`` must hold only what the viewer may read. Of a game that is over nothing is hidden. Raises
    :class:`NotNow` where the position is the end of the game or nothing has been dealt.
    """
    if view.state is None or view.sheet.over(view.state):
        raise NotNow(say("There is nothing to try here: it is nobody’s turn."))
    over = view.status == GameStatus.OVER
    viewer = "" if over else viewer
    state = view.state if over else view.sheet.dealt_anew(view.state, viewer, _chance(seed, ANEW))
    return replace(
        view,
        state=state,
        status=GameStatus.RUNNING,
        waiting_for=view.sheet.to_act(state) or "",
        waiting_since=None,
        deadline=None,
        clocks=(),
        standings=(),
        seed="",
        paused_at=None,
        grace_until=None,
        stops_at=None,
        ended_early=False,
        trial=Trial(view.version, viewer, seed),
    )


def play(view: GameView, text: str) -> GameView:
    """The trial after the orders of the seat that is asked; ``view`` is one.

    Raises ``BadMove`` and ``Refused`` as the game would, and :class:`NotNow` when the trial is full or at its end.
    """
    trial, sheet, seat = view.trial, view.sheet, view.waiting_for
    assert trial is not None, "only in a trial orders are tried"
    _goes_on(view)
    chance = NotedChance(_chance(trial.seed, sheet.place(view.state)))
    moves = spoken_orders.parse(sheet, view.state, text, view.names)
    step = sheet.play(view.state, seat, moves, chance)
    written = "\n".join(map(str, step.played))
    turn, phase, at = sheet.turn(view.state), sheet.phase(view.state), view.started_at or view.opened_at
    found = (told(tell(event)) for event in step.events)
    events = tuple(replace(event, only=None) for event in found if event.open_to(trial.viewer or None))
    entry = MoveView(view.version + 1, seat, turn, phase, written, MoveCause.PLAYER, events, at)
    over = sheet.over(step.state)
    return replace(
        view,
        state=step.state,
        version=view.version + 1,
        latest=view.version + 1,
        status=GameStatus.OVER if over else GameStatus.RUNNING,
        waiting_for=sheet.to_act(step.state) or "",
        standings=sheet.standings(step.state) if over else (),
        log=(*view.log, entry),
        trial=replace(
            trial, orders=(*trial.orders, written), drew=trial.drew or (len(trial.orders) + 1 if chance.notes else 0)
        ),
    )


def play_on(view: GameView) -> GameView:
    """The trial after robots have answered for everybody until its viewer is asked, or the turn ends where nothing is
    hidden from anybody; they stop after some seconds. Raises :class:`NotNow` when the trial is full or at its end.
    """
    trial, turn, until = view.trial, view.sheet.turn(view.state), monotonic() + PATIENCE
    assert trial is not None, "robots play on only in a trial"
    view = _robot_plays(view)
    while view.waiting_for and view.waiting_for != trial.viewer and monotonic() < until:
        if not trial.viewer and view.sheet.turn(view.state) != turn:
            break
        try:
            view = _robot_plays(view)
        except NotNow:  # it is full now
            break
    return view


def expected(view: GameView) -> Mapping[Seat, int]:
    """The points that a robot expects everybody to have in the end, if all play on as it would; the most first.

    The bankrupt count as in reviews.
    """
    seats = [line.seat for line in view.sheet.standings(view.state)]
    points = {seat: round(worth(view.sheet, view.state, seat, TILES)) for seat in seats}
    return dict(sorted(points.items(), key=lambda one: -one[1]))


def _goes_on(view: GameView) -> None:
    """Raises :class:`NotNow` when the trial is full or at its end."""
    if not view.waiting_for:
        raise NotNow(say("The game of this trial is over. Undo the last order, or begin another trial."))
    if view.trial and len(view.trial.orders) >= MOST:
        raise NotNow(FULL)


def _robot_plays(view: GameView) -> GameView:
    _goes_on(view)
    sheet, state, trial = view.sheet, view.state, view.trial
    seed = trial.seed if trial else ""
    moves = robots.caretaker(
        sheet, state, view.waiting_for, seed, dict(view.options), _chance(seed, sheet.place(state))
    )
    return play(view, "\n".join(map(str, moves)))


def attempt(view: GameView, viewer: str, seed: str, text: str) -> Attempt:
    """Orders of an email tried on a position, one after the other, up to the first that cannot be played."""
    game, before, at = view, None, 0
    moves: tuple[Move, ...] = ()
    try:
        game = begin(view, viewer, seed)
        moves = PlainReader(game.sheet, game.state, game.names).parse(text)
        for move in moves:
            at += 1
            before, game = game.state, play(game, str(move))
    except BadMove as bad:
        return Attempt(game, before, Refusal(bad.sentence()), bad.line)
    except Refused as refused:
        return Attempt(game, before, refused.refusal, at if len(moves) > 1 else 0)
    except NotNow as never:
        return Attempt(game, before, Refusal(never.sentence), at if len(moves) > 1 else 0)
    return Attempt(game, before)


def to_send(view: GameView, started: GameView) -> tuple[str, ...]:
    """What of a trial its viewer can send as orders now, nothing where the game does not ask what the trial answers.

    ``started``: the beginning of the trial, of the present position of a running game that asks its viewer. The first
    of them answers; of those that follow these are there that the game lets wait for their moment. Nothing that was
    ordered after a roll or a draw is among them: those of the game will be others.
    """
    trial = view.trial
    assert trial is not None, "only a trial can be sent"
    known = view.tried[: trial.drew or None]
    own = [move.orders for move in known if move.seat == trial.viewer]
    if not known or known[0].seat != trial.viewer:
        return ()
    sent: tuple[str, ...] = ()
    for order in own:
        if _can_be_sent(started.sheet, started.state, trial.viewer, (*sent, order)):
            sent = (*sent, order)
    return sent


def _can_be_sent(sheet: Sheet, state: State, seat: str, given: Sequence[str]) -> bool:
    """Whether the game would take these orders in one submission; judged by a state without secrets."""
    try:
        moves: tuple[Move, ...] = sheet.parse(state, "\n".join(given), {})
        orders.sort(sheet, state, seat, moves, strict=True)
    except (BadMove, Refused):
        return False
    return True


def _chance(seed: str, place: str) -> SeededChance:
    return SeededChance(hashlib.sha256(f"trial|{seed}".encode()).digest(), place)
