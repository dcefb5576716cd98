"""A sheet that knows one position by heart: turn 5 of a five-player game on a small part of a map."""

from __future__ import annotations

from typing import Any, cast

from pbem.engine.sheet import Choice, Column, Option, Question, Row, Sheet, Standing, Words
from pbem.engine.text import Place, Say, Who, Word, count_say, say

SEATS = ("brown", "purple", "yellow", "pink", "red")
FIGURES = {
    "brown": (2, 10, 12, 4, 16, 10, "locomotive"),
    "purple": (4, 11, 13, 4, 17, 10, "urbanization"),
    "yellow": (5, 12, 13, 4, 17, 11, "engineer"),
    "pink": (5, 12, 14, 5, 19, -9, "first-move"),
}
KEYS = ("cash", "income", "shares", "engine", "bill", "points")
TOWNS = {"K12": "Toledo (D)", "M17": "Pittsburgh", "H7": "Milwaukee (B)", "L8": "Chicago"}


class FakeSheet:
    """The part of a :class:`Sheet` that letters read."""

    game, slug, name = "age-of-steam", "rust_belt", "Rust Belt"
    colours = SEATS

    def turns(self, players: int) -> int:
        return 7

    def options(self) -> tuple[Option, ...]:
        return (Option("reduction", "Income reduction", {"first": "as in the first edition", "second": "gentler"}),)

    def turn(self, state: Any) -> int:
        return 5

    def columns(self, state: Any) -> tuple[Column, ...]:
        heads = {key: say(key.capitalize()) for key in KEYS}
        money = {"cash", "bill"}
        return (*(Column(key, head, key in money) for key, head in heads.items()), Column("action", say("Action")))

    def rows(self, state: Any) -> tuple[Row, ...]:
        playing = [
            Row(seat, {**dict(zip(KEYS, figures[:6], strict=True)), "action": say("{a}", a=Word(str(figures[6])))})
            for seat, figures in FIGURES.items()
        ]
        return (*playing, Row("red", {}, say("out in turn {turn}", turn=2)))

    def words(self, state: Any) -> tuple[Words, ...]:
        return (
            Words(say("Cubes"), (
                say("{city}: {cubes}.", city=Place("L8"), cubes=(Word("black"), say("{n} {c}", n=2, c=Word("blue")))),
                say("{city}: {cubes}.", city=Place("M17"), cubes=(Word("red"),)),
            )),
            Words(say("Links of {player}", player=Who("pink")), (say("{a}–{b}.", a=Place("K12"), b=Place("L8")),)),
            Words(say("Unfinished, {player}", player=Who("pink")), (
                say("{a} towards {b}.", a=Place("M17"), b=Place("L15")),
                say("{a} towards {b}.", a=Place("K12"), b=Place("K14")),
            )),
        )  # fmt: skip

    def place_name(self, state: Any, label: str) -> str:
        return TOWNS.get(label, label)


SHEET = cast(Sheet, FakeSheet())

STANDINGS = (
    Standing("brown", 1, 57, False, (("income × 3", 78), ("shares × −3", -42), ("track", 21))),
    Standing("pink", 2, 54, False, (("income × 3", 78), ("shares × −3", -42), ("track", 18))),
    Standing("yellow", 3, 50, False, (("income × 3", 75), ("shares × −3", -42), ("track", 17))),
    Standing("purple", 4, 42, False, (("income × 3", 66), ("shares × −3", -45), ("track", 21))),
    Standing("red", 5, None, True),
)

BUILD = Question(
    seat="pink",
    phase="build_track",
    act=say("Build track"),
    lead=(say("You may lay {n} tiles and have ${cash}.", n=3, cash=5), say("You build last.")),
    otherwise=say("You build nothing."),
    form="build",
    choices=(Choice("build nothing", say("Build nothing"), say("Your turn ends and you keep ${cash}.", cash=5)),),
    warnings=(
        count_say("You lose {n} section unless this build adds track to it:", "You lose {n} sections unless this build adds track to them:", 2),
        say("{a}–K16, {n} segment, open towards {b}.", a=Place("M17"), b=Place("L15"), n=1),
        say("{a}–L13, {n} segment, open towards {b}.", a=Place("K12"), b=Place("K14"), n=1),
    ),
)  # fmt: skip


def _bid(amount: int) -> Choice:
    return Choice(
        f"bid {amount}", say("Bid ${amount}", amount=amount), say("If it stands, it leaves you ${n}.", n=5 - amount)
    )


BID = Question(
    seat="pink",
    phase="turn_order",
    act=say("Bid or drop"),
    lead=(say("{player} holds the high bid with ${bid}.", player=Who("yellow"), bid=2), say("You have ${cash}.", cash=5)),
    otherwise=say("You drop."),
    form="choices",
    choices=(
        Choice("drop", say("Drop: 4th place, $0"), say("It leaves you ${n}.", n=5)),
        _bid(3), _bid(4), _bid(5),
    ),
)  # fmt: skip


def _move(colour: str, start: str, goal: str, gains: dict[str, int]) -> Choice:
    earned: tuple[Say, ...] = tuple(say("{player} +{n}", player=Who(seat), n=n) for seat, n in gains.items())
    return Choice(
        f"move {colour} {start} > {goal}",
        say("Move {colour} from {start} to {goal}", colour=Word(colour), start=Place(start), goal=Place(goal)),
        say("{gains}", gains=earned),
    )


MOVE = Question(
    seat="pink",
    phase="move_goods",
    act=say("Move goods, round 1"),
    lead=(say("{n} routes, the best gives you {best}.", n=182, best=5), say("You are ${n} short this turn.", n=6)),
    otherwise=say("You move nothing."),
    form="deliver",
    choices=(
        _move("black", "L8", "K12", {"pink": 5}),
        _move("blue", "L8", "H7", {"pink": 3, "yellow": 1}),
        _move("red", "M17", "L8", {"pink": 2, "brown": 2}),
        Choice("loco", say("Raise the engine"), say("It pulls 6 links; the bill grows by $1.")),
        Choice("pass", say("Pass"), say("You move nothing in this round.")),
    ),
)
