"""Values that play changes: states, what they are made of, and what passes between phases while an order is played.

They are frozen like the dataclasses around them. An order makes dozens of them, each from the one before with a field
or two changed, which costs a fiftieth of what ``dataclasses.replace`` does; and a stored state is read straight into
them.
"""

import msgspec
from msgspec import field
from msgspec.structs import replace

__all__ = ["Value", "field", "replace"]


class Value(msgspec.Struct, frozen=True):
    """Base of these values; a subclass says ``frozen=True`` again, for mypy."""
