"""How open questions of the rules are answered, by number: what code, refusals and letters cite.

A ruling is said in one place, a page of ``docs/``, which a wheel carries as well. Whoever shows a number can ask here
whether there is such a ruling.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from pbem.engine import Value
from pbem.settings.paths import docs_folder

PAGES: Mapping[str, str] = {"age-of-steam": "rulings.md", "steam-power": "steam-power.md"}
"""The page of each game that has one; on it only headings with a table of rulings count."""

NUMBER = r"(?:SP-)?[RAP]\d+[a-z]?|\d\.\d"
CITED = re.compile(r"\(((?:SP-)?[RAP]\d+[a-z]?)\)\.?\Z")
"""The ruling at the end of the sentence that rests on it (:meth:`pbem.engine.moves.Refusal.sentence`).

A hex may be called R12 too, so no number within a sentence counts.
"""
PLACE = "where"
"""The head of the column that names a place in the code, for those who change it."""
_HEADING = re.compile(r"(#{2,3}) (?:\d+\. )?(.+)")


class Ruling(Value):
    """``says``: what is decided, as Markdown, in as many parts as its table has columns beside number and place."""

    number: str
    says: tuple[str, ...]


class Section(Value):
    """Rulings under one heading of the page. ``anchor``: the heading as part of an address, ``heads``: of its columns.

    For a phase the anchor is its name; for a map the title is its name.
    """

    anchor: str
    title: str
    heads: tuple[str, ...]
    rulings: tuple[Ruling, ...]


@cache
def sections(game: str) -> tuple[Section, ...]:
    """All rulings of a game under their headings; nothing for a game without such a page."""
    return tuple(_read((docs_folder() / PAGES[game]).read_text("utf-8"))) if game in PAGES else ()


@cache
def numbers(game: str) -> frozenset[str]:
    return frozenset(ruling.number for section in sections(game) for ruling in section.rulings)


def cited(game: str, sentence: str) -> tuple[str, str, str] | None:
    """A sentence (markup stays markup) in three parts, the middle one the number of the ruling it rests on.

    ``None`` where it names none.
    """
    found = CITED.search(sentence)
    if found is None or found[1] not in numbers(game):
        return None
    return sentence[: found.start(1)], found[1], sentence[found.end(1) :]


def _read(page: str) -> Iterator[Section]:
    title, heads, found = "", tuple[str, ...](), list[Ruling]()
    for line in (*page.splitlines(), "## "):
        if line.startswith("##"):
            if found:
                yield Section(_anchor(title), title, heads, tuple(found))
            match, found = _HEADING.match(line), []
            title = match[2] if match else ""
        elif line.startswith("|"):
            number, *said = _cells(line)
            if not number:
                heads = tuple(head for head in said if head != PLACE)
            elif re.fullmatch(NUMBER, number):
                found.append(Ruling(number, tuple(said[: len(heads)])))


def _cells(line: str) -> list[str]:
    r"""The cells of a row; a stroke inside one is written \|."""
    return [cell.strip().replace("\0", "|") for cell in line.strip("|").replace(r"\|", "\0").split("|")]


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z]+", "_", title.replace(".", "").lower()).strip("_")
