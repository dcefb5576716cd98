"""An order beside another one: what playing on after both has shown, in figures and sentences."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field
from operator import attrgetter
from statistics import fmean
from typing import Any, Final, Self

from pbem.engine import Say, Seat, say, say_to_json
from pbem.robot.matches import Mean

LEAST, LARGE = 2.0, 6.0
"""Points of a mistake, and of a large one."""
FIRST_PAIRS, MORE_PAIRS, MOST_PAIRS = 12, 6, 48
"""Pairs of continuations: at first, in each further round, of one order."""
SURE, CLEAR = 3.0, 2.0
"""Standard errors: after so many a difference is known well enough, and so many it must be above 0."""
OFTEN = 0.25
"""The part of the continuations in which more bankruptcies are worth a sentence."""
DIGITS: Final = 6
"""Decimal digits of points, so that what is stored is what was found."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A game played on after an order: points ahead of the best of the others if there are any, and its figures.

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
    """An order beside another one; ``number``: which order of the game it is.

    ``estimate``: what the other is thought to be better by, before anything was played on.
    """

    number: int
    turn: int
    phase: str
    player: Seat
    played: str
    better: str
    estimate: float
    pairs: list[tuple[Continuation, Continuation]] = field(default_factory=list)
    """After the better order, and after the one that was played, with the same luck."""
    others: dict[str, list[float]] | None = None
    """Leads after other options, with the luck of the pairs; ``None`` where none were looked for."""
    at_once: bool = False
    """Whether the better order is also what brings most at once, where options were looked for."""

    @property
    def doubtful(self) -> bool:
        """Whether the other order was thought to be as good or better."""
        return self.estimate >= 0

    @property
    def lead(self) -> Mean:
        """How many points the other order is better by."""
        return Mean.of([better.lead - played.lead for better, played in self.pairs])

    @property
    def known(self) -> bool:
        """Whether it was played on at least as often as every order must be."""
        return len(self.pairs) >= FIRST_PAIRS

    @property
    def wants_more(self) -> bool:
        """Whether the round that was begun goes on, or another one would say more."""
        number = len(self.pairs)
        if not self.known or (number - FIRST_PAIRS) % MORE_PAIRS:
            return True
        lead = self.lead
        return number < MOST_PAIRS and abs(lead.value) <= SURE * lead.error

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

    def to_json(self) -> dict[str, Any]:
        """All that is needed to go on with it: :meth:`of_json` reads it."""
        return {
            "order": self.number,
            "turn": self.turn,
            "kind": self.phase,
            "player": self.player,
            "played": self.played,
            "better": self.better,
            "estimate": self.estimate,
            "pairs": [[_plain(one) for one in pair] for pair in self.pairs],
            "others": self.others,
            "at_once": self.at_once,
        }

    @classmethod
    def of_json(cls, raw: Mapping[str, Any]) -> Self:
        pairs = [(_continuation(better), _continuation(played)) for better, played in raw["pairs"]]
        named = {key: raw[key] for key in ("turn", "player", "played", "better", "estimate", "others", "at_once")}
        return cls(number=raw["order"], phase=raw["kind"], pairs=pairs, **named)


def _plain(one: Continuation) -> list[float]:
    return [one.lead, *map(int, astuple(one)[1:])]


def _continuation(raw: list[Any]) -> Continuation:
    lead, income, cash, out, others_out = raw
    return Continuation(float(lead), income, cash, bool(out), bool(others_out))


@dataclass(frozen=True, slots=True)
class Means:
    """What a figure of the continuations is on average after either order; of a yes or no, its part of 1."""

    played: float
    better: float
    apart: Mean

    @classmethod
    def of(cls, one: Comparison, figure: Callable[[Continuation], float]) -> Self:
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


def figures_to_json(one: Comparison) -> dict[str, Any]:
    """What playing on has shown, as ``pbem-review/1`` has it."""
    means = {name: Means.of(one, figure) for name, figure in FIGURES.items()}
    return {
        "order": one.number,
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
