"""Games played on by robots after an order, and after another one with the same luck."""

from hashlib import sha256

from pbem.engine import Sheet, State
from pbem.engine.chance import SeededChance
from pbem.robot.matches import BANKRUPT, steps, thinker
from pbem.robot.review.comparisons import DIGITS, Comparison, Continuation
from pbem.robot.review.doubts import worth
from pbem.robot.thinking import Character

REFERENCE = Character("reference", budget=30, width=3, slip=1.0, steam_slip=1.0)
"""Plays on in all seats."""
TILES, AHEAD = 3, 2
"""Tiles of a build that a position's worth counts on; the turn, counted from the present one, before which it stops."""


def pair(sheet: Sheet, state: State, one: Comparison) -> tuple[Continuation, Continuation]:
    """The next two continuations of an order; ``state``: the position in which it was given."""
    number = len(one.pairs)
    return play_on(sheet, state, one.better, number), play_on(sheet, state, one.played, number)


def play_on(sheet: Sheet, state: State, order: str, number: int) -> Continuation:
    """Robots play on from an order: to the end of the next turn, in the last two turns to the end of the game; always
    to its end where nobody knows how many turns there will be.

    A company counts as :data:`BANKRUPT` at the least, so that one that lives is never worse than one that does not.
    ``number``: of the luck, which is the same after every order of a position. It is nobody's seed, and what is hidden
    is dealt anew.
    """
    seat, luck = sheet.to_act(state) or "", sha256(f"review {number}".encode()).digest()
    dealt = sheet.dealt_anew(state, seat, SeededChance(luck, "hidden"))
    chance = SeededChance(luck, sheet.place(dealt))
    then = sheet.play(dealt, seat, sheet.parse(dealt, order, {}), chance).state
    seats = [line.seat for line in sheet.standings(then)]
    turns, stop = sheet.turns(len(seats)), sheet.turn(state) + AHEAD
    whole = turns is None or stop > turns
    players = dict.fromkeys(seats, thinker(REFERENCE))
    for _, _, step in steps(sheet, players, then, luck, f"review {number}"):
        then = step.state
        if not whole and sheet.turn(then) >= stop:
            break
    worths = {other: max(BANKRUPT, worth(sheet, then, other, TILES)) for other in seats}
    out = {line.seat for line in sheet.standings(then) if line.out}
    figures = {row.seat: row.cells for row in sheet.rows(then)}[seat]
    income, cash = (int(str(figures.get(key) or 0)) for key in ("income", "cash"))
    lead = worths.pop(seat) - max(worths.values(), default=0)
    return Continuation(round(lead, DIGITS), income, cash, seat in out, bool(out - {seat}))


def to_end(sheet: Sheet, state: State, number: int) -> State:
    """The end of a game that robots play on from a position inside it; ``number``: of the luck."""
    luck, seats = sha256(f"end {number}".encode()).digest(), [line.seat for line in sheet.standings(state)]
    for _, _, step in steps(sheet, dict.fromkeys(seats, thinker(REFERENCE)), state, luck, f"end {number}"):
        state = step.state
    return state
