"""Sentences and names in columns of text, so that they can be read in any language when they are shown."""

import json

from pbem.engine import Say, say, say_from_json, say_to_json
from pbem.language.voice import spoken

FORMER = say("Former player")
"""What people are called who have deleted their account."""
NOBODY = str(FORMER)
"""As it stands in the rows of their seats."""


def kept(sentence: Say, longest: int) -> str:
    """The sentence for a column of so many characters; one that does not fit is kept in English, and cut."""
    written = json.dumps(say_to_json(sentence), ensure_ascii=False, separators=(",", ":"))
    return written if len(written) <= longest else str(sentence)[:longest]


def read(text: str) -> Say:
    """What :func:`kept` wrote; text that older versions kept stands as it is."""
    try:
        return say_from_json(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError):
        return say("{text}", text=text)


def called(name: str) -> str:
    """The name of a player as a reader sees it; that of a deleted account in the language that is read."""
    return (
        f"{spoken(FORMER)}{name.removeprefix(NOBODY)}" if name.startswith(NOBODY) else name
    )  # the second has a number
