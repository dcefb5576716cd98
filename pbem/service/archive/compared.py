"""Two positions of a game side by side: which fields differ, in words."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say, count_say, say

MOST = 6
"""Fields that are told one by one."""
LONGEST = 60
"""Characters of a value that is shown."""
NOTHING = "nothing"


def states(sheet: Sheet, stored: State, again: State) -> tuple[Say, ...]:
    """What differs between a stored state and the one that came out today; nothing where they are the same.

    Values are told of what everybody may see; of the rest only that it differs, and where.
    """
    seen = list(_differences(sheet.position(stored), sheet.position(again), ()))
    if seen:
        told = [_told(*difference) for difference in seen[:MOST]]
        more = len(seen) - len(told)
        return (*told, *([count_say("{n} more field differs.", "{n} more fields differ.", more)] if more else []))
    unseen = _unseen(sheet, stored, again)
    if not unseen:
        return ()
    return (say("What players see is the same; other stored values differ: {fields}.", fields=tuple(unseen)),)


def _told(path: tuple[str, ...], stored: Any, again: Any) -> Say:
    return say(
        "{field}: stored as {stored}, replayed as {again}.",
        field=" of ".join(reversed(path)),
        stored=_short(stored),
        again=_short(again),
    )


def _short(value: Any) -> str:
    text = NOTHING if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _differences(stored: Any, again: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(stored, Mapping) and isinstance(again, Mapping):
        for key in dict.fromkeys([*stored, *again]):
            yield from _differences(stored.get(key), again.get(key), (*path, str(key)))
    elif _plain(stored) != _plain(again):
        yield path or ("position",), stored, again


def _plain(value: Any) -> str:
    """As a digest sees it: lists and tuples are the same."""
    return json.dumps(value, sort_keys=True)


def _unseen(sheet: Sheet, stored: State, again: State) -> list[str]:
    """The fields of a state that differ, as they are stored; old and new are compared in the form of today."""
    left, right = (json.loads(sheet.encode(state))["state"] for state in (stored, again))
    return [key for key in dict.fromkeys([*left, *right]) if left.get(key) != right.get(key)]
