"""Languages for tests, whatever the catalogues hold today."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from typing_extensions import override

from pbem.language import Language
from pbem.language.catalogues import _every


class Changed(NullTranslations):
    """Every sentence, changed by a function."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self._change = change

    @override
    def gettext(self, message: str) -> str:
        return self._change(message)

    @override
    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._change(msgid1 if n == 1 else msgid2)

    @override
    def pgettext(self, context: str, message: str) -> str:
        return self._change(message)


@contextmanager
def spoken_as(change: Callable[[str], str], code: str = "pl") -> Iterator[str]:
    """As long as this is open, there is a language whose sentences are the English ones, changed."""
    known = dict(_every())
    _every()[code] = Language(code, lambda: Changed(change))
    try:
        yield code
    finally:
        _every().clear()
        _every().update(known)


def angled(sentence: str) -> str:
    """«The sentence»"""
    return f"«{sentence}»"
