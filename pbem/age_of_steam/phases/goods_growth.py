"""IX. Goods growth (section 10): what the holder of Production decides, then the dice."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, ClassVar

from typing_extensions import override

from pbem.age_of_steam.events_goods import CubesDrawn, CubesGrew, CubesProduced, DiceRolled, ProductionDeclined
from pbem.age_of_steam.moves import Produce, ProduceForm, Put
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import FORM, LINE, PUTS, produce
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import Boxes, State, take_cubes
from pbem.engine import (
    Choice,
    Move,
    Place,
    Question,
    Refusal,
    Say,
    Seat,
    Step,
    Typed,
    Value,
    Word,
    count_say,
    refuse,
    replace,
    say,
)
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.flow import PlayedUnasked
from pbem.engine.overview import Line, Overview
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import FIRST
from pbem.rails.position_lines import CUBE, PLAYER, FieldLine, Lines, optional, several

DECLINE, DISPLAY = ProduceForm("decline"), ProduceForm("display")

Box = tuple[str, int]
"""A box of the display: column and row from 1."""


class Growing(Value):
    """The cubes drawn for Production that are not placed yet, and who places them; none are drawn yet when its holder
    is asked first."""

    seat: Seat | None = None
    drawn: tuple[str, ...] = ()
    lines: ClassVar[Lines] = {
        "seat": FieldLine("Cubes are placed by", optional(PLAYER)),
        "drawn": FieldLine("Drawn cubes", several(CUBE)),
    }


class Production(AgeOfSteamPhase):
    """The holder of Production draws cubes and places them; nobody else is asked (R58, R60)."""

    name = "goods_growth"
    act = say("{player} places cubes")
    moves: ClassVar[tuple[type[Move], ...]] = (Produce, ProduceForm)
    scratch = Growing
    words: ClassVar[Mapping[str, OrderWord]] = produce(FORM, LINE, PUTS)
    form_first: ClassVar[bool] = False
    """Whether the holder of Production is always asked for its form before anything is drawn."""

    def draw(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        """Production: draw the cubes that its holder has to place (R58, R60), unless he has declined beforehand."""
        seat = state.holder("production")
        if seat is not None and self.most_drawn(rules, state) and state.bag and chance.asks_first(seat):
            return Step(replace(state, scratch=Growing(seat)))
        return self.draw_cubes(rules, state, chance)

    def draw_cubes(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        seat = state.holder("production")
        if seat is None:
            return Step(state)
        count = self.most_drawn(rules, state)
        cubes = chance.draw("production", state.bag, count) if count and state.bag else ()
        if not cubes:
            return Step(state, (unasked(state, seat, "A8"),))
        state = replace(state, bag=take_cubes(state.bag, cubes), scratch=Growing(seat, cubes))
        return Step(state, (CubesDrawn(seat, cubes),))

    def most_drawn(self, rules: Rules, state: State) -> int:
        """How many cubes Production can use (R58 ii)."""
        return min(rules.production_cubes(state), len(empty_boxes(state)))

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.scratch_as(Growing).seat

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        drawn, empty = state.scratch_as(Growing).drawn, empty_boxes(state)
        if len(empty) == len(drawn) and len(set(drawn)) == 1:
            puts = tuple(Put(cube, *box) for cube, box in zip(drawn, empty, strict=True))
            return Forced(Produce(puts), "A9")
        return None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        judge = self.refuse_placing if state.scratch_as(Growing).drawn else self.refuse_form
        return judge(rules, state, seat, move)

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if state.scratch_as(Growing).drawn:
            return self.place(rules, state, seat, move)
        return self.apply_form(rules, state, seat, move, chance)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return (self.placings if state.scratch_as(Growing).drawn else self.forms)(rules, state, seat)

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return (self.default_placing if state.scratch_as(Growing).drawn else self.default_form)(rules, state, seat)

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        return (self.ask_placing if state.scratch_as(Growing).drawn else self.ask_form)(rules, state, seat)

    # orders that wait

    @override
    def moments_left(self, rules: Rules, state: State, seat: Seat) -> Sequence[str]:
        return [self.name] if seat == state.scratch_as(Growing).seat else []

    @override
    def moments_to_come(self, rules: Rules, state: State) -> Sequence[str]:
        return [] if rules.last_turn(state) else [self.name]

    @override
    def takes_waiting(self, rules: Rules, move: Move) -> bool:
        return "production" in rules.actions and super().takes_waiting(rules, move)

    @override
    def refuse_waiting(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        """P7: what is to be drawn can only be declined."""
        if self.form_first or move == DECLINE or isinstance(move, Produce):
            return None
        return refuse(
            "P7",
            "On this map the cubes are drawn before you are asked: “{order}” cannot be given ahead.",
            order=Typed(str(move)),
        )

    @override
    def guard(self, rules: Rules, state: State, seat: Seat, move: Move, *, chosen: bool) -> dict[str, Any]:
        """P7: who declines is asked before cubes are drawn."""
        return {FIRST: True} if isinstance(move, ProduceForm) and not self.form_first else {}

    # what is drawn

    def refuse_placing(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        drawn = state.scratch_as(Growing).drawn
        match move:
            case ProduceForm("decline"):
                return refuse("R58", "The cubes are drawn and must be placed: {cubes}.", cubes=tuple(map(Word, drawn)))
            case ProduceForm():
                return refuse("R58", "On this map the cubes go on the goods display.")
            case Produce(puts):
                found = assign(state, drawn, puts)
                return found if isinstance(found, Refusal) else None
        return None

    def place(self, rules: Rules, state: State, seat: Seat, move: Move) -> Step[State]:
        if not isinstance(move, Produce):
            raise TypeError(move)
        placed = assign(state, state.scratch_as(Growing).drawn, move.puts)
        if isinstance(placed, Refusal):
            raise TypeError(placed.sentence())
        display = dict(state.display)
        for cube, column, row in placed:
            boxes = list(display[column])
            boxes[row - 1] = cube
            display[column] = tuple(boxes)
        return Step(replace(state, display=display, scratch=Growing()), (CubesProduced(seat, placed),))

    def placings(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        drawn, empty = state.scratch_as(Growing).drawn, empty_boxes(state)
        if len(set(drawn)) == 1:
            chosen: Iterable[tuple[Box, ...]] = combinations(empty, len(drawn))
        else:
            chosen = permutations(empty, len(drawn))
        return [Produce(tuple(Put(cube, *box) for cube, box in zip(drawn, boxes, strict=True))) for boxes in chosen]

    def default_placing(self, rules: Rules, state: State, seat: Seat) -> Move:
        """Where they go when the time ends."""
        drawn = state.scratch_as(Growing).drawn
        top = sorted(empty_boxes(state), key=lambda box: box[1])
        return Produce(tuple(Put(cube, *box) for cube, box in zip(drawn, top, strict=False)))

    def ask_placing(self, rules: Rules, state: State, seat: Seat) -> Question:
        drawn, empty = state.scratch_as(Growing).drawn, empty_boxes(state)
        fed = rules.columns_fed(state)
        choices = []
        for move in self.placings(rules, state, seat):
            puts = str(move).removeprefix("produce ").split()
            said = [_put(put, fed) for put in puts]
            choices.append(Choice(str(move), say("Put {puts}", puts=tuple(said))))
        lead = (
            say("Drawn: {cubes}.", cubes=tuple(map(Word, drawn))),
            count_say("{n} box is empty.", "{n} boxes are empty.", len(empty)),
        )
        return Question(
            seat,
            "goods_growth",
            say("Place the drawn cubes"),
            lead,
            say("they go on the topmost empty boxes"),
            "boxes",
            tuple(choices),
            example=choices[0].order if choices else "",
            overviews=(_boxes_by_column(empty, fed),),
        )

    # before anything is drawn

    def forms(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        """What the holder may choose before the draw."""
        return (DISPLAY, DECLINE)

    def default_form(self, rules: Rules, state: State, seat: Seat) -> Move:
        """What is chosen when the time ends."""
        return DISPLAY

    def refuse_form(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, ProduceForm):
            return None
        return refuse("R58", "Nothing is drawn yet: “produce display” draws, “produce decline” does not.")

    def apply_form(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if move == DECLINE:
            return Step(replace(state, scratch=Growing()), (ProductionDeclined(seat),))
        return self.draw_cubes(rules, state, chance)

    def ask_form(self, rules: Rules, state: State, seat: Seat) -> Question:
        choices = (Choice(str(DISPLAY), say("Draw")), Choice(str(DECLINE), say("Draw nothing")))
        lead = (say("Nothing is drawn yet. What is drawn must be placed."),)
        return Question(
            seat,
            self.name,
            say("Draw cubes or decline"),
            lead,
            say("cubes are drawn"),
            "choices",
            choices,
            example=str(DISPLAY),
        )


def unasked(state: State, seat: Seat, rule: str) -> PlayedUnasked:
    """Production that brings nothing is settled unasked."""
    return PlayedUnasked(seat, str(ProduceForm("decline")), rule, state.turn, Production.name)


def empty_boxes(state: State) -> list[Box]:
    """Every empty box of the display, column by column, top first."""
    return [
        (column, row) for column, boxes in state.display.items() for row, cube in enumerate(boxes, 1) if cube is None
    ]


def assign(state: State, drawn: Sequence[str], puts: Sequence[Put]) -> tuple[tuple[str, str, int], ...] | Refusal:
    """Which cube goes on which box: (colour, column, row), or why it cannot be done (R58)."""
    if len(puts) != len(drawn):
        return refuse("R58", "Place all drawn cubes, each on one box: {cubes}.", cubes=tuple(map(Word, drawn)))
    left, empty = list(drawn), set(empty_boxes(state))
    placed = []
    for put in sorted(puts, key=lambda p: p.colour == "any"):
        colour = left[0] if put.colour == "any" else put.colour
        if colour not in left:
            return refuse("R58", "No {colour} cube was drawn.", colour=Word(colour))
        if put.column not in state.display:
            return refuse("R58", "The goods display has no column {column}.", column=put.column)
        rows = [row for column, row in sorted(empty) if column == put.column]
        if not rows or (put.row is not None and put.row not in rows):
            return refuse("R58", "The box {box} is not empty.", box=str(put).split(">")[1])
        row = rows[0] if put.row is None else put.row
        left.remove(colour)
        empty.discard((put.column, row))
        placed.append((colour, put.column, row))
    return tuple(placed)


def _put(put: str, fed: Mapping[str, tuple[str, ...]]) -> Say:
    """One cube on one box, with the City that the box feeds if it is on the map."""
    colour, _, box = put.partition(">")
    city = fed.get(box.partition("/")[0])
    if city is None:
        return say("{colour} on {box}", colour=Word(colour), box=box)
    named = say("{box} ({city})", box=box, city=Place(city[0]))
    return say("{colour} on {box}", colour=Word(colour), box=named)


def _boxes_by_column(empty: Iterable[Box], fed: Mapping[str, tuple[str, ...]]) -> Overview:
    """The empty boxes as orders call them, a line for each column."""
    columns: dict[str, list[str]] = {}
    for column, row in empty:
        columns.setdefault(column, []).append(f"{column}/{row}")
    return Overview(
        say("Empty boxes, as orders call them"),
        (),
        tuple(
            Line(_fed_by(column, fed), (say("{boxes}", boxes=", ".join(boxes)),)) for column, boxes in columns.items()
        ),
    )


def _fed_by(column: str, fed: Mapping[str, tuple[str, ...]]) -> Say:
    if column in fed:
        return say("{city}", city=Place(fed[column][0]))
    return say("New City {letter}, not built", letter=column)


class GoodsGrowth(Production):
    """Production, then one roll for each half; skipped in the last turn (R56, R58 to R60)."""

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        state = replace(state, scratch=Growing())
        if rules.last_turn(state):
            seat = state.holder("production")
            return Step(state, () if seat is None else (unasked(state, seat, "A10"),))
        extra = rules.on_growth_begins(state, chance)
        return self.draw(rules, extra.state, chance).after(extra.events)

    @override
    def end(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(state) if rules.last_turn(state) else self.roll(rules, state, chance)

    def roll(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        """The extra cubes of the map, then one roll for each half (R59)."""
        extra = rules.on_growth(state, chance)
        state, events = extra.state, list(extra.events)
        for half, count in zip(("light", "dark"), rules.growth_dice(state), strict=True):
            if count:
                dice = chance.dice(f"growth-{half}", count)
                grown = grow(rules, state, half, dice)
                state = grown.state
                events += [DiceRolled(half, dice), *grown.events]
        return Step(state, tuple(events))


def grow(rules: Rules, state: State, half: str, dice: Sequence[int]) -> Step[State]:
    """Move cubes from the display to the Cities whose number was rolled, top box first."""
    events: list[Event] = []
    numbers = {f"{half[0].upper()}{n}": list(dice).count(n) for n in range(1, 7)}
    for column, cities in rules.columns_fed(state).items():
        new_city = rules.board.new_cities.get(column)
        wanted = sum(numbers.get(number, 0) for number in (new_city.columns if new_city else (column,)))
        taken, boxes = _take(state.display.get(column, ()), wanted)
        if not taken:
            continue
        city = cities[0]
        cubes = {**state.cubes, city: (*state.cubes.get(city, ()), *taken)}
        state = replace(state, cubes=cubes, display={**state.display, column: boxes})
        events.append(CubesGrew(city, taken))
    return Step(state, tuple(events))


def _take(boxes: Boxes, wanted: int) -> tuple[tuple[str, ...], Boxes]:
    taken: list[str] = []
    left: list[str | None] = []
    for cube in boxes:
        if cube is not None and len(taken) < wanted:
            taken.append(cube)
            left.append(None)
        else:
            left.append(cube)
    return tuple(taken), tuple(left)
