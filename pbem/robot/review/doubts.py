"""Which orders of a game are played on: those that an estimate finds most doubtful, and most promising."""

from collections.abc import Sequence
from random import Random

from pbem.engine import Say, Seat, Sheet, State
from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.events import tell, told
from pbem.robot import thinking
from pbem.robot.matches import BANKRUPT
from pbem.robot.review.comparisons import DIGITS, LEAST, Comparison
from pbem.robot.thinking import Character
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.plans import Planner
from pbem.robot.thinking.steam import worth as steam_worth
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after

ADVISER = Character("adviser")
"""Says what else could have been ordered."""
EVALUATOR = Character("evaluator", budget=60, width=4)
"""Says what a position is worth, without errors."""
DOUBTFUL, PROMISING = 12, 6
"""Orders of a game that are played on, shared among its players."""


def compared(sheet: Sheet, state: State, number: int, played: str) -> Comparison | None:
    """An order beside the adviser's first, with what is expected of both; ``None`` where they lead to the same, and of
    one that seems better, but hardly."""
    seat = sheet.to_act(state) or ""
    then = after(sheet, state, seat, played)
    if then is None:
        return None
    options = thinking.decide(sheet, state, ADVISER, "review").options
    stored, ends = sheet.encode(then), [after(sheet, state, seat, option.order) for option in options]
    same = [end is not None and sheet.encode(end) == stored for end in ends]
    others = [place for place, is_same in enumerate(same) if not is_same and ends[place] is not None]
    if not others or same[0]:
        return None
    better = others[0]
    if any(same):
        estimate = options[better].value - options[same.index(True)].value
    else:
        estimate = worth(sheet, ends[better], seat, 0) - worth(sheet, then, seat, 0)
    if -LEAST < estimate < 0:
        return None
    turn, phase = sheet.turn(state), sheet.phase(state)
    return Comparison(number, turn, phase, seat, played, options[better].order, round(estimate, DIGITS))


def worth(sheet: Sheet, state: State, seat: Seat, tiles: int) -> float:
    """The points that a seat is expected to have in the end; in Age of Steam if it builds at best so many tiles now."""
    line = next(line for line in sheet.standings(state) if line.seat == seat)
    if line.out:
        return BANKRUPT
    if sheet.over(state):
        return line.score or 0
    if sheet.game != "age-of-steam":
        return steam_worth(sheet, state, seat)
    thought = Thought(read_table(sheet, state, seat), EVALUATOR, scoring_of(sheet), Random(0))
    return Planner(thought, thought.table.me, thought.land, tiles, EVALUATOR.budget).plans()[0].value


def looked_at(found: Sequence[Comparison], fewer: int) -> list[Comparison]:
    """The most doubtful and the most promising ones of each player; one for each phase, so that an auction is one
    decision. ``fewer``: so many times fewer than usual."""
    chosen: list[Comparison] = []
    seats = dict.fromkeys(one.player for one in found)
    for seat in seats:
        for doubtful, number in ((True, DOUBTFUL), (False, PROMISING)):
            mine = [one for one in found if one.player == seat and one.doubtful == doubtful]
            mine.sort(key=lambda one: abs(one.estimate))
            once = {(one.turn, one.phase): one for one in mine}
            ranked = sorted(once.values(), key=lambda one: abs(one.estimate), reverse=True)
            chosen += ranked[: max(1, number // fewer // len(seats))]
    return chosen


def in_words(sheet: Sheet, state: State, order: str) -> tuple[Say, ...]:
    """What an order says, played in thought in the position in which it was given or might have been."""
    seat = sheet.to_act(state) or ""
    step = sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(NO_SEED, sheet.place(state)))
    events = (told(tell(event)) for event in step.events)
    return tuple(event.say for event in events if event.ordered_by(seat) and event.open_to(None))
