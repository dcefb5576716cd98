"""Reviews of finished games of Age of Steam: which orders cost points, and which brought more than a robot's own.

An estimate only says which orders are looked at. No order is named before the game was played on, many times and with
the same luck, after it and after the other order (``docs/reviews.md``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from operator import attrgetter
from random import Random
from statistics import fmean
from typing import Any, Self

from pbem.engine.chance import SeededChance
from pbem.engine.moves import Seat
from pbem.engine.record import Record, replay, start
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say, say, say_to_json
from pbem.robot import thinking
from pbem.robot.matches import BANKRUPT, Mean, steps, thinker
from pbem.robot.thinking import Character
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.plans import Planner
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after

FORMAT, METHOD = "pbem-review/1", 1
ADVISER = Character("adviser")
"""Says what else could have been ordered."""
REFERENCE = Character("reference", budget=30, width=3, slip=1.0)
"""Plays on in all seats."""
EVALUATOR = Character("evaluator", budget=60, width=4)
"""Says what a position is worth, without errors."""
LEAST, LARGE = 2.0, 6.0
"""Points of a mistake, and of a large one."""
DOUBTFUL, PROMISING = 12, 6
"""Orders of a game that are played on, shared among its players."""
FIRST_PAIRS, MORE_PAIRS, MOST_PAIRS = 12, 6, 48
"""Pairs of continuations: at first, in each further round, of one order."""
SEAT_PAIRS = 1000
"""Pairs of all orders of a game, times its players: for each of them a pair takes half a second of the processor."""
SURE, CLEAR = 3.0, 2.0
"""Standard errors: after so many a difference is known well enough, and so many it must be above 0."""
OFTEN = 0.25
"""The part of the continuations in which more bankruptcies are worth a sentence."""
TILES, AHEAD = 3, 2
"""Tiles of a build that a position's worth counts on; the turn, counted from the present one, before which it stops."""

Progress = Callable[[str, int, int], None]


class NotReviewed(Exception):
    """A :class:`Say` tells why this game has no review."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A game played on after an order: points ahead of the best of the others, and the seat's figures in the end.

    ``out``: whether it is bankrupt; ``others_out``: whether one of the others is.
    """

    lead: float
    income: int
    cash: int
    out: bool
    others_out: bool


def _clear(mean: Mean, least: float) -> bool:
    return abs(mean.value) >= least and abs(mean.value) > CLEAR * mean.error


@dataclass(slots=True)
class Comparison:
    """An order beside another one: entry of the record, and what the estimate says that the other is better by."""

    entry: int
    state: State
    turn: int
    phase: str
    player: Seat
    played: str
    better: str
    estimate: float
    pairs: list[tuple[Continuation, Continuation]] = field(default_factory=list)
    """After the better order, and after the one that was played, with the same luck."""

    @property
    def lead(self) -> Mean:
        """How many points the other order is better by."""
        return Mean.of([better.lead - played.lead for better, played in self.pairs])

    @property
    def open(self) -> bool:
        """Whether more pairs would say more."""
        return len(self.pairs) < MOST_PAIRS and abs(self.lead.value) <= SURE * self.lead.error

    @property
    def clear(self) -> bool:
        """Whether what it did cannot be chance."""
        return _clear(self.lead, LEAST)

    @property
    def mistake(self) -> bool:
        return self.clear and self.lead.value > 0

    @property
    def best(self) -> bool:
        """Whether it is clearly better than the other order."""
        return self.clear and self.lead.value < 0

    @property
    def large(self) -> bool:
        return self.clear and abs(self.lead.value) >= LARGE


@dataclass(frozen=True, slots=True)
class Review:
    """``decisions``: every order that was played on, first those of which it is surest what they did."""

    game: str
    map: str
    players: tuple[Seat, ...]
    orders: int
    decisions: tuple[Comparison, ...]


