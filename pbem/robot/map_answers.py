"""The map explained without a picture: all that is printed, a place and what lies beside it, the cheapest way from one
to another, and what can be delivered to one."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from pbem.engine import Choice, Place, Say, Sheet, State, Who, say, to_reader
from pbem.engine.position_text import Section
from pbem.engine.reading import Unknown
from pbem.rails.board import Label
from pbem.rails.names import Names
from pbem.rails.scene import Scene
from pbem.rails.track import RouteChoice
from pbem.robot.answers import few, link_choice
from pbem.robot.links import LinkProposal, ways_of
from pbem.robot.thinking.table import BUILDING, MOVING
from pbem.robot.trying import after, purse

Path = tuple[int, int, tuple["Leg", ...]]
"""Dollars, tiles, and the legs."""


@dataclass(frozen=True, slots=True)
class MapAnswer:
    """An answer to one line: sections as the position has them, and below them choices, each with its order."""

    sections: tuple[Section, ...]
    choices: tuple[Choice, ...] = ()


def _answer(sentence: Say, choices: tuple[Choice, ...] = ()) -> MapAnswer:
    return MapAnswer((Section((sentence,)),), choices)


class Leg(NamedTuple):
    """A link of a way: one that is there, with its owner, or a new one."""

    a: Label
    b: Label
    owner: str | None = None
    new: LinkProposal | None = None

    @property
    def choice(self) -> Choice:
        """Without an order where the link is there."""
        if self.new is not None:
            return link_choice(self.new)
        a, b = Place(self.a), Place(self.b)
        if self.owner is None:
            return Choice("", say("{a} to {b}, there already, of nobody", a=a, b=b))
        return Choice("", say("{a} to {b}, there already: {owner}", a=a, b=b, owner=Who(self.owner)))


def describe(sheet: Sheet, state: State, seat: str | None, text: str) -> MapAnswer:
    """A place or a hex, what lies beside it and which links end there, with prices for the ``seat`` that asks.
    ``text``: its name or label."""
    try:
        label = place(sheet.scene(state), text)
    except Unknown as unknown:
        how = say("Write it like this: describe K12, with the label of a hex or the name of a place on it.")
        return _answer(unknown.why if text.strip() else how)
    return MapAnswer(sheet.place_words(state, seat, label))


def link(sheet: Sheet, state: State, seat: str, text: str) -> MapAnswer:
    """The cheapest way between two places, by dollars, then tiles. ``text``: their names, with any word between. New
    links within the money of the seat are those that the rules allow."""
    scene = sheet.scene(state)
    ends = _two_places(scene, text.split())
    if isinstance(ends, Say):
        return _answer(ends)
    a, b = ends
    cash = purse(sheet, state, seat).cash
    legs = list(_legs(sheet, state, scene, seat))
    asked = _asked_to_build(sheet, state, seat)
    while (best := _cheapest(legs, a, b)) is not None:
        new = [leg.new for leg in best[-1] if leg.new is not None and leg.new.price <= cash]
        refused = [one for one in new if asked is not None and after(sheet, asked, seat, one.order) is None]
        if not refused:
            break
        legs = [leg for leg in legs if leg.new not in refused]
    if best is None:
        return _answer(say("There is no way from {a} to {b} with the track of one turn.", a=Place(a), b=Place(b)))
    price, tiles, way = best
    head = say(
        "{a} to {b}, the cheapest way: ${price}, tiles {tiles}. You have ${cash}.",
        a=Place(a),
        b=Place(b),
        price=price,
        tiles=tiles,
        cash=cash,
    )
    return _answer(head, tuple(leg.choice for leg in way))


def reach(sheet: Sheet, state: State, seat: str, text: str) -> MapAnswer:
    """Every cube that the seat could deliver to a place this turn, one way for each."""
    try:
        goal = place(sheet.scene(state), text)
    except Unknown as unknown:
        return _answer(unknown.why)
    moment = next((name for name in sheet.moments(state, seat) if name.startswith(MOVING)), None)
    asked = None if moment is None else sheet.asked_ahead(state, seat, moment)
    if asked is None:
        return _answer(say("You deliver no more cubes this turn."))
    choices = [one for one in sheet.question(asked).choices if isinstance(one, RouteChoice) and one.cube]
    there = tuple(few([choice for choice in choices if choice.route[-1] == goal], "deliver", most=None))
    if not there:
        return _answer(say("No cube reaches {place} with your engine.", place=Place(goal)))
    return _answer(say("Cubes that reach {place} with your engine:", place=Place(goal)), there)


def place(scene: Scene, text: str) -> Label:
    """A City, New City, town or other hex by its label, name or letter. Raises :class:`Unknown`."""
    bare = text.strip(' .!?"“”„«»')
    letters = {plate.letter: plate.label for plate in scene.cities if plate.kind == "new" and plate.letter}
    name = bare.partition(" (")[0]
    return letters.get(name.upper()) or Names(board=scene.board, seats=()).node(name)


def _two_places(scene: Scene, words: Sequence[str]) -> tuple[Label, Label] | Say:
    """The places on both sides of some word; else why there are none."""
    why = say("Write it like this: link A to B, with the names or labels of two places.")
    for at in range(1, len(words) - 1):
        try:
            first = place(scene, " ".join(words[:at]))
        except Unknown:  # the word belongs to the name
            continue
        try:
            return first, place(scene, " ".join(words[at + 1 :]))
        except Unknown as unknown:
            why = unknown.why
    return why


def _legs(sheet: Sheet, state: State, scene: Scene, seat: str) -> Iterator[Leg]:
    """The links that are there, and the new ones that the seat could build if it had the money."""
    for chain in scene.chains:
        a, b = chain.ends
        if chain.complete and a is not None and b is not None:
            yield Leg(a, b, chain.owner)
    for special in scene.links:
        if special.owner is not None or special.public:
            yield Leg(*special.joins, special.owner)
    for way in ways_of(sheet, state, seat):
        yield Leg(*way.ends, new=way)


def _asked_to_build(sheet: Sheet, state: State, seat: str) -> State | None:
    """The position in which the seat builds this turn, ``None`` where it builds no more."""
    if sheet.to_act(state) == seat and sheet.question(state).form == "build":
        return state
    return sheet.asked_ahead(state, seat, BUILDING) if BUILDING in sheet.moments(state, seat) else None


def _cheapest(legs: Iterable[Leg], start: Label, goal: Label) -> Path | None:
    """The cheapest way over some legs, by dollars, then tiles, then legs."""
    beside: dict[Label, list[Leg]] = {}
    for leg in legs:
        beside.setdefault(leg.a, []).append(leg)
        beside.setdefault(leg.b, []).append(leg._replace(a=leg.b, b=leg.a))
    order = count()
    open_: list[tuple[int, int, int, int, Label, tuple[Leg, ...]]] = [(0, 0, 0, next(order), start, ())]
    done: set[Label] = set()
    while open_:
        price, tiles, _, _, here, legs_so_far = heapq.heappop(open_)
        if here == goal:
            return price, tiles, legs_so_far
        if here in done:
            continue
        done.add(here)
        for leg in beside.get(here, ()):
            dollars, laid = (leg.new.price, leg.new.tiles) if leg.new is not None else (0, 0)
            way = (*legs_so_far, leg)
            heapq.heappush(open_, (price + dollars, tiles + laid, len(way), next(order), leg.b, way))
    return None


def map_answer(sheet: Sheet, state: State, seat: str, line: str) -> MapAnswer:
    """What a line asks for that begins with one of these words."""
    word, _, rest = line.strip(" .!").partition(" ")
    match word.casefold():
        case "map":
            return MapAnswer(sheet.board_words())
        case "describe":
            return describe(sheet, state, seat, rest)
        case _ if sheet.over(state):
            return _answer(say("The game is over."))
        case "link":
            return link(sheet, state, seat, rest)
    return reach(sheet, state, seat, rest)


to_reader("{a} to {b}, there already: {owner}", owner="{a} to {b}, there already: yours")
