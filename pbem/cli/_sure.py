"""A second look at what cannot be undone."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.cli._failure import Failure


def typed(lines: Iterable[str], what: str, expected: str, *, sure: bool) -> str:
    """Say what will happen and let it be confirmed by typing; what was typed. ``sure``: nobody is asked (``--yes``)."""
    for line in lines:
        print(f"- {line}")
    if sure:
        return expected
    try:
        return input(f"Nobody can undo this. Type {what}, {expected}: ").strip()
    except EOFError as error:
        raise Failure("Nothing was changed: it was not confirmed. --yes does so without a question.") from error
