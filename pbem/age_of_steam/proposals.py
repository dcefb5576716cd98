"""What a player would do, judged and priced: the values that hooks are asked about and told of."""

from pbem.engine import Seat, Value
from pbem.rails.board import Label
from pbem.rails.tiles import Ends
from pbem.rails.track import Link


class Placement(Value):
    """One placement of a build turn, judged and priced.

    ``tile``: the tile laid (town tiles by kind), ``old``: the one replaced or ``""``. ``added``: the new
    segments (in a town: ``TOWN`` and an edge); ``turned``: pairs of a segment before and after a redirect.
    ``link``: id of a special link, which has no tile.
    """

    hex: Label
    tile: str
    old: str
    added: tuple[Ends, ...]
    turned: tuple[tuple[Ends, Ends], ...] = ()
    link: str = ""


class Delivery(Value):
    """A way for a cube: the links in order, the nodes they lead into, income steps per seat.

    ``bonus``, ``remove``: what a map lets the mover choose besides (a seat, a colour). ``at``: where a cube on
    a track hex leaves it (owner of the segment, direction).
    """

    colour: str
    start: Label
    links: tuple[Link, ...]
    nodes: tuple[Label, ...]
    gains: tuple[tuple[Seat, int], ...] = ()
    bonus: Seat | None = None
    remove: str | None = None
    at: tuple[Seat | None, str] | None = None

    def gain(self, seat: Seat) -> int:
        return dict(self.gains).get(seat, 0)
