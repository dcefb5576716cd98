"""The words of the text of positions in all languages, for programs that read emails."""

from collections.abc import Iterable

from pbem.engine.sheet import Sheet
from pbem.language.catalogues import languages, reading
from pbem.language.voice import READER


def position_words(sheets: Iterable[Sheet]) -> list[dict[str, str]]:
    """Each word of these sheets once, by the code of the language."""
    words = dict.fromkeys(word for sheet in sheets for word in sheet.text_words())
    said: dict[str, list[str]] = {}
    for language in languages():
        with reading(language.code):
            said[language.code] = [READER.fixed(word) for word in words]
    return [dict(zip(said, row, strict=True)) for row in zip(*said.values(), strict=True)]
