"""What people are called who have deleted their account."""

from __future__ import annotations

from pbem.engine.text import say
from pbem.language.voice import spoken

FORMER = say("Former player")
NOBODY = str(FORMER)
"""As it stands in the rows of their seats."""


def called(name: str) -> str:
    """The name of a player as a reader sees it; that of a deleted account in the language that is read."""
    return (
        f"{spoken(FORMER)}{name.removeprefix(NOBODY)}" if name.startswith(NOBODY) else name
    )  # the second has a number
