"""What an order leads to, for somebody who learns the game: a few answers, each played on in thought to the end.

Nothing is known beforehand of any map: the answers come from the question and from a robot that thinks about it, and
what each leads to is counted by the rules themselves. Dice that are still to be rolled fall as they may, never as the
game's own will. An email plays every answer on once (:func:`answers`); a page several times (:func:`compare`), all
answers with the same luck (:class:`PlayOut`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import mean, stdev
from typing import Self

from pbem.engine import Question, Say, Seat, Sheet, State
from pbem.engine.chance import SeededChance
from pbem.robot import thinking
from pbem.robot.thinking import Character, Decision

TUTOR = Character("tutor", budget=60, width=4)
"""Who plays on for every seat: without slips, and quick."""
HURRIED = Character("tutor", budget=24, width=3)
"""Who chooses actions in later turns, where that is as good and takes half the time."""
SEED = "tutor"
SHOWN = 3
"""Answers that are compared."""
FEW = 3
"""Of the answers a robot has thought about, those that are played on: the best ones, and the last."""
LONGEST = 3_000
"""Decisions of a whole game, at the most."""
KEPT = 256


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ends for a seat: points (``None`` for who is out of the game), place, and how many points it is ahead
    of the best of the others; below 0 where it is behind."""

    points: int | None
    place: int
    lead: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An order, what the question calls it and says of it (``None`` for what is no button there), why a robot would
    give it, and how the game ends after it."""

    order: str
    title: Say | None
    effect: Say | None
    why: Say | None
    ending: Ending


@dataclass(frozen=True, slots=True)
class Compared:
    """An answer that was played on several times: mean, lowest and highest points (who is out of the game has none).

    ``worse``: by how many points it is behind the best one; 0 where that may be chance. ``out``: how often the seat was
    out of the game.
    """

    order: str
    points: int
    lowest: int
    highest: int
    worse: int
    out: int


def answers(sheet: Sheet, state: State, options: Mapping[str, str]) -> tuple[Answer, ...]:
    """Up to three answers to the open question that end differently, the best first.

    The last one is the worst of all that were tried, the safe order of the sheet among them.
    """
    return _answers(sheet, sheet.encode(state), tuple(sorted(options.items())))


def ending(sheet: Sheet, state: State, order: str, options: Mapping[str, str]) -> Ending:
    """How the game ends for the seat to act after a legal order, everybody playing on as a robot would."""
    return _ending(sheet, sheet.encode(state), order, tuple(sorted(options.items())))


@lru_cache(maxsize=KEPT)
def _answers(sheet: Sheet, stored: bytes, options: tuple[tuple[str, str], ...]) -> tuple[Answer, ...]:
    state = sheet.decode(stored)
    question = sheet.question(state)
    decision = thinking.decide(sheet, state, TUTOR, SEED, dict(options))
    listed = {choice.order: (choice.title, choice.effect) for choice in question.choices}
    reasons = {option.order: option.why for option in decision.options} | {decision.order: decision.why}
    endings = {order: _ending(sheet, stored, order, options) for order in _tried(sheet, state, question, decision)}
    found = []
    for order, end in endings.items():
        title, effect = listed.get(order, (None, None))
        found.append(Answer(order, title, effect, reasons.get(order), end))
    return _compared(found)


def _tried(sheet: Sheet, state: State, question: Question, decision: Decision) -> Iterable[str]:
    """What is worth playing on: what a robot likes, the engine, a bold answer, the safe one."""
    thought = [option.order for option in decision.options]
    listed = [choice.order for choice in question.choices]
    bold = listed[-1:] if question.form == "choices" else []
    if _is_auction(question):
        bold.append(listed[len(listed) // 2])
    engine = [order for order in listed if order == "loco"]
    wanted = [str(sheet.default(state)), decision.order, *thought[: FEW - 1], *thought[-1:], *engine, *bold]
    return dict.fromkeys(wanted)


def _compared(found: Sequence[Answer]) -> tuple[Answer, ...]:
    """The best, the worst, and of the others the one a robot likes best that ends otherwise.

    Of equal answers the safe order is the best, then the one that a robot likes better.
    """
    ranked = sorted(found, key=lambda answer: _rank(answer.ending))
    if len(ranked) <= SHOWN:
        return tuple(ranked)
    first, *between, last = ranked
    between.sort(key=found.index)
    other = next((one for one in between if one.ending not in (first.ending, last.ending)), between[0])
    return first, other, last


def _rank(end: Ending) -> tuple[bool, int]:
    return end.points is None, -end.lead


@lru_cache(maxsize=KEPT)
def _ending(sheet: Sheet, stored: bytes, order: str, options: tuple[tuple[str, str], ...]) -> Ending:
    playing = PlayOut.begin(sheet, sheet.decode(stored), order, dict(options), 0)
    while (end := playing.go_on()) is None:
        pass
    return end


def _end(sheet: Sheet, state: State, seat: Seat) -> Ending:
    lines = {line.seat: line for line in sheet.standings(state)}
    own = lines.pop(seat)
    points = None if own.out else own.score
    return Ending(points, own.place, (points or 0) - max((line.score or 0 for line in lines.values()), default=0))


def candidates(sheet: Sheet, state: State, options: Mapping[str, str]) -> tuple[tuple[str, Say | None], ...]:
    """Up to three different answers with a robot's reasons: what it likes best and next, and the safe one."""
    question = sheet.question(state)
    decision = thinking.decide(sheet, state, TUTOR, SEED, options)
    reasons = {option.order: option.why for option in decision.options} | {decision.order: decision.why}
    liked = [option.order for option in decision.options if option.order != decision.order]
    wanted = (decision.order, *liked[:1], str(sheet.default(state)), *_tried(sheet, state, question, decision))
    return tuple((order, reasons.get(order)) for order in list(dict.fromkeys(wanted))[:SHOWN])


