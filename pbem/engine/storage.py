"""States as canonical JSON: what is stored after every move, and how an older one becomes a newer one.

How the shape of a state may change is told in ``docs/changing-the-rules.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec
from msgspec.structs import FieldInfo, astuple, fields

from pbem.engine.values import Kept, Lately, Value

S = TypeVar("S", bound=Value)

Plain = dict[str, Any]
"""A stored state as plain JSON, before it is given its type."""
Upgrade = Callable[[Plain], Plain]
"""Makes a stored state of one format one of the next; it may change what it is given."""

PARTS_KEPT: Final = 64
"""How many different values of a part that is read apart are kept, of the games that were read last."""


class BadState(Exception):
    """A stored state that cannot be read."""


class _Stored(msgspec.Struct, omit_defaults=True):
    """The envelope of a stored state. ``own``: the format of what a map keeps besides."""

    format: int
    state: Any
    own: int = 0


class _Present(msgspec.Struct, Generic[S]):
    """The same with a state of today's format, read at once."""

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

    ``apart``: a field that is large and that most orders leave as it is. What is written in it is read once: as long
    as it stays the same the very same value is read again, and with it comes whatever is kept of this value. Where
    this process has written it, it is the value that was written.
    """

    reads_own: ClassVar[bool] = False
    """Whether what this process has written is read all the same, and compared; so it is in all tests."""

    def __init__(self, kind: type[S], upgrades: tuple[Upgrade, ...] = (), *, apart: str = "") -> None:
        self.kind, self.upgrades, self.format = kind, upgrades, len(upgrades) + 1
        self._envelope = msgspec.json.Decoder(_Envelope)
        self._present = msgspec.json.Decoder(_Present[kind])  # type: ignore[valid-type]
        self._apart = _Apart(kind, apart) if apart else None

    def encode(self, state: S, own: tuple[Upgrade, ...] = ()) -> bytes:
        """The state as JSON in UTF-8; ``own`` as in :meth:`decode`."""
        if self._apart is not None:
            self._apart.note(state)
        return msgspec.json.encode(_Stored(self.format, state, len(own)))

    def decode(self, stored: bytes, own: tuple[Upgrade, ...] = ()) -> S:
        """Read back what :meth:`encode` wrote, now or in an older version. Raises :class:`BadState`.

        ``own``: the upgrades of the map the state is of, counted from format 0; they are given the whole state, after
        those of the game, and change what only their map knows: ``extra``, and the scratch of its own phases.
        """
        try:
            present = self._present.decode(stored) if self._apart is None else self._apart.decode(stored)
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


class _Apart(Generic[S]):
    """Reads states of today's format with one field apart; anything that is not one is refused as it is elsewhere."""

    def __init__(self, kind: type[S], name: str) -> None:
        self._kind = kind
        known = fields(kind)
        self._at = [one.name for one in known].index(name)
        rest = msgspec.defstruct("Rest", [_raw(one) if one.name == name else _as_it_is(one) for one in known])
        self._rest = msgspec.json.Decoder(_Present[rest])  # type: ignore[valid-type]
        self._name = name
        self._noted: Kept[Any, bool] = Kept(PARTS_KEPT)
        self._written: Lately[bytes, Any] = Lately(PARTS_KEPT)
        self._read: Lately[bytes, Any] = Lately(PARTS_KEPT)
        self._part = msgspec.json.Decoder(known[self._at].type)

    def note(self, state: S) -> None:
        """The part of a state that is about to be written."""
        part = getattr(state, self._name)
        if self._noted.get(part) is None:
            self._written.put(msgspec.json.encode(part), part)
            self._noted.put(part, True)

    def part(self, stored: bytes) -> Any:
        """The part as it is read, or the very one that was written where they are the same."""
        known = self._read.get(stored)
        if known is None:
            known = self._written.get(stored)
            if known is None or Codec.reads_own:
                read = self._part.decode(stored)
                known = known if known == read else read
            self._read.put(stored, known)
            self._noted.put(known, True)
        return known

    def decode(self, stored: bytes) -> _Present[S]:
        """As the decoder of the whole."""
        read = self._rest.decode(stored)
        values = list(astuple(read.state))
        values[self._at] = self.part(bytes(values[self._at]))
        return _Present(read.format, self._kind(*values), read.own)


def _raw(one: FieldInfo) -> tuple[str, Any, Any]:
    return one.encode_name, msgspec.Raw, msgspec.Raw()  # where it is missing: what cannot be read apart


def _as_it_is(one: FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any]:
    if one.default_factory is not msgspec.NODEFAULT:
        return one.encode_name, one.type, msgspec.field(default_factory=one.default_factory)
    if one.default is not msgspec.NODEFAULT:
        return one.encode_name, one.type, one.default
    return one.encode_name, one.type


def typed(value: Any, kind: type | None) -> Any:
    """A part of a state that was decoded as plain JSON, with its type. Raises :class:`BadState`."""
    if value is None or kind is None:
        return value
    try:
        return msgspec.convert(value, kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadState(f"a part of a stored state cannot be read: {error}") from error
