"""Foreign text made fit for a letter, and paragraphs of the text part."""

import re
import textwrap
import unicodedata

from pbem.engine import position_text

COLUMNS = position_text.COLUMNS
"""Width of the text part; links alone may be longer."""

JOINER = "\u200d"
"""Makes one picture of two, a family for instance."""
_JOINERS = "\u200c" + JOINER
_MARKS = frozenset({"Mn", "Me", "Mc"})
_SKINS = "".join(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_GAP = re.compile(r"\n\s*\n")
_BEFORE_ORDINAL = re.compile(r" (?=\d+\.(?: |$))")
"""Where no line is broken: one that began with the number of "you are 1. of 4" would look like a numbered answer."""


def tidy(text: str, longest: int) -> str:
    """One line of at most ``longest`` characters, cut with "…" between two that people see as such: no control,
    direction or unassigned characters.

    Names and titles come from people; whatever they typed, this neither breaks a header nor turns the
    letters around it.
    """
    whole = unicodedata.normalize("NFC", text)
    if not whole.isprintable():  # what is printable is neither unseen nor, but for the plain space, a gap
        whole = whole.translate({ord(one): _seen(one) for one in set(whole) if not one.isprintable()})
    line = " ".join(whole.split())
    return line if len(line) <= longest else line[: _boundary(line, longest - 1)].rstrip() + "…"


def _boundary(line: str, place: int) -> int:
    """The last place up to here at which a character ends for people: no accent, skin or flag is torn off."""
    while place > 0 and (_joins(line[place]) or line[place - 1] == JOINER or _in_flag(line, place)):
        place -= 1
    return place


def _joins(character: str) -> bool:
    return character == JOINER or unicodedata.category(character) in _MARKS or character in _SKINS


def _in_flag(line: str, place: int) -> bool:
    before = len(line[:place]) - len(line[:place].rstrip(_FLAG_LETTERS))
    return line[place] in _FLAG_LETTERS and before % 2 == 1


def _seen(character: str) -> str:
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in _UNSEEN and character not in _JOINERS else character


def tidy_lines(text: str, lines: int, longest: int) -> tuple[str, ...]:
    """Text of several lines, each tidy; a last "…" stands for lines beyond ``lines``."""
    all_lines = text.splitlines() or [""]
    kept = tuple(tidy(line, longest) for line in all_lines[:lines])
    return kept if len(all_lines) <= lines else (*kept, "…")


def fill(text: str, hang: int = 0, first: str = "") -> str:
    """Paragraphs (parted by blank lines) wrapped at 72 columns.

    ``first`` opens the first line of each, ``hang`` spaces indent its other lines.
    """
    return "\n\n".join(_filled(part, hang, first) for part in _GAP.split(text.strip()))


def _filled(paragraph: str, hang: int, first: str) -> str:
    return textwrap.fill(
        _BEFORE_ORDINAL.sub("\0", " ".join(paragraph.split())),
        COLUMNS,
        initial_indent=first,
        subsequent_indent=" " * hang,
        break_on_hyphens=False,
    ).replace("\0", " ")


def attribute(text: str) -> str:
    """The text for an attribute of HTML, where css-inline writes angles bare and not all readers like that."""
    return text.replace("<", "‹").replace(">", "›")


def small(text: str) -> str:
    return text[:1].lower() + text[1:]
