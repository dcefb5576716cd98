"""``_``, ``ngettext`` and ``pgettext`` of the templates of pages and emails: whole sentences with ``{named}`` values.

In HTML the sentence itself is trusted, tags included, and every value is escaped; a value that is markup stays so.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from pbem.engine import Say


class TemplateVoice(Protocol):
    """What reads the sentences of a template: it knows the reader's language and whether markup is written."""

    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> str:
        """A sentence of a template, which may hold markup of its own, still with its ``{named}`` places."""

    def read(self, sentence: Say) -> str:
        """A sentence of the rules as it stands in the text or the markup."""


def install(environment: Environment, voice_of: Callable[[Context], TemplateVoice]) -> None:
    """Give templates the functions, which speak with the voice that ``voice_of`` finds."""

    @pass_context
    def _gettext(context: Context, one: str, /, **values: object) -> str:
        voice = voice_of(context)
        return _whole(voice.trusted(one), values, voice)

    @pass_context
    def ngettext(context: Context, one: str, many: str, n: int, /, **values: object) -> str:
        voice = voice_of(context)
        return _whole(voice.trusted(one, many, n), {"n": n} | values, voice)

    @pass_context
    def pgettext(context: Context, meaning: str, one: str, /, **values: object) -> str:
        voice = voice_of(context)
        return _whole(voice.trusted(one, context=meaning), values, voice)

    environment.globals |= {"_": _gettext, "gettext": _gettext, "ngettext": ngettext, "pgettext": pgettext}


def _whole(sentence: str, values: Mapping[str, object], voice: TemplateVoice) -> str:
    if not values:
        return sentence
    return sentence.format_map({name: _spoken(value, voice) for name, value in values.items()})


def _spoken(value: object, voice: TemplateVoice) -> object:
    return voice.read(value) if isinstance(value, Say) else value
