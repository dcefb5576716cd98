"""Orders that are nearly legal, on every sheet: played or refused with a sentence, and a refusal changes nothing."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import BadMove, Move, Refused, Sheet, State
from pbem.engine.chance import SeededChance
from pbem.rails.builder import builder_of
from pbem.rails.sheet import MapSheet
from tests.age_of_steam.typed_orders import VOCABULARY
from tests.every_map.games import deal, every_sheet, players_of, seed_of
from tests.every_map.random_player import RandomPlayer
from tests.fuzz.mutate import mutated
from tests.fuzz.sentences import check_said, examples

# one thing taken for another ---------------------------------------------------------------------------------


COLOURS = ("red", "blue", "purple", "yellow", "black", "white", "green", "any", "nobody")
COLUMNS = ("L1", "L3", "L6", "D1", "D6", "A", "D", "H")
_WORD = re.compile(r"[\w-]+|[^\w\s-]+|\s+")


class Confused:
    """The words of one sheet by what they stand for."""

    def __init__(self, sheet: Sheet, seats: tuple[str, ...]) -> None:
        assert isinstance(sheet, MapSheet)
        board = sheet.board
        places = (*board.cities, *board.towns, *(city.name for city in board.cities.values()), *board.towns.values())
        tracks = tuple(f"{a}-{b}" for a in board.directions for b in board.directions)
        self.kinds = [
            tuple(map(str, kind))
            for kind in (
                tuple(board.hexes),
                places,
                board.directions,
                tracks,
                COLOURS,
                seats,
                COLUMNS,
                VOCABULARY.actions,
                range(12),
            )
        ]

    def order(self, text: str, luck: Random, *others: str) -> str:
        """The order with one to three words taken for others of their kind, or a step of it elsewhere."""
        for _ in range(luck.choice((1, 1, 1, 2, 3))):
            text = self._steps(text, luck, *others) if luck.random() < 0.25 else self._word(text, luck)
        return text

    def _word(self, text: str, luck: Random) -> str:
        words = _WORD.findall(text)
        known = [(at, kind) for at, word in enumerate(words) for kind in self.kinds if word in kind]
        if known:
            at, kind = luck.choice(known)
            words[at] = luck.choice(kind)
        return "".join(words)

    def _steps(self, text: str, luck: Random, *others: str) -> str:
        verb, _, rest = text.partition(" ")
        steps = [step.strip() for step in re.split(r"([;>,])", rest)]
        more = [step.partition(" ")[2] for other in others for step in other.split(";") if other.startswith(verb)]
        match luck.randrange(4):
            case 0:
                luck.shuffle(steps)
            case 1:
                steps += [";", luck.choice(steps)]
            case 2 if more:
                steps += [";", luck.choice(more)]
            case _:
                del steps[luck.randrange(len(steps))]
        return f"{verb} {' '.join(steps)}"


# positions ---------------------------------------------------------------------------------------------------


OF_A_PHASE = 2
MOST_ORDERS = 150


@dataclass(frozen=True)
class Reached:
    """A position, who is asked, what could be answered, and what was."""

    state: State
    seat: str
    orders: tuple[str, ...]


@cache
def positions(sheet: Sheet) -> tuple[Reached, ...]:
    """Two of every phase of a game that is played in haste: an early one and a late one."""
    found: dict[str, list[Reached]] = {}
    for place in _game(sheet):
        kept = found.setdefault(sheet.phase(place.state), [])
        if len(kept) == OF_A_PHASE:
            kept.pop()
        kept.append(place)
    return tuple(place for kept in found.values() for place in kept)


def _game(sheet: Sheet) -> list[Reached]:
    number = 3
    state, player, places = deal(sheet, number), RandomPlayer(sheet, seed_of(number), rash=False), list[Reached]()
    while not sheet.over(state) and len(places) < MOST_ORDERS:
        order, step = player.play(state)
        places.append(Reached(state, sheet.to_act(state) or "", (order,)))
        state = step.state
    return places


@cache
def orders(sheet: Sheet, number: int) -> tuple[str, ...]:
    """Orders for one of the positions: what was answered, what else is legal, what can be planned."""
    place = positions(sheet)[number]
    question, plan = sheet.question(place.state), sheet.turn_plan(place.state, place.seat)
    more = islice((*(sheet.legal(place.state) or ()), *sheet.placements(place.state)), 40)
    choices = [choice.order for choice in question.choices[:20]]
    planned = [f"{part.word} {choice.value}" for part in (plan.parts if plan else ()) for choice in part.choices[:5]]
    return tuple(dict.fromkeys((*place.orders, str(sheet.default(place.state)), *choices, *more, *planned)))


def seats(sheet: Sheet) -> tuple[str, ...]:
    """Who plays in the positions."""
    return players_of(sheet, 3)


lucks = st.randoms(use_true_random=False)


confused = cache(lambda sheet: Confused(sheet, seats(sheet)))


@cache
def built_in(sheet: Sheet) -> list[Reached]:
    """The positions in which something can be built."""
    return [place for place in positions(sheet) if sheet.placements(place.state)]


def wished(sheet: Sheet, luck: Random) -> tuple[Reached, str]:
    """A position and an order for it with faults, or one of another position."""
    places = positions(sheet)
    number, other = luck.randrange(len(places)), luck.randrange(len(places))
    order, others = luck.choice(orders(sheet, luck.choice((*[number] * 8, other)))), orders(sheet, number)[:20]
    text = confused(sheet).order(order, luck, *others) if luck.random() < 0.75 else mutated(order, luck, *others)
    return places[number], text


def names_of(sheet: Sheet) -> dict[str, str]:
    """Players whose names are words of orders, or have letters that orders are made of."""
    return dict(zip(seats(sheet), ("to", "J. (Smith) > x", "Müller", "red", "same", "ﬀ"), strict=False))


def read(sheet: Sheet, place: Reached, text: str) -> tuple[Move, ...]:
    """What a text says; nothing when it cannot be read, which is said in a sentence."""
    try:
        moves = sheet.parse(place.state, text, names_of(sheet))
    except BadMove as bad:
        check_said(str(bad.sentence()))
        check_place(bad, text)
        return ()
    written = "\n".join(map(str, moves))
    assert sheet.parse(place.state, written, names_of(sheet)) == moves
    return moves


def check_place(bad: BadMove, text: str) -> None:
    """A complaint names a place in the text, and can be read, stored and sent."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= bad.line <= len(lines)
    assert 0 <= bad.column <= len(lines[bad.line - 1])
    assert len(bad.found) <= 40
    assert bad.found.isprintable()
    assert str(bad.sentence()).encode()


