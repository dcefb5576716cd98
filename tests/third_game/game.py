"""Light Rails: three turns of laying track and setting fares. A game to prove that ``pbem`` needs to know none.

Each turn everybody lays one piece of track or rests, then sets the fare of the own links, from $1 to $3. A die says how
many dollars the passengers pay at the most; who asks no more is paid the fare for every own link. Most cash wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from pbem.engine import (
    BadMove,
    Choice,
    Move,
    Place,
    Question,
    Refusal,
    Refused,
    Say,
    Seat,
    Step,
    Value,
    Who,
    field,
    refuse,
    replace,
    say,
    units,
)
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.moves import no
from pbem.engine.overview import Column, Row
from pbem.engine.position_text import Fixed, Misread, Paragraph, ReadPosition, Section
from pbem.engine.reading import MOST_ORDERS
from pbem.engine.sheet import Standing
from pbem.engine.storage import Codec
from pbem.engine.text import PLAIN, Voice
from pbem.rails import board_reader, board_text, place_text
from pbem.rails.board import Label
from pbem.rails.hex_words import ends_said
from pbem.rails.judging import judge_hex, judge_joining, judge_side
from pbem.rails.names import Names
from pbem.rails.orders import BoardReader
from pbem.rails.scene import NO_MARKS, CityPlate, Marks, PlayerRow, Scene
from pbem.rails.sheet import AskingPhase, MapSheet, colour_names
from pbem.rails.text_words import words_of
from pbem.rails.tiles import Ends, ends
from pbem.rails.track import Net, Piece, Segment

TURNS = 3
FARES = (1, 2, 3)
PRICES = {"plain": 1, "hill": 2}


# the state, the orders, the events ---------------------------------------------------------------------------


class State(Value, frozen=True):
    """``cash``: dollars by seat; ``fares``: what was asked this turn; ``scratch``: who has yet to act in the phase."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    cash: Mapping[Seat, int]
    turn: int = 1
    phase: str = "lay"
    step: int = 0
    over: bool = False
    track: Mapping[Label, tuple[Segment, ...]] = field(default_factory=dict)
    fares: Mapping[Seat, int] = field(default_factory=dict)
    scratch: tuple[Seat, ...] = ()


class Lay(Move):
    keyword = "lay"
    usage = "lay HEX N-S"
    hex: Label
    ends: tuple[str, str]

    @override
    def __str__(self) -> str:
        return f"lay {self.hex} {'-'.join(self.ends)}"


class Rest(Move):
    """Lay nothing."""

    keyword = "rest"
    usage = "rest"

    @override
    def __str__(self) -> str:
        return "rest"


class Fare(Move):
    """What a ride costs this turn."""

    keyword = "fare"
    usage = "fare N"
    dollars: int

    @override
    def __str__(self) -> str:
        return f"fare {self.dollars}"


class TrackLaid(Event):
    seat: Seat
    hex: Label
    pieces: tuple[Piece, ...]
    price: int

    @override
    def text(self) -> Say:
        return say(
            "{player} laid track on {hex} for ${price}.", player=Who(self.seat), hex=Place(self.hex), price=self.price
        )


class Rested(Event):
    seat: Seat

    @override
    def text(self) -> Say:
        return say("{player} rested.", player=Who(self.seat))


class FareSet(Event):
    seat: Seat
    dollars: int

    @override
    def text(self) -> Say:
        return say("{player} asks ${n} for a ride.", player=Who(self.seat), n=self.dollars)


class FaresPaid(Event):
    most: int
    paid: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        paid = tuple(say("{player} ${n}", player=Who(seat), n=n) for seat, n in self.paid)
        return say("Passengers pay ${most} at the most: {paid}.", most=self.most, paid=paid)


# the phases --------------------------------------------------------------------------------------------------


class LightPhase(AskingPhase["LightRails", State]):
    """Everybody acts once, in the order of the seats."""

    @override
    def begin(self, rules: LightRails, state: State, chance: Chance) -> Step[State]:
        return Step(replace(state, scratch=state.seats))

    @override
    def to_act(self, rules: LightRails, state: State) -> Seat | None:
        return state.scratch[0] if state.scratch else None


