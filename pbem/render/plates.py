"""What decides how the furniture of a City looks."""

from dataclasses import dataclass

from pbem.rails.scene import CityPlate
from pbem.rails.track import Seat
from pbem.render import palette as p


@dataclass(frozen=True, slots=True)
class Plate:
    """What decides how the furniture of a City looks; ``amber``: cubes that are new, ``gap``: one was taken.

    ``factory``: whose coin stands in the head. ``pill``: words in a pill. ``used_up``: its colour no longer counts.
    ``walls``: the edges of its hex that are impassable.
    """

    name: str
    colours: tuple[str, ...]
    chips: tuple[str, ...]
    cubes: tuple[str, ...] | None
    kind: str
    letter: str
    beside_city: bool = False
    amber: tuple[str, ...] = ()
    gap: bool = False
    factory: Seat | None = None
    pill: str = ""
    used_up: bool = False
    walls: tuple[int, ...] = ()


def plate_of(
    city: CityPlate,
    *,
    beside_city: bool,
    amber: tuple[str, ...] = (),
    gap: bool = False,
    walls: tuple[int, ...] = (),
) -> Plate:
    """The plate of a City of a scene, its cubes in the order in which they always lie."""
    rank = {colour: i for i, colour in enumerate(p.GOODS)}
    cubes = None if city.cubes is None else tuple(sorted(city.cubes, key=rank.__getitem__))
    return Plate(
        city.name,
        () if city.used_up else city.colours,
        city.chips,
        cubes,
        city.kind,
        city.letter,
        beside_city,
        amber,
        gap,
        city.factory,
        city.pill,
        city.used_up,
        walls,
    )
