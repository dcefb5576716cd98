"""What is wrong with a translation, as far as a program can tell: its parameters, tags, forms and edges."""

import re
from collections import Counter
from collections.abc import Sequence
from string import Formatter

TAG = re.compile(r"</?[a-z][^<>]*>")
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);", re.IGNORECASE)
PLACE = re.compile(r"\{\w+\}")
FIGURE = re.compile(r"\$|\d+")
THOUSANDS = re.compile(r"(?<=\d)[,.\u00a0](?=\d{3})")
MIDNIGHT = "24:00"
"""What a language may say in words."""


def wrong(one: str, many: str, forms: Sequence[str], wanted: int) -> list[str]:
    """Everything that is wrong with the ``forms`` of a translation; ``wanted``: how many there must be."""
    if len(forms) != wanted:
        return [f"there must be {wanted} forms, not {len(forms)}"]
    found = []
    for form in forms:
        found += [f"“{form}” {why}" for why in _wrong(one, many, form)]
    return found


def _wrong(one: str, many: str, form: str) -> list[str]:
    if not form.strip():
        return ["is empty"]
    found = []
    for source in (one, many) if many else (one,):
        found = _unlike(source, form)
        if not found:
            return []
    return found


def _unlike(source: str, form: str) -> list[str]:
    """How a form differs from a sentence where it must not."""
    try:
        own = parameters(form)
    except ValueError as error:
        return [f"has braces that do not fit: {error}"]
    found = []
    if own != parameters(source):
        found.append(f"has the parameters {_listed(own)} in place of {_listed(parameters(source))}")
    if Counter(TAG.findall(form)) != Counter(TAG.findall(source)):
        found.append("has other tags than the sentence")
    if set("<>") & set(TAG.sub("", form)) != set("<>") & set(TAG.sub("", source)):
        found.append("has an angle that opens or closes nothing")
    if '"' in TAG.sub("", form) and '"' not in TAG.sub("", source):
        found.append('has a straight quote ("), which would end an attribute: use the quotes of the language')
    if "&" in ENTITY.sub("", form) and "&" not in ENTITY.sub("", source):
        found.append("has a bare &")
    if figures(form) != figures(source):
        found.append(f"has the figures {_in_words(form)} in place of {_in_words(source)}")
    if (form[:1].isspace(), form[-1:].isspace()) != (source[:1].isspace(), source[-1:].isspace()):
        found.append("begins or ends with a space where the sentence does not")
    if "\n" in form and "\n" not in source:
        found.append("has a line break")
    return found


def parameters(sentence: str) -> set[str]:
    """The names in braces; ``ValueError`` when they are not names alone."""
    found = set()
    for _, name, form, conversion in Formatter().parse(sentence):
        if name is None:
            continue
        if form or conversion or not name.isidentifier():
            raise ValueError(f"{{{name}}} is no name")
        found.add(name)
    return found


def figures(sentence: str) -> Counter[str]:
    """Its dollars and numbers, without those of tags and of what stands in braces."""
    bare = PLACE.sub(" ", ENTITY.sub(" ", TAG.sub(" ", sentence))).replace(MIDNIGHT, "")
    return Counter(FIGURE.findall(THOUSANDS.sub("", bare)))


def _in_words(sentence: str) -> str:
    return ", ".join(sorted(figures(sentence).elements())) or "none"


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(f"{{{name}}}" for name in names)) or "none"
