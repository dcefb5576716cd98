"""States as canonical JSON: what is stored after every move."""

from __future__ import annotations

from typing import Final

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.phase import Phase
from pbem.engine.storage import Codec, Upgrade, typed
from pbem.engine.values import replace

UPGRADES: Final[tuple[Upgrade, ...]] = ()
"""How the shape of stored states has changed since format 1 (``docs/changing-the-rules.md``)."""

_CODEC: Final = Codec(State, UPGRADES)


def encode(state: State, own: tuple[Upgrade, ...] = ()) -> bytes:
    """The state as JSON in UTF-8; ``own``: the upgrades of its map."""
    return _CODEC.encode(state, own)


def decode(
    phases: tuple[Phase[Rules, State], ...], stored: bytes, extra: type | None, own: tuple[Upgrade, ...] = ()
) -> State:
    """Read back what :func:`encode` wrote. Raises :class:`pbem.engine.storage.BadState`."""
    state = _CODEC.decode(stored, own)
    scratch = next((phase.scratch for phase in phases if phase.name == state.phase), None)
    return replace(state, scratch=typed(state.scratch, scratch), extra=typed(state.extra, extra))
