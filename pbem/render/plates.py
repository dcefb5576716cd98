"""What decides how the furniture of a City looks."""

from typing import Any

from pbem.engine import Value
from pbem.rails.scene import CityPlate
from pbem.rails.track import Seat
from pbem.render import palette as p


class Plate(Value):
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


def plate_of(city: CityPlate, **drawn: Any) -> Plate:
    """The plate of a City of a scene, its cubes in the order in which they always lie; ``drawn``: what else decides."""
    rank = {colour: i for i, colour in enumerate(p.GOODS)}
    cubes = None if city.cubes is None else tuple(sorted(city.cubes, key=rank.__getitem__))
    accepts = () if city.used_up else city.colours
    own: dict[str, Any] = {"factory": city.factory, "pill": city.pill, "used_up": city.used_up}
    return Plate(city.name, accepts, city.chips, cubes, city.kind, city.letter, **own, **drawn)
