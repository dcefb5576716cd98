"""Three turns on the real rules by four players with a plan: positions for letters to tell of."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

from pbem.engine import Question, Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.engine.events import tell, told
from pbem.store.statuses import MoveCause
from pbem.views.games import MoveView

SHEET = catalog.sheet("age-of-steam", "rust_belt")
SEED = bytes(range(32))
SEATS = ("brown", "purple", "yellow", "pink")
START = datetime(2026, 11, 6, 20, 51, tzinfo=UTC)
APART = timedelta(hours=7)
LAST_TURN = 3

BUILDS = {
    (1, "brown"): "build R11 NE-SW; S10 NE-SW; P13 NE-SW",
    (1, "purple"): "build B1 NE-S; D1 N-S; E2 SE-SW",
    (1, "yellow"): "build D15 NE-S; F15 N-SW; G14 NE-SW",
    (1, "pink"): "build M6 NE-SW; N5 @NE,S; P5 N-S",
    (2, "brown"): "build O14 SE-SW; P15 SE-NW; S8 SE-NW",
    (2, "purple"): "build S4 SE-NW; R3 SE-NW; Q2 N-SE",
    (2, "yellow"): "build I12 NE-S; K12 @N,S; M12 N-S",
    (2, "pink"): "build R5 N-S; M8 NE-NW; L9 @SW,NE",
    (3, "brown"): "build R7 SE-NW; Q6 @SE",
    (3, "yellow"): "build O12 N-S",
}
"""By turn and seat; the pink player is asked last in turn 3 and has not answered."""


Choose = Callable[[State, Question, int], str]
"""What is ordered in a position, for a question, as the order of this number."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, the log that led to it, and what is asked there."""

    state: State
    log: tuple[MoveView, ...]
    question: Question

    @property
    def turn(self) -> int:
        return SHEET.turn(self.state)


@cache
def moments() -> tuple[Moment, ...]:
    """Every position of the three turns, from the deal on."""
    return tuple(play(SHEET, SEATS, LAST_TURN, _orders))


def asked(phase: str, seat: str, turn: int = LAST_TURN) -> Moment:
    """The first moment in this turn at which the seat is asked in this phase."""
    return next(m for m in moments() if (m.turn, m.question.phase, m.question.seat) == (turn, phase, seat))


def play(sheet: Sheet, seats: Sequence[str], last_turn: int, choose: Choose) -> Iterator[Moment]:
    """Every position of a game up to this turn, from the deal on."""
    state = sheet.start(seats, SeededChance(SEED, "deal"), {}).state
    log: tuple[MoveView, ...] = ()
    while (turn := sheet.turn(state)) <= last_turn:
        question, number = sheet.question(state), len(log) + 1
        yield Moment(state, log, question)
        orders = choose(state, question, number)
        step = sheet.play(state, question.seat, sheet.parse(state, orders, {}), SeededChance(SEED, sheet.place(state)))
        events = tuple(told(tell(event)) for event in step.events)
        at = START + number * APART
        move = MoveView(number, question.seat, turn, question.phase, orders, MoveCause.PLAYER, events, at)
        log, state = (*log, move), step.state


def _orders(state: State, question: Question, _: int) -> str:
    """Two shares, bids up to $2, the planned build, the best delivery."""
    choices = [choice.order for choice in question.choices]
    match question.phase:
        case "issue_shares":
            return "issue 2"
        case "turn_order":
            return next((order for order in choices if order in ("bid 1", "bid 2")), "drop")
        case "build_track":
            return BUILDS.get((SHEET.turn(state), question.seat), "build nothing")
        case "move_goods" if not question.choices[0].gains.get(question.seat):
            return "loco" if "loco" in choices else "pass"
    return choices[0]
