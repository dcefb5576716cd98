"""What is taken away says which version of the program has written it, and has a SHA-256 in it."""

import hashlib
import json
from typing import Any

import pbem

ADDED = ("id", "version", "sha256")


def seal(raw: dict[str, Any]) -> str:
    """The SHA-256 of an object as JSON with sorted keys, without the id of a game and what is added here.

    Two records with the same are the same game.
    """
    return digest({key: value for key, value in raw.items() if key not in ADDED})


def digest(raw: dict[str, Any]) -> str:
    """The SHA-256 of all of an object, as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).hexdigest()


def sealed(raw: dict[str, Any]) -> dict[str, Any]:
    """The object with the version of this program, and its seal."""
    return {**raw, "version": pbem.__version__, "sha256": seal(raw)}


def broken(raw: object) -> bool:
    """Whether it was changed after it was sealed; what has no seal was not."""
    return isinstance(raw, dict) and raw.get("sha256") not in (None, seal(raw))
