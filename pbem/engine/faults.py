"""What is wrong with a drawn map, in sentences for whoever draws it."""

from pbem.engine.sheet import Sheet
from pbem.engine.text import Say
from pbem.engine.values import Value


class BadDrawing(Exception):
    """A drawing that is no map; the sentence is its first fault."""


class Fault(Value):
    """One thing that stops playing. ``hex``: where on the board it is, ``None`` where that is no one place."""

    sentence: Say
    hex: str | None = None


class Checked(Value):
    """A drawing that was checked. ``sheet``: ``None`` where there are faults; ``hints`` stop nothing."""

    sheet: Sheet | None
    faults: tuple[Fault, ...] = ()
    hints: tuple[Fault, ...] = ()
