"""The orders of Age of Steam as values, without rules; ``str`` is the notation that ``notation.py`` reads back."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from typing_extensions import override

from pbem.engine import Move, Say, Seat, Value, replace
from pbem.engine.flow import FirstLegal

NO_ACTION = "none"
"""Taken by who takes no action, on maps where that is possible."""


class Issue(Move):
    """Issue shares; 0 for none."""

    keyword = "issue"
    usage = "issue N"
    shares: int


class Bid(Move):
    keyword = "bid"
    usage = "bid N"
    amount: int


class BidLimit(Move):
    """A standing order for one auction: ``bid [first] max most [then pass|ask] [until place]``."""

    keyword = "bid"
    usage = "bid max N"
    most: int
    first: int | None = None
    then: str = ""
    until: int | None = None

    @override
    def __str__(self) -> str:
        first = "" if self.first is None else f" {self.first}"
        then = f" then {self.then}" if self.then else ""
        until = "" if self.until is None else f" until {self.until}"
        return f"bid{first} max {self.most}{then}{until}"


class Drop(Move):
    keyword = "drop"
    usage = "drop"


class Pass(Move):
    """Use the Turn Order pass in an auction; in move goods: neither deliver nor raise the engine."""

    keyword = "pass"
    usage = "pass"


class TakeAction(Move):
    """Take the first of these actions that is still free."""

    keyword = "action"
    usage = "action NAME"
    actions: tuple[str, ...]

    @override
    def __str__(self) -> str:
        return f"action {' > '.join(self.actions)}"


class Lay(Value):
    """A step of a build: segments to add or turn on an ordinary hex."""

    hex: str
    segments: tuple[tuple[str, str], ...]

    @override
    def __str__(self) -> str:
        return f"{self.hex} {','.join('-'.join(ends) for ends in self.segments)}"


class Exits(Value):
    """A step of a build: exits to add to a town."""

    hex: str
    exits: tuple[str, ...]

    @override
    def __str__(self) -> str:
        return f"{self.hex} @{','.join(self.exits)}"


class Urbanize(Value):
    """A step of a build: place a New City. ``keep``: cubes kept when a New City is replaced; ``None`` = all."""

    letter: str
    hex: str
    keep: tuple[str, ...] | None = None

    @override
    def __str__(self) -> str:
        if self.keep is None:
            return f"city {self.letter} {self.hex}"
        return f"city {self.letter} {self.hex} keep {' '.join(self.keep) or 'none'}"


class BuildLink(Value):
    """A step of a build: a special link by its printed name; the price tells parallel links apart."""

    name: str
    price: int | None = None

    @override
    def __str__(self) -> str:
        return f"link {self.name}" + ("" if self.price is None else f" {self.price}")


class OwnStep(ABC):
    """Base of the steps of a build that only one map has: its sheet reads them and carries them out."""

    __slots__ = ()

    @abstractmethod
    def words(self) -> Say:
        """The step as the build page names it."""


BuildStep = Lay | Exits | Urbanize | BuildLink | OwnStep


class Build(Move):
    """A build turn. ``limit``: highest total price accepted (``max 9``); ``more``: ask again afterwards."""

    keyword = "build"
    usage = "build STEP; STEP; …"
    steps: tuple[BuildStep, ...] = ()
    limit: int | None = None
    more: bool = False

    @override
    def __str__(self) -> str:
        steps = [str(step) for step in self.steps]
        if self.limit is not None:
            steps.append(f"max {self.limit}")
        if self.more:
            steps.append("more")
        return f"build {'; '.join(steps)}" if steps else "build nothing"


class Hop(Value):
    """One link of a delivery: the node it leads into, its owner where that is said (``nobody`` = ownerless)."""

    node: str
    owner: Seat | None = None

    @override
    def __str__(self) -> str:
        return self.node if self.owner is None else f"{self.node}({self.owner})"

    def written(self, names: Mapping[str, str]) -> str:
        node = names.get(self.node, self.node)
        return node if self.owner is None else f"{node} ({names.get(self.owner, self.owner)})"


class Origin(Value):
    """Where a cube lies; on a track hex (``at``) with the segment's owner and the way it leaves."""

    place: str
    at: bool = False
    owner: Seat | None = None
    direction: str | None = None

    @override
    def __str__(self) -> str:
        owner = "" if self.owner is None else f"({self.owner})"
        direction = "" if self.direction is None else f" {self.direction}"
        return f"at {self.place}{owner}{direction}" if self.at else self.place


class Deliver(Move):
    """Move a cube along ``hops``, or (``to``) to a City by the only payment pattern there is."""

    keyword = "move"
    usage = "move COLOUR FROM > NODE > NODE"
    colour: str
    origin: Origin
    hops: tuple[Hop, ...] = ()
    to: str | None = None
    bonus: Seat | None = None
    remove: str | None = None

    @override
    def __str__(self) -> str:
        way = f"{self.origin} to {self.to}" if self.to is not None else " > ".join(map(str, (self.origin, *self.hops)))
        bonus = "" if self.bonus is None else f" bonus {self.bonus}"
        remove = "" if self.remove is None else f" remove {self.remove}"
        return f"move {self.colour} {way}{bonus}{remove}"

    def written(self, names: Mapping[str, str]) -> str:
        """The same with names in place of labels and colours of seats: "move red Duluth by Chicago (Ana) to Toledo"."""
        if not self.hops or self.origin.at:
            return str(self)
        *over, goal = (hop.written(names) for hop in self.hops)
        way = f"by {', '.join(over)} to {goal}" if over else f"> {goal}"
        return str(replace(self, origin=Origin(f"{names.get(self.origin.place, self.origin.place)} {way}"), hops=()))


class Loco(Move):
    """Raise the engine by one link instead of a delivery."""

    keyword = "loco"
    usage = "loco"


class SameIncome(FirstLegal):
    """Alternatives with ``same income``: only those that would still pay the same players the same."""

    @override
    def __str__(self) -> str:
        return f"{' | '.join(map(str, self.moves))} same income"


class Put(Value):
    """A drawn cube (its colour, or ``any``) for a display column, ``row`` 1 = top; no row = topmost empty box."""

    colour: str
    column: str
    row: int | None = None

    @override
    def __str__(self) -> str:
        return f"{self.colour}>{self.column}" + ("" if self.row is None else f"/{self.row}")


class Produce(Move):
    """Production: put the drawn cubes on boxes of the display."""

    keyword = "produce"
    usage = "produce COLOUR>BOX COLOUR>BOX"
    puts: tuple[Put, ...]


class ProduceForm(Move):
    """``produce decline`` (draw nothing), ``produce display`` (the usual form, said before anything is drawn)."""

    keyword = "produce"
    usage = "produce decline"
    form: str


AUTO_LOCO = "auto-loco"
"""The order for every turn that raises the engine where nothing can be delivered."""


class Always(Move):
    """A standing order for every turn: ``always issue 0``, ``always bid max 0`` …"""

    keyword = "always"
    usage = "always issue N"
    order: str
    number: int | None = None
