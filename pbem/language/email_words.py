"""Words that emails are answered with, in the reader's language: read as the English ones of the documents.

Only the first word of a line is looked at, and what belongs to it; what people say to each other stays as it is.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from pbem.language.catalogues import ENGLISH, Language, current
from pbem.language.orders import replaced, spoken
from pbem.rails.names import folded

ALONE = (
    "help", "status", "log", "rules", "board", "map", "more", "undo", "pause", "resume", "back", "resign", "yes", "no",
    "close",
)  # fmt: skip
"""They stand alone in their line."""
WITH_DAYS = ("pause", "away")
"""They go on with days, and with the words for them."""
ABOUT_PLACES = ("describe", "link", "reach")
"""They go on with places of the board."""
SPEECH = ("say", "note")
"""What follows is said to others, or kept."""
WORDS = (*ALONE, *ABOUT_PLACES, "away", *SPEECH, "try", "until", "from")
"""``until`` does for "to" as well."""
CONTEXT = "email word"
_FIRST = re.compile(r"\s*([^\W\d_]+)")


def in_english(text: str) -> str:
    language = current()
    if language is ENGLISH:
        return text
    lines, spoken = [], False
    for line in text.splitlines():
        lines.append(_line(line, _meanings(language), spoken))
        found = _FIRST.match(lines[-1])
        spoken = spoken or (found is not None and found[1].casefold() in SPEECH)
    return "\n".join(lines)


def _line(line: str, meanings: Mapping[str, str], spoken: bool) -> str:
    """``spoken``: it stands below something that is said."""
    first = _FIRST.match(line)
    meant = meanings.get(folded(first[1])) if first is not None else None
    if not spoken and meanings.get(folded(line)) in ALONE:
        return meanings[folded(line)]
    if first is None or meant is None:
        return line
    if meant in WITH_DAYS and not spoken:
        return f"{line[: first.start(1)]}{meant}{_days(line[first.end(1) :], meanings)}"
    if meant in SPEECH or (meant in ("try", *ABOUT_PLACES) and not spoken):
        return f"{line[: first.start(1)]}{meant}{line[first.end(1) :]}"
    return line


def _days(text: str, meanings: Mapping[str, str]) -> str:
    """Days behind a word: "from" stands before the first of them only, as the same word may stand within a day."""
    first = _FIRST.match(text)
    begins = first is not None and meanings.get(folded(first[1])) == "from"
    days = text[first.end(1) :] if first is not None and begins else text
    until = replaced(days, {spelling: word for spelling, word in meanings.items() if word == "until"})
    return f" from{until}" if begins else until


@cache
def _meanings(language: Language) -> Mapping[str, str]:
    return {spelling: word for spelling, word in spellings(language) if spelling not in WORDS}


def spelled(word: str) -> str:
    """A word as the language that is read writes it first, the word itself where it has none of its own; an order that
    stands alone likewise."""
    if word not in WORDS:
        return spoken(word)
    language = current()
    return word if language is ENGLISH else language.translate_in(CONTEXT, word).partition("|")[0]


def typed(word: str) -> str:
    """How a word is typed, with what belongs to it: "away from … to …"."""
    if word in ("try", *ABOUT_PLACES, *SPEECH):
        return f"{spelled(word)} …"
    if word == "away":
        return f"{spelled(word)} {spelled('from')} … {'to' if current() is ENGLISH else spelled('until')} …"
    return spelled(word)


def spellings(language: Language) -> Iterator[tuple[str, str]]:
    """Every spelling of a language, without accents, case and spaces, with the English word."""
    for word in WORDS:
        said = language.translate_in(CONTEXT, word)
        for spelling in said.split("|") if said != word else ():
            yield folded(spelling), word