def review(sheet: Sheet, record: Record, progress: Progress) -> Review:
    """The review of a finished game: the same record, the same review. Takes minutes.

    Raises :class:`NotReviewed` and ``BadRecord``.
    """
    if sheet.game != "age-of-steam":
        raise NotReviewed(say("Only games of Age of Steam are reviewed."))
    if len(record.players) < 2:
        raise NotReviewed(say("A game of one player is not reviewed: there is nobody to be ahead of."))
    compared, most = _looked_at(list(_comparisons(sheet, record, progress))), SEAT_PAIRS // len(record.players)

    def play_on(one: Comparison, pairs: int) -> int:
        for _ in range(pairs):
            progress("Playing on", sum(len(other.pairs) for other in compared), most)
            one.pairs.append(_pair(sheet, one, len(one.pairs)))
        return pairs

    left = most - sum(play_on(one, FIRST_PAIRS) for one in compared)
    while waiting := [one for one in compared if one.open][: left // MORE_PAIRS]:
        left -= sum(play_on(one, MORE_PAIRS) for one in waiting)
    ranked = sorted(compared, key=lambda one: (CLEAR * one.lead.error - abs(one.lead.value), one.entry))
    return Review(sheet.game, sheet.slug, record.players, len(record.turns), tuple(ranked))


# which orders are looked at -----------------------------------------------------------------------------


def _comparisons(sheet: Sheet, record: Record, progress: Progress) -> Iterator[Comparison]:
    """Every order that somebody gave beside the adviser's first, with what the estimate says of both."""
    state = start(sheet, record)[0].state
    for played in replay(sheet, record):
        progress("Reading", played.number, len(record.turns))
        if played.refusal is not None:
            why = say("Entry {number} is refused: {sentence}", number=played.number, sentence=played.refusal.sentence())
            raise NotReviewed(why)
        entry = played.entry
        if not (played.passed_over or entry.auto) and sheet.to_act(state) == entry.player:
            one = _comparison(sheet, state, played.number, entry.orders)
            if one is not None:
                yield one
        state = played.state
    if not sheet.over(state):
        raise NotReviewed(say("The record does not reach the end of its game."))


def _comparison(sheet: Sheet, state: State, number: int, played: str) -> Comparison | None:
    """``None`` where the adviser agrees, or expects about as much."""
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
        estimate = _worth(sheet, ends[better], seat, 0) - _worth(sheet, then, seat, 0)
    if abs(estimate) < LEAST:
        return None
    return Comparison(
        number, state, sheet.turn(state), sheet.phase(state), seat, played, options[better].order, estimate
    )


def _worth(sheet: Sheet, state: State, seat: Seat, tiles: int) -> float:
    """The points that a seat is expected to have in the end, if it builds at best so many tiles now."""
    line = next(line for line in sheet.standings(state) if line.seat == seat)
    if line.out:
        return BANKRUPT
    if sheet.over(state):
        return line.score or 0
    thought = Thought(read_table(sheet, state, seat), EVALUATOR, scoring_of(sheet), Random(0))
    return Planner(thought, thought.table.me, thought.land, tiles, EVALUATOR.budget).plans()[0].value


def _looked_at(compared: Sequence[Comparison]) -> list[Comparison]:
    """The most doubtful and the most promising ones of each player; one for each phase, so that an auction is one
    decision."""
    found: list[Comparison] = []
    seats = dict.fromkeys(one.player for one in compared)
    for seat in seats:
        for sign, number in ((1, DOUBTFUL), (-1, PROMISING)):
            mine = [one for one in compared if one.player == seat and one.estimate * sign > 0]
            mine.sort(key=lambda one: abs(one.estimate))
            once = {(one.turn, one.phase): one for one in mine}
            ranked = sorted(once.values(), key=lambda one: abs(one.estimate), reverse=True)
            found += ranked[: max(1, number // len(seats))]
    return found


# playing on ---------------------------------------------------------------------------------------------


def _pair(sheet: Sheet, one: Comparison, number: int) -> tuple[Continuation, Continuation]:
    better, played = (_play_on(sheet, one.state, order, number) for order in (one.better, one.played))
    return better, played


def _play_on(sheet: Sheet, state: State, order: str, number: int) -> Continuation:
    """Robots play on from an order: to the end of the next turn, in the last two turns to the end of the game.

    ``number``: of the luck, which is the same after every order of a position. It is nobody's seed, and what is hidden
    is dealt anew.
    """
    seat, luck = sheet.to_act(state) or "", sha256(f"review {number}".encode()).digest()
    dealt = sheet.dealt_anew(state, seat, SeededChance(luck, "hidden"))
    chance = SeededChance(luck, sheet.place(dealt))
    then = sheet.play(dealt, seat, sheet.parse(dealt, order, {}), chance).state
    seats = [line.seat for line in sheet.standings(then)]
    turns, stop = sheet.turns(len(seats)), sheet.turn(state) + AHEAD
    whole = turns is not None and stop > turns
    players = dict.fromkeys(seats, thinker(REFERENCE))
    for _, _, step in steps(sheet, players, then, luck, f"review {number}"):
        then = step.state
        if not whole and sheet.turn(then) >= stop:
            break
    worth = {other: _worth(sheet, then, other, TILES) for other in seats}
    out = {line.seat for line in sheet.standings(then) if line.out}
    figures = {row.seat: row.cells for row in sheet.rows(then)}[seat]
    income, cash = (int(str(figures.get(key) or 0)) for key in ("income", "cash"))
    return Continuation(worth.pop(seat) - max(worth.values()), income, cash, seat in out, bool(out - {seat}))


# words and figures --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Means:
    """What a figure of the continuations is on average after either order; of a yes or no, its part of 1."""

    played: float
    better: float
    apart: Mean

    @classmethod
    def of(cls, one: Comparison, figure: Callable[[Continuation], int]) -> Self:
        pairs = [(figure(played), figure(better)) for better, played in one.pairs]
        apart = Mean.of([played - better for played, better in pairs])
        return cls(fmean(played for played, _ in pairs), fmean(better for _, better in pairs), apart)

    def rounded(self, number: int = 1) -> dict[str, int]:
        """Both in whole numbers, ``number`` times."""
        return {"played": round(self.played * number), "better": round(self.better * number)}


FIGURES: Mapping[str, Callable[[Continuation], int]] = {
    "income": attrgetter("income"),
    "cash": attrgetter("cash"),
    "out": attrgetter("out"),
    "others_out": attrgetter("others_out"),
}


def reasons(one: Comparison) -> tuple[Say, ...]:
    """Where the continuations of both orders differ clearly: bankruptcies, income, cash; three sentences at most."""
    number, (income, cash, out, others) = len(one.pairs), (Means.of(one, figure) for figure in FIGURES.values())
    sentences = (
        (
            _clear(out.apart, OFTEN),
            say(
                "In {played} of {number} continuations the company goes bankrupt, after the other order in {better}.",
                number=number,
                **out.rounded(number),
            ),
        ),
        (
            _clear(others.apart, OFTEN),
            say(
                "In {played} of {number} continuations others go bankrupt, after the other order in {better}.",
                number=number,
                **others.rounded(number),
            ),
        ),
        (
            _clear(income.apart, 1),
            say("The income comes to {played}, after the other order to {better}.", **income.rounded()),
        ),
        (
            _clear(cash.apart, 1),
            say("The cash comes to ${played}, after the other order to ${better}.", **cash.rounded()),
        ),
    )
    return tuple(sentence for clear, sentence in sentences if clear)[:3]


def review_to_json(found: Review) -> dict[str, Any]:
    """``pbem-review/1`` without chances and parts, which need weights that are fitted to the sheet."""
    return {
        "format": FORMAT,
        "method": METHOD,
        "game": found.game,
        "map": found.map,
        "players": list(found.players),
        "decisions": [_comparison_json(one) for one in found.decisions if not one.best],
        "best": [_comparison_json(one) for one in found.decisions if one.best],
    }


def _comparison_json(one: Comparison) -> dict[str, Any]:
    means = {name: Means.of(one, figure) for name, figure in FIGURES.items()}
    return {
        "order": one.entry,
        "turn": one.turn,
        "kind": one.phase,
        "player": one.player,
        "played": one.played,
        "better": one.better,
        "pairs": len(one.pairs),
        "lead": {"mean": round(one.lead.value, 6), "se": round(one.lead.error, 6)},
        "clear": one.clear,
        "large": one.large,
        "figures": {
            name: {"better": round(mean.better, 6), "played": round(mean.played, 6)} for name, mean in means.items()
        },
        "reasons": [say_to_json(sentence) for sentence in reasons(one)],
    }