@pytest.mark.parametrize("sheet", every_sheet())
@examples(30)
@given(luck=lucks)
def test_an_order_with_faults_is_played_or_refused_in_a_sentence(sheet: Sheet, luck: Random) -> None:
    place, text = wished(sheet, luck)
    before = sheet.encode(place.state)
    if moves := read(sheet, place, text):
        for seat in {place.seat, luck.choice(seats(sheet))}:
            _judge(sheet, place, seat, moves)
    assert sheet.encode(place.state) == before


def _judge(sheet: Sheet, place: Reached, seat: str, moves: tuple[Move, ...]) -> None:
    try:
        step = sheet.play(place.state, seat, moves, SeededChance(b"fuzz", sheet.place(place.state)))
    except Refused as refused:
        check_said(refused.refusal.sentence())
        return
    assert seat == place.seat
    assert sheet.decode(sheet.encode(step.state)) == step.state
    assert all(str(event.text()) for event in step.events)


@pytest.mark.parametrize("sheet", every_sheet())
@examples(10)
@given(luck=lucks)
def test_standing_orders_of_others_with_faults_wait_or_are_refused_in_a_sentence(sheet: Sheet, luck: Random) -> None:
    place, text = wished(sheet, luck)
    if moves := read(sheet, place, text):
        try:
            waiting = sheet.take_standing_orders(place.state, luck.choice(seats(sheet)), moves)
        except Refused as refused:
            check_said(refused.refusal.sentence())
            return
        assert all(str(ahead.words) and ahead.moment for ahead in waiting)


@pytest.mark.parametrize("sheet", every_sheet())
@examples(10)
@given(luck=lucks)
def test_a_draft_shows_what_cannot_be_built_with_the_reason(sheet: Sheet, luck: Random) -> None:
    place = luck.choice(built_in(sheet))
    steps = [mutated(order, luck)[:80] for order in luck.sample(place.orders * 3, 2)]
    draft = builder_of(sheet).draft(place.state, steps)
    assert len(draft.steps) <= len(steps)
    for step in draft.steps:
        check_said(step.refusal.sentence() if step.refusal else "It can be built.")
    builder_of(sheet).tiles_at(place.state, steps, luck.choice(("A1", "E5", "Z99", "", "\x00")))
