"""States as canonical JSON: what is stored after every move."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

S = TypeVar("S")


class BadState(Exception):
    """A stored state that cannot be read."""


class _Stored(msgspec.Struct):
    """The envelope of a stored state."""

    format: int
    state: Any


class Codec(Generic[S]):
    """Writes and reads the states of one game.

    ``format`` is raised when an older state has to be rewritten on reading; missing fields with a default need no
    raise.
    """

    def __init__(self, kind: type[S], format: int) -> None:
        self.kind, self.format = kind, format
        self._decoder = msgspec.json.Decoder(msgspec.defstruct("Stored", [("format", int), ("state", kind)]))

    def encode(self, state: S) -> bytes:
        """The state as JSON in UTF-8."""
        return msgspec.json.encode(_Stored(self.format, state))

    def decode(self, stored: bytes) -> S:
        """Read back what :meth:`encode` wrote. Raises :class:`BadState`."""
        try:
            envelope: Any = self._decoder.decode(stored)
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadState(f"a stored state cannot be read: {error}") from error
        if envelope.format != self.format:
            raise BadState(f"a state of format {envelope.format} cannot be read")
        state: S = envelope.state
        return state


def typed(value: Any, kind: type | None) -> Any:
    """A part of a state that was decoded as plain JSON, with its type. Raises :class:`BadState`."""
    if value is None or kind is None:
        return value
    try:
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadState(f"a part of a stored state cannot be read: {error}") from error
