"""States as canonical JSON: what is stored after every move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.phase import Phase

FORMAT = 1
"""Raised when an older state has to be rewritten on reading; missing fields with a default need no raise."""


class BadState(Exception):
    """A stored state that cannot be read."""


class _Stored(msgspec.Struct):
    """The envelope of a stored state."""

    format: int
    state: State


_decoder = msgspec.json.Decoder(_Stored)


def encode(state: State) -> bytes:
    """The state as JSON in UTF-8."""
    return msgspec.json.encode(_Stored(FORMAT, state))


def decode(phases: tuple[Phase[Rules, State], ...], stored: bytes, extra: type | None) -> State:
    """Read back what :func:`encode` wrote. Raises :class:`BadState`."""
    try:
        envelope = _decoder.decode(stored)
        if envelope.format != FORMAT:
            raise BadState(f"a state of format {envelope.format} cannot be read")
        state = envelope.state
        desk = next((phase.desk for phase in phases if phase.name == state.phase), None)
        return _typed(state, desk, extra)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadState(f"a stored state cannot be read: {error}") from error


def _typed(state: State, desk: type | None, extra: type | None) -> State:
    """Give the desk and the map's own state, decoded as plain JSON, their types back."""
    changes: dict[str, Any] = {}
    if state.desk is not None and desk is not None:
        changes["desk"] = msgspec.convert(state.desk, desk)
    if state.extra is not None and extra is not None:
        changes["extra"] = msgspec.convert(state.extra, extra)
    return replace(state, **changes) if changes else state
