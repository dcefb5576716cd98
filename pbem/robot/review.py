"""Reviews of finished games of Age of Steam: which orders cost points, and which brought more than a robot's own.

An estimate only says which orders are looked at. No order is named before the game was played on, many times and with
the same luck, after it and after the other order (``docs/reviews.md``).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from statistics import fmean
from typing import Any

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
JUDGE = Character("judge")
"""Says what else could have been ordered."""
REFERENCE = Character("reference", budget=30, width=3, slip=1.0)
"""Plays on in all seats."""
STILL = Character("still", budget=60, width=4)
"""Says what a position is worth, without errors."""
LEAST, LARGE = 2.0, 6.0
"""Points of a mistake, and of a large one."""
DOUBTFUL, PROMISING, NAMED = 12, 6, 3
"""Orders of a game that are played on, shared among its players; those of a player that are named."""
FIRST_PAIRS, MORE_PAIRS, MOST_PAIRS, GAME_PAIRS = 12, 6, 48, 300
"""Pairs of continuations: at first, in each further round, of one order, of all orders of a game."""
SURE, CLEAR = 3.0, 2.0
"""Standard errors: after so many a difference is known well enough, and so many it must be above 0."""
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


@dataclass(slots=True)
class Doubt:
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
        lead = self.lead
        return abs(lead.value) >= LEAST and abs(lead.value) > CLEAR * lead.error


@dataclass(frozen=True, slots=True)
class Review:
    """``mistakes``, ``best``: at most three of each player, first those that are surest. ``unclear``: how many doubtful
    orders of each player playing on did not decide."""

    game: str
    map: str
    players: tuple[Seat, ...]
    orders: int
    mistakes: tuple[Doubt, ...]
    best: tuple[Doubt, ...]
    unclear: Mapping[Seat, int]


def review(sheet: Sheet, record: Record, progress: Progress) -> Review:
    """The review of a finished game: the same record, the same review. Takes minutes.

    Raises :class:`NotReviewed` and ``BadRecord``.
    """
    if sheet.game != "age-of-steam":
        raise NotReviewed(say("Only games of Age of Steam are reviewed."))
    if len(record.players) < 2:
        raise NotReviewed(say("A game of one player is not reviewed: there is nobody to be ahead of."))
    doubts = _looked_at(list(_doubts(sheet, record, progress)))
    measured = 0
    while waiting := [doubt for doubt in doubts if not doubt.pairs or doubt.open]:
        for doubt in waiting:
            wanted = MORE_PAIRS if doubt.pairs else FIRST_PAIRS
            if doubt.pairs and measured + wanted > GAME_PAIRS:
                return _review(sheet, record, doubts)
            for _ in range(wanted):
                progress("Playing on", measured, GAME_PAIRS)
                doubt.pairs.append(_pair(sheet, doubt, len(doubt.pairs)))
                measured += 1
    return _review(sheet, record, doubts)


def _review(sheet: Sheet, record: Record, doubts: Sequence[Doubt]) -> Review:
    ranked = sorted(doubts, key=lambda doubt: (CLEAR * doubt.lead.error - abs(doubt.lead.value), doubt.entry))
    clear = [doubt for doubt in ranked if doubt.clear]
    unclear = {seat: sum(doubt.player == seat and not doubt.clear for doubt in doubts) for seat in record.players}
    mistakes = _first_of_each(doubt for doubt in clear if doubt.lead.value > 0)
    best = _first_of_each(doubt for doubt in clear if doubt.lead.value < 0)
    return Review(sheet.game, sheet.slug, record.players, len(record.turns), mistakes, best, unclear)


def _first_of_each(ranked: Iterable[Doubt]) -> tuple[Doubt, ...]:
    found: list[Doubt] = []
    for doubt in ranked:
        if sum(one.player == doubt.player for one in found) < NAMED:
            found.append(doubt)
    return tuple(found)


# which orders are looked at -----------------------------------------------------------------------------


def _doubts(sheet: Sheet, record: Record, progress: Progress) -> Iterator[Doubt]:
    """Every order that somebody gave beside the judge's first, with what the estimate says of both."""
    state = start(sheet, record)[0].state
    for played in replay(sheet, record):
        progress("Reading", played.number, len(record.turns))
        if played.refusal is not None:
            why = say("Entry {number} is refused: {sentence}", number=played.number, sentence=played.refusal.sentence())
            raise NotReviewed(why)
        entry = played.entry
        if not (played.passed_over or entry.auto) and sheet.to_act(state) == entry.player:
            doubt = _doubt(sheet, state, played.number, entry.orders)
            if doubt is not None:
                yield doubt
        state = played.state
    if not sheet.over(state):
        raise NotReviewed(say("The record does not reach the end of its game."))


def _doubt(sheet: Sheet, state: State, number: int, played: str) -> Doubt | None:
    """``None`` where the judge agrees, or expects about as much."""
    seat = sheet.to_act(state) or ""
    then = after(sheet, state, seat, played)
    if then is None:
        return None
    options = thinking.decide(sheet, state, JUDGE, "review").options
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
    return Doubt(number, state, sheet.turn(state), sheet.phase(state), seat, played, options[better].order, estimate)


