"""States as canonical JSON, and how an older one becomes a newer one (``docs/extending.md``)."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from pbem.engine.values import Value

S = TypeVar("S", bound=Value)

Plain = dict[str, Any]
"""A stored state as plain JSON, before it is given its type."""
Upgrade = Callable[[Plain], Plain]
"""Makes a stored state of one format one of the next; it may change what it is given."""


class BadState(Exception):
    """A stored state that cannot be read."""


class _Present(msgspec.Struct, Generic[S], omit_defaults=True):
    """The envelope of a state in today's format. ``own``: the format of what a map keeps besides."""

    format: int
    state: S
    own: int = 0


class _Envelope(msgspec.Struct):
    """The same with a state of any format, not read yet."""

    format: int
    state: msgspec.Raw
    own: int = 0


class Codec(Generic[S]):
    """Writes and reads the states of one game.

    ``upgrades``: how a state of format 1 becomes one of format 2, and so on; states are written in the format that
    follows from their number. A field that is new and has a default needs none. Where a field is stored under another
    key than its name (``field(name=…)``), upgrades know the key.
    """

    def __init__(self, kind: type[S], upgrades: tuple[Upgrade, ...] = ()) -> None:
        self.kind, self.upgrades, self.format = kind, upgrades, len(upgrades) + 1
        self._envelope = msgspec.json.Decoder(_Envelope)
        self._present = msgspec.json.Decoder(_Present[kind])  # type: ignore[valid-type]

    def encode(self, state: S, own: tuple[Upgrade, ...] = ()) -> bytes:
        """The state as JSON in UTF-8; ``own`` as in :meth:`decode`."""
        return msgspec.json.encode(_Present(self.format, state, len(own)))

    def decode(self, stored: bytes, own: tuple[Upgrade, ...] = ()) -> S:
        """Read back what :meth:`encode` wrote, now or in an older version. Raises :class:`BadState`.

        ``own``: the upgrades of the map the state is of, counted from format 0; they are given the whole state, after
        those of the game, and change what only their map knows: ``extra``, and the scratch of its own phases.
        """
        try:
            present = self._present.decode(stored)
            if (present.format, present.own) == (self.format, len(own)):
                return present.state
        except (msgspec.MsgspecError, ValueError):
            pass  # of another format, or damaged: that is told below
        try:
            envelope = self._envelope.decode(stored)
            return msgspec.convert(self._upgraded(envelope, own), self.kind, str_keys=True)
        except (msgspec.MsgspecError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise BadState(f"a stored state cannot be read: {type(error).__name__}: {error}") from error

    def _upgraded(self, envelope: _Envelope, own: tuple[Upgrade, ...]) -> Plain:
        if not (1 <= envelope.format <= self.format and 0 <= envelope.own <= len(own)):
            raise BadState(f"a state of format {envelope.format}.{envelope.own} cannot be read by this version")
        plain: Plain = msgspec.json.decode(envelope.state)
        for upgrade in (*self.upgrades[envelope.format - 1 :], *own[envelope.own :]):
            plain = upgrade(plain)
        return plain


def typed(value: Any, kind: type | None) -> Any:
    """A part of a state that was decoded as plain JSON, with its type. Raises :class:`BadState`."""
    if value is None or kind is None:
        return value
    try:
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadState(f"a part of a stored state cannot be read: {error}") from error