class LayTrack(LightPhase):
    """One piece of track, from a City or an own end."""

    name = "lay"
    act = say("{player} lays track")
    moves = (Lay, Rest)

    @override
    def refuse(self, rules: LightRails, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, Lay):
            try:
                rules.judge(state, seat, move)
            except Refused as refused:
                return refused.refusal
        return None

    @override
    def apply(self, rules: LightRails, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        rest = replace(state, scratch=state.scratch[1:])
        if not isinstance(move, Lay):
            return Step(rest, (Rested(seat),))
        laid, price = rules.ends_of(move), rules.price(move.hex)
        track = {**state.track, move.hex: (Segment(*laid, seat),)}
        cash = {**state.cash, seat: state.cash[seat] - price}
        event = TrackLaid(seat, move.hex, (Piece(move.hex, *laid),), price)
        return Step(replace(rest, track=track, cash=cash), (event,))

    @override
    def legal(self, rules: LightRails, state: State, seat: Seat) -> Sequence[Move]:
        return [*rules.offers(state, seat), Rest()]

    @override
    def default(self, rules: LightRails, state: State, seat: Seat) -> Move:
        return Rest()

    @override
    def ask(self, rules: LightRails, state: State, seat: Seat) -> Question:
        offers = (Choice(str(lay), _lay_said(rules, lay)) for lay in rules.offers(state, seat))
        lead = (say("You have ${n}.", n=state.cash[seat]),)
        choices = (*offers, Choice("rest", say("Rest")))
        return Question(seat, self.name, say("Lay track"), lead, say("you rest"), "choices", choices, example="rest")


def _lay_said(rules: LightRails, lay: Lay) -> Say:
    return say("{hex} {ends}", hex=Place(lay.hex), ends=ends_said(rules.board, rules.ends_of(lay)))


class SetFares(LightPhase):
    """What this game has and no other: a fare to be chosen."""

    name = "fares"
    act = say("{player} sets a fare")
    moves = (Fare,)

    @override
    def refuse(self, rules: LightRails, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, Fare) and move.dollars not in FARES:
            return refuse("", "A ride costs $1, $2 or $3, not ${n}.", n=move.dollars)
        return None

    @override
    def apply(self, rules: LightRails, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        assert isinstance(move, Fare)
        fares = {**state.fares, seat: move.dollars}
        return Step(replace(state, fares=fares, scratch=state.scratch[1:]), (FareSet(seat, move.dollars),))

    @override
    def legal(self, rules: LightRails, state: State, seat: Seat) -> Sequence[Move]:
        return [Fare(n) for n in FARES]

    @override
    def default(self, rules: LightRails, state: State, seat: Seat) -> Move:
        return Fare(1)

    @override
    def ask(self, rules: LightRails, state: State, seat: Seat) -> Question:
        choices = tuple(Choice(f"fare {n}", say("${n} a ride", n=n)) for n in FARES)
        lead = (say("A die decides what passengers pay at the most."),)
        return Question(
            seat, self.name, say("Set your fare"), lead, say("you ask $1"), "choices", choices, example="fare 2"
        )


class Collect(LightPhase):
    """Nobody is asked."""

    name = "collect"

    @override
    def begin(self, rules: LightRails, state: State, chance: Chance) -> Step[State]:
        (die,) = chance.dice("passengers", 1)
        most = (die + 1) // 2
        links = rules.owners(state)
        paid = tuple((s, state.fares[s] * links.count(s)) for s in state.seats if state.fares[s] <= most)
        cash = {seat: dollars + dict(paid).get(seat, 0) for seat, dollars in state.cash.items()}
        return Step(replace(state, cash=cash, fares={}, scratch=()), (FaresPaid(most, paid),))


# the sheet ---------------------------------------------------------------------------------------------------


_CODEC = Codec(State)


class LightRails(MapSheet[State, LightPhase]):
    """A rule sheet of the game; a map names its folder by where its class stands."""

    game = "light-rails"
    game_name = "Light Rails"
    unit = units.TURNS
    colours = ("red", "blue", "green")
    phases: ClassVar[tuple[LightPhase, ...]] = (LayTrack(), SetFares(), Collect())

    @override
    def player_counts(self) -> range:
        return range(2, 4)

    @override
    def turns(self, players: int) -> int | None:
        return TURNS

    @override
    def start(
        self,
        seats: Sequence[Seat],
        chance: Chance,
        options: Mapping[str, str],
        opening: Mapping[str, Any] | None = None,
    ) -> Step[State]:
        order = tuple(opening["order"]) if opening else chance.order("seats", seats)
        dealt = State(order, dict(options), dict.fromkeys(order, 5))
        return self.flow.settle(self.phases[0].begin(self, dealt, chance).state, chance)

    @override
    def next_phase(self, state: State, chance: Chance) -> Step[State]:
        at = self.phases.index(self.phase_of(state)) + 1
        if at == len(self.phases) and state.turn == TURNS:
            return Step(replace(state, over=True))
        turn = state.turn + at // len(self.phases)
        phase = self.phases[at % len(self.phases)]
        return phase.begin(self, replace(state, turn=turn, phase=phase.name), chance)

    @override
    def count_order(self, state: State) -> State:
        return replace(state, step=state.step + 1)

    @override
    def parse(self, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
        names_ = Names(board=self.board, seats=state.seats, names=colour_names(names, self.colours))
        reader, moves = BoardReader(text, names_), list[Move]()
        while reader.next_order() and len(moves) < MOST_ORDERS:
            moves.append(_read(reader))
            reader.end_order()
        if not moves:
            raise BadMove(say("There is no order. Orders look like “lay B1 N-S” or “fare 2”."))
        return tuple(moves)

    @override
    def play(self, state: State, seat: Seat, moves: Sequence[Move], chance: Chance) -> Step[State]:
        return self.flow.play(state, seat, moves, chance)

    # track

    @override
    def net(self, state: State) -> Net:
        return Net(self.board, state.track, ())

    def ends_of(self, lay: Lay) -> Ends:
        """The edges that a piece joins."""
        return ends(self.board.edge(lay.ends[0]), self.board.edge(lay.ends[1]))

    @override
    def price_words(self, label: Label) -> Say:
        return say("${price}", price=self.price(label))

    def price(self, label: Label) -> int:
        """Dollars for track on a hex."""
        return PRICES[self.board.hexes[label].terrain]

    def judge(self, state: State, seat: Seat, lay: Lay) -> None:
        """Whether a piece of track is legal. Raises ``Refused``."""
        judge_hex(self.board, lay.hex)
        if lay.hex not in self.board.open_sides or lay.hex in self.board.cities or lay.hex in state.track:
            raise no("", "No track can be laid on {hex}.", hex=Place(lay.hex))
        net = self.net(state)
        for edge in self.ends_of(lay):
            judge_side(self.board, lay.hex, edge, "Track")
            judge_joining(net, seat, lay.hex, edge, "Track")
        if not any(any(net.across(lay.hex, edge)) for edge in self.ends_of(lay)):
            raise no("Track", "The track on {hex} would touch neither a City nor your track.", hex=Place(lay.hex))
        if self.price(lay.hex) > state.cash[seat]:
            raise no("Track", "{hex} costs ${price}.", hex=Place(lay.hex), price=self.price(lay.hex))

    def offers(self, state: State, seat: Seat) -> Iterator[Lay]:
        """Every legal piece of track."""
        names = self.board.directions
        for label in self.board.open_sides:
            for a, b in combinations(range(6), 2):
                lay = Lay(label, (names[a], names[b]))
                if self.phases[0].refuse(self, state, seat, lay) is None:
                    yield lay

    def owners(self, state: State) -> list[Seat | None]:
        return [chain.owner for chain in self.net(state).chains if chain.complete]

    # look

    @override
    def position(self, state: State, viewer: Seat | None = None) -> dict[str, Any]:
        players = {seat: {"cash": state.cash[seat]} for seat in state.seats}
        told = {"turn": state.turn, "phase": self.phase(state), "to_act": self.to_act(state), "over": state.over}
        return {**told, "order": list(state.seats), "players": players, "track": self.net(state).as_seen}

    @override
    def standings(self, state: State) -> tuple[Standing, ...]:
        ranked = sorted(state.seats, key=lambda seat: -state.cash[seat])
        return tuple(
            Standing(seat, 1 + sum(n > state.cash[seat] for n in state.cash.values()), state.cash[seat], False)
            for seat in ranked
        )

    @override
    def verdict(self, state: State) -> Say | None:
        return None

    @override
    def columns(self, state: State) -> tuple[Column, ...]:
        return Column("cash", say("Cash"), money=True), Column("links", say("Links"))

    @override
    def rows(self, state: State) -> tuple[Row, ...]:
        links = self.owners(state)
        return tuple(Row(s, {"cash": state.cash[s], "links": links.count(s)}) for s in state.seats)

    @override
    def words(self, state: State, viewer: Seat = "") -> tuple[Section, ...]:
        laid = tuple((label,) for label in state.track)
        return (Section((Fixed("Track of"),), laid),) if laid else ()

    board_words = board_text.sections
    text_words = words_of
    read_board = board_reader.read
    place_words = place_text.sections

    @override
    def read_words(self, paragraphs: Sequence[Paragraph], voice: Voice) -> ReadPosition:
        raise Misread("Positions of this game are not read back.")

    @override
    def plain(self, state: State, viewer: Seat) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(state)
        return plain

    @override
    def place_name(self, state: State, label: str) -> str:
        return self.board.cities[label].name if label in self.board.cities else label

    @override
    def word(self, word: str) -> str:
        return {"lay": "lay track", "fares": "set fares"}.get(word, word)

    @override
    def scene(
        self,
        state: State,
        *,
        subtitle: str = "",
        names: Mapping[Seat, str] | None = None,
        marks: Any = None,
        voice: Voice = PLAIN,
    ) -> Scene:
        actor, called = self.to_act(state), names or {}
        asking = [phase.name for phase in self.phases if phase.moves]
        return Scene(
            board=self.board,
            title=self.name,
            subtitle=subtitle,
            unit=self.unit.name.read(voice),
            turn=state.turn,
            turns=TURNS,
            phases=tuple(map(self.word, asking)),
            phase=None if state.over else asking.index(state.phase),
            actor=actor,
            headline="The game is over"
            if actor is None
            else Say(self.phase_of(state).act.one, {"player": called.get(actor, actor)}).read(voice),
            track=state.track,
            chains=tuple(self.net(state).chains),
            cities=tuple(CityPlate(c.label, c.hexes, c.name, ()) for c in self.board.cities.values()),
            towns={},
            cubes={},
            links=(),
            light=(),
            dark=(),
            columns=(("cash", "Cash"), ("links", "Links")),
            players=tuple(
                PlayerRow(row.seat, str(n), called.get(row.seat, row.seat), {k: str(v) for k, v in row.cells.items()})
                for n, row in enumerate(self.rows(state), 1)
            ),
            prices={terrain: f"${price}" for terrain, price in PRICES.items()},
            marks=marks or NO_MARKS,
            orientation=self.board.orientation,
        )

    @override
    def marks(self, before: State, after: State, events: Sequence[Any]) -> Marks:
        laid = set(after.track) - set(before.track)
        return Marks(laid=tuple(tuple(Piece(h, s.a, s.b) for s in after.track[h]) for h in sorted(laid)))

    @override
    def encode(self, state: State) -> bytes:
        return _CODEC.encode(state)

    @override
    def decode(self, stored: bytes) -> State:
        return _CODEC.decode(stored)


def _read(reader: BoardReader[Names]) -> Move:
    word = reader.keyword(("lay", "rest", "fare"), say("An order starts with “lay”, “rest” or “fare”."))
    if word == "rest":
        return Rest()
    if word == "fare":
        return Fare(reader.number())
    label = reader.place(reader.lexicon.hex, "", reader.lexicon.board.direction_words)
    names = reader.lexicon.board.directions
    a, b = reader.segment()
    return Lay(label, (names[a], names[b]))