@dataclass(slots=True)
class PlayOut:
    """A game played on in thought after an answer, one decision at a time, with the luck that goes by a number.

    With the same number dice, draws and robots have the same luck after every answer; it has nothing to do with the
    seed of the game. What is hidden from who answers is dealt anew.
    """

    sheet: Sheet
    options: Mapping[str, str]
    luck: str
    seat: Seat
    turn: int
    state: State
    decisions: int = 0

    @classmethod
    def begin(cls, sheet: Sheet, state: State, order: str, options: Mapping[str, str], number: int) -> Self:
        seat, luck = sheet.to_act(state) or "", f"{SEED} {number}"
        dealt = sheet.dealt_anew(state, seat, SeededChance(luck.encode(), "hidden"))
        return cls(sheet, options, luck, seat, sheet.turn(state), _played(sheet, dealt, order, luck.encode()))

    def go_on(self) -> Ending | None:
        """Play one decision; returns how the game has ended, once it has."""
        sheet, state = self.sheet, self.state
        if sheet.over(state) or self.decisions == LONGEST:
            return _end(sheet, state, self.seat)
        self.state, self.decisions = _played(sheet, state, self._order(), self.luck.encode()), self.decisions + 1
        return None

    def _order(self) -> str:
        """What a robot would order; who learns bids once, so that it is seen whether the bid is enough.

        In later turns nobody bids, which takes long to think about, and actions are taken in a hurry.
        """
        sheet, state = self.sheet, self.state
        question, later = sheet.question(state), sheet.turn(state) != self.turn
        if _is_auction(question) and (later or question.seat == self.seat):
            return str(sheet.default(state))
        hurried = later and any(choice.keyword == "action" for choice in question.choices)
        return thinking.decide(sheet, state, HURRIED if hurried else TUTOR, self.luck, self.options).order


def compare(found: Mapping[str, Sequence[Ending]]) -> tuple[Compared, ...]:
    """What answers came to, the best first; the first ending of each had the same luck, and so on.

    An answer is worse than the best one when the mean of the differences is more than twice its standard error.
    """
    number = min(map(len, found.values()), default=0)
    if not number:
        return ()
    points = {order: [end.points or 0 for end in ends[:number]] for order, ends in found.items()}
    out = {order: sum(end.points is None for end in ends[:number]) for order, ends in found.items()}
    ranked = sorted(points, key=lambda order: (out[order] == number, -mean(points[order])))
    best = points[ranked[0]]
    return tuple(
        Compared(order, round(mean(got)), min(got), max(got), _worse(best, got), out[order])
        for order, got in ((order, points[order]) for order in ranked)
    )


def _worse(best: Sequence[int], other: Sequence[int]) -> int:
    """How many points fewer the other answer brings, 0 where that may be chance."""
    apart = [high - low for high, low in zip(best, other, strict=True)]
    if len(apart) < 2 or mean(apart) <= 2 * stdev(apart) / sqrt(len(apart)):
        return 0
    return round(mean(apart))


def _played(sheet: Sheet, state: State, order: str, seed: bytes) -> State:
    """The position after a legal order of the seat to act."""
    chance = SeededChance(seed, sheet.place(state))
    return sheet.play(state, sheet.to_act(state) or "", sheet.parse(state, order, {}), chance).state


def _is_auction(question: Question) -> bool:
    return any(choice.keyword == "drop" for choice in question.choices)