def _worth(sheet: Sheet, state: State, seat: Seat, tiles: int) -> float:
    """The points that a seat is expected to have in the end, if it builds at best so many tiles now."""
    line = next(line for line in sheet.standings(state) if line.seat == seat)
    if line.out:
        return BANKRUPT
    if sheet.over(state):
        return line.score or 0
    thought = Thought(read_table(sheet, state, seat), STILL, scoring_of(sheet), Random(0))
    return Planner(thought, thought.table.me, thought.land, tiles, STILL.budget).plans()[0].value


def _looked_at(doubts: Sequence[Doubt]) -> list[Doubt]:
    """The most doubtful and the most promising ones of each player; one for each phase, so that an auction is one
    decision."""
    found: list[Doubt] = []
    seats = dict.fromkeys(doubt.player for doubt in doubts)
    for seat in seats:
        for sign, number in ((1, DOUBTFUL), (-1, PROMISING)):
            mine = [doubt for doubt in doubts if doubt.player == seat and doubt.estimate * sign > 0]
            mine.sort(key=lambda doubt: abs(doubt.estimate))
            once = {(doubt.turn, doubt.phase): doubt for doubt in mine}
            ranked = sorted(once.values(), key=lambda doubt: abs(doubt.estimate), reverse=True)
            found += ranked[: max(1, number // len(seats))]
    return found


# playing on ---------------------------------------------------------------------------------------------


def _pair(sheet: Sheet, doubt: Doubt, number: int) -> tuple[Continuation, Continuation]:
    better, played = (_play_on(sheet, doubt.state, order, number) for order in (doubt.better, doubt.played))
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


def reasons(doubt: Doubt) -> tuple[Say, ...]:
    """Where the continuations of both orders differ clearly: bankruptcies, income, cash; three sentences at most."""
    found = list[Say]()
    better, played = zip(*doubt.pairs, strict=True)
    out = [sum(one.out for one in ones) for ones in (played, better)]
    if abs(out[0] - out[1]) * 4 >= len(doubt.pairs):
        found.append(
            say(
                "In {played} of {number} continuations the company goes bankrupt, after the other order in {better}.",
                played=out[0],
                number=len(doubt.pairs),
                better=out[1],
            )
        )
    others = [sum(one.others_out for one in ones) for ones in (played, better)]
    if abs(others[0] - others[1]) * 4 >= len(doubt.pairs):
        found.append(
            say(
                "In {played} of {number} continuations others go bankrupt, after the other order in {better}.",
                played=others[0],
                number=len(doubt.pairs),
                better=others[1],
            )
        )
    if _differ([one.income for one in played], [one.income for one in better]):
        earned = [round(fmean(one.income for one in ones)) for ones in (played, better)]
        found.append(
            say("The income comes to {played}, after the other order to {better}.", played=earned[0], better=earned[1])
        )
    if _differ([one.cash for one in played], [one.cash for one in better]):
        left = [round(fmean(one.cash for one in ones)) for ones in (played, better)]
        found.append(
            say("The cash comes to ${played}, after the other order to ${better}.", played=left[0], better=left[1])
        )
    return tuple(found[:3])


def _differ(some: Sequence[int], others: Sequence[int]) -> bool:
    apart = Mean.of([one - other for one, other in zip(some, others, strict=True)])
    return abs(apart.value) >= 1 and abs(apart.value) > CLEAR * apart.error


def review_to_json(found: Review) -> dict[str, Any]:
    """``pbem-review/1`` without chances and parts, which need weights that are fitted to the sheet."""
    return {
        "format": FORMAT,
        "method": METHOD,
        "game": found.game,
        "map": found.map,
        "players": list(found.players),
        "decisions": [_doubt_json(doubt) for doubt in found.mistakes],
        "best": [_doubt_json(doubt) for doubt in found.best],
        "unclear": dict(found.unclear),
    }


def _doubt_json(doubt: Doubt) -> dict[str, Any]:
    lead, sides = doubt.lead, dict(zip(("better", "played"), zip(*doubt.pairs, strict=True), strict=True))
    return {
        "order": doubt.entry,
        "turn": doubt.turn,
        "kind": doubt.phase,
        "player": doubt.player,
        "played": doubt.played,
        "better": doubt.better,
        "pairs": len(doubt.pairs),
        "lead": {"mean": _rounded(lead.value), "se": _rounded(lead.error)},
        "large": abs(lead.value) >= LARGE,
        "clear": doubt.clear,
        "figures": {
            "income": {side: _rounded(fmean(one.income for one in ones)) for side, ones in sides.items()},
            "cash": {side: _rounded(fmean(one.cash for one in ones)) for side, ones in sides.items()},
            "out": {side: sum(one.out for one in ones) for side, ones in sides.items()},
            "others_out": {side: sum(one.others_out for one in ones) for side, ones in sides.items()},
        },
        "reasons": [say_to_json(sentence) for sentence in reasons(doubt)],
    }


def _rounded(value: float) -> float:
    return round(value, 6) if math.isfinite(value) else 0.0
