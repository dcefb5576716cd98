"""Reads positions and printed boards from the text of emails, in whatever language they are written."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar

from pbem.engine import Sheet
from pbem.engine.position_text import Misread, Paragraph, ReadPosition, paragraphs_of, spoken
from pbem.language.catalogues import current, languages, reading
from pbem.language.voice import POSITION as CONTEXT
from pbem.language.voice import READER, GameVoice
from pbem.rails.board_text import BOARD, HEADS
from pbem.rails.position_text import CHECK, POSITION

T = TypeVar("T")


DRAWN = ", or that were named; an own map is named by its board.toml"


class ReadLetter(NamedTuple):
    sheet: Sheet
    position: ReadPosition


class ReadBoard(NamedTuple):
    sheet: Sheet
    board: dict[str, Any]


def read_letter(text: str, sheets: Iterable[Sheet]) -> ReadLetter:
    """The position in the text part of an email. Raises :class:`Misread`."""
    return _begun_with(POSITION, text, lambda paragraphs: _read(paragraphs, sheets))


def read_board(text: str, sheets: Iterable[Sheet]) -> ReadBoard:
    """The printed board in the text part of an email. Raises :class:`Misread`, also where it is not that of the map."""
    return _begun_with(BOARD, text, lambda paragraphs: _read_board(paragraphs, sheets))


def _begun_with(head: str, text: str, read: Callable[[Sequence[Paragraph]], T]) -> T:
    """What is read from the paragraph with this head on, in the language of the text."""
    paragraphs = tuple(paragraphs_of(text))
    for language in languages():
        with reading(language.code):
            heads = [paragraph.head for paragraph in paragraphs]
            if (said := _fixed(head)) in heads:
                return read(paragraphs[heads.index(said) :])
    raise Misread(f"No paragraph of the text begins with “{head}:”, in any language of pbem.")


def _fixed(word: str) -> str:
    return current().translate_in(CONTEXT, word)


def _read(paragraphs: Sequence[Paragraph], sheets: Iterable[Sheet]) -> ReadLetter:
    ends = [at for at, paragraph in enumerate(paragraphs) if paragraph.head.startswith(f"{_fixed(CHECK)}: ")]
    if not ends:
        raise Misread(f"The text has no line “{_fixed(CHECK)}”, which ends a position.")
    first = next(iter(paragraphs[0].lines), "")
    sheet = next((sheet for sheet in sheets if first.startswith(f"{sheet.full_name}: ")), None)
    if sheet is None:
        raise Misread(f"“{first}” does not begin with a game and a map that are installed here{DRAWN}.")
    return ReadLetter(sheet, read_position(sheet, paragraphs[: ends[0] + 1]))


def read_position(sheet: Sheet, paragraphs: Sequence[Paragraph]) -> ReadPosition:
    """The position of text in the language that is read. Raises :class:`Misread`, also where a line is not the one with
    which this position is written: so its check fits, and every fact that stands there twice."""
    try:
        position = sheet.read_words(paragraphs, GameVoice(sheet, None, {}))
        written = spoken(
            sheet.words(position.state, position.viewer),
            GameVoice(sheet, position.state, position.names),
            position.names,
        )
    except (ValueError, LookupError, TypeError, AssertionError) as error:
        raise error if isinstance(error, Misread) else Misread(f"The text is no position: {error}.") from error
    given, own = list(_lines(paragraphs)), list(_lines(written))
    if given != own:
        line = next((line for line in given if line not in own), given[-1])
        raise Misread(f"“{line}” does not fit the rest; the position that was read has {own[-1]}.")
    return position


def _read_board(paragraphs: Sequence[Paragraph], sheets: Iterable[Sheet]) -> ReadBoard:
    """The board that begins with the first paragraph and ends with the last of its sections."""
    named = next(iter(paragraphs[0].lines), "")
    sheet = next((sheet for sheet in sheets if sheet.full_name == named), None)
    if sheet is None:
        raise Misread(f"“{named}” is no game and map that are installed here{DRAWN}.")
    heads = set(map(_fixed, HEADS))
    sections = tuple(takewhile(lambda paragraph: paragraph.head in heads, paragraphs))
    try:
        return ReadBoard(sheet, sheet.read_board(sections, GameVoice(sheet, None, {})))
    except (ValueError, LookupError) as error:
        raise error if isinstance(error, Misread) else Misread(f"The text is no board: {error}.") from error


def _lines(paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from (paragraph.head, *paragraph.lines)


def position_words(sheets: Iterable[Sheet]) -> list[dict[str, str]]:
    words = dict.fromkeys(word for sheet in sheets for word in sheet.text_words())
    said: dict[str, list[str]] = {}
    for language in languages():
        with reading(language.code):
            said[language.code] = [READER.fixed(word) for word in words]
    return [dict(zip(said, row, strict=True)) for row in zip(*said.values(), strict=True)]
