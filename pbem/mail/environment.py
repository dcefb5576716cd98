"""The Jinja2 environment of all letters: strict about names, escaping HTML, ready for message catalogues.

Templates write ``_("Whole sentence with {name}.", name=…)`` and ``ngettext("{n} thing", "{n} things", n)``.
Both go through the voice of the letter, so a catalogue changes them together with the sentences of the game.
What people wrote stands in the values as they wrote it; one of the filters ``name``, ``names``, ``game_title``,
``order`` and ``sentence`` makes one short line of it.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound, pass_context, select_autoescape
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from markupsafe import Markup, escape
from typing_extensions import override

from pbem.engine.moves import placed
from pbem.language import email_words, markup, rulings
from pbem.mail import people
from pbem.mail.content import TITLE, log_sentences
from pbem.mail.quoting import quoted
from pbem.mail.tables import cells_of, named, overview_as_text
from pbem.mail.voices import NAME, TextVoice
from pbem.mail.words import attribute, fill, tidy
from pbem.settings.paths import templates_folder

ORDER, SENTENCE = 200, 600
"""Longest order named in a sentence, longest refusal."""
ENDINGS = ("txt", "html")
"""Of the templates for the two parts of a letter."""


class LetterLoader(FileSystemLoader):
    """A file ``x.jinja`` holds sentences for both parts of a letter: it is read as ``x.txt`` and as ``x.html``.

    They stand once, and are escaped in the HTML.
    """

    @override
    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        stem, _, ending = template.rpartition(".")
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            if ending not in ENDINGS:
                raise
        return super().get_source(environment, f"{stem}.jinja")


class LetterEnvironment(Environment):
    """Includes what is named without an ending for the part that includes it."""

    @override
    def join_path(self, template: str, parent: str) -> str:
        ending = parent.rpartition(".")[2]
        return template if template.rpartition(".")[2] in ENDINGS else f"{template}.{ending}"


@pass_context
def _spelled(context: Context, word: str) -> str:
    """A word of replies in the language of the reader; with a context, else Jinja reads a constant once for all."""
    return email_words.spelled(word)


def _said(read: Callable[..., object], voice: str = "voice") -> Callable[..., object]:
    """A filter that is given, after everything else, the voice of the part that it stands in."""

    @pass_context
    def filtered(context: Context, *values: object) -> object:
        return read(*values, _voice(context, voice))

    return filtered


def _cut(read: Callable[[Any, int], object], usual: int) -> Callable[..., object]:
    """A filter that is given how long a name may be: in a subject that is too long, less than usual."""

    @pass_context
    def filtered(context: Context, value: object) -> object:
        return read(value, context.get("longest", usual))

    return filtered


@cache
def environment() -> Environment:
    made = LetterEnvironment(
        loader=LetterLoader(templates_folder() / "mail"),
        autoescape=select_autoescape(["html"], default=False),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    markup.install(made, _voice)
    made.globals |= {"placed": placed, "quoted": quoted}
    made.filters |= {
        "read": _said(lambda sentence, voice: voice.read(sentence)),
        "fill": fill,
        "attribute": attribute,
        "lines": _said(log_sentences),
        "who": _said(lambda seat, voice: voice.who(seat)),
        "player": _said(named),
        "word": _said(lambda word, voice: voice.word(word)),
        "name": _cut(tidy, NAME),
        "brief": _cut(lambda text, longest: tidy(text, 2 * longest), ORDER),
        "names": _said(people.names),
        "tidied": _cut(people.tidied, NAME),
        "game_title": lambda text: tidy(text, TITLE),
        "order": lambda text: tidy(text.replace("\n", "; "), ORDER),
        "strong": _said(lambda value, voice: voice.marked("strong", value)),
        "reply_word": lambda word: email_words.typed(tidy(word, NAME)),
        "spelled": _spelled,
        "spoken": _said(lambda order, voice: voice.typed(order)),
        "code": _said(lambda value, voice: voice.marked("span", value, ' class="code"')),
        "cells": _said(cells_of),
        "overview_text": _said(overview_as_text, "plain_voice"),
        "cited": _cited,
        "ruling": _ruling,
        "sentence": lambda text: tidy(text, SENTENCE),
    }
    return made


def _voice(context: Context, name: str = "voice") -> TextVoice:
    voice = context[name]
    assert isinstance(voice, TextVoice)
    return voice


@cache
def _has_sentences(kind: str) -> bool:
    """Whether both parts of letters of a kind say something that stands once. There are as many kinds as templates."""
    try:
        environment().get_template(f"{kind}/sentences.txt")
    except TemplateNotFound:
        return False
    return True


def sentences(kind: str, ending: str, values: Mapping[str, object]) -> TemplateModule | None:
    """The sentences of a kind that both parts of its letters say, if it has any: the macros of its ``sentences.jinja``.

    ``ending``: txt or html, for which they are read.
    """
    if not _has_sentences(kind):
        return None
    return environment().get_template(f"{kind}/sentences.{ending}").make_module(dict(values))


@pass_context
def _cited(context: Context, sentence: str) -> str:
    """The sentence of a refusal in the HTML, its ruling a link to where that is said."""
    safe = escape(sentence)
    parts = rulings.cited(context["game"].sheet.game, safe) if context["game"] else None
    if parts is None:
        return safe
    before, number, after = parts
    return Markup('{}<a href="{}#{}">{}</a>{}').format(before, context["links"].rulings, number, number, after)


@pass_context
def _ruling(context: Context, sentence: str) -> str:
    parts = rulings.cited(context["game"].sheet.game, sentence) if context["game"] else None
    return f"{context['links'].rulings}#{parts[1]}" if parts else ""
