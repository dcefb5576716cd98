"""Sentences in columns of text, so that they can be read in any language when they are shown."""

from __future__ import annotations

import json

from pbem.engine.text import Say, say, say_from_json, say_to_json


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
