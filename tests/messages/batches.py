"""Sentences out to a translator and back, as JSON lists."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog

from tests.messages import catalogues, checks
from tests.messages.found import Key, Message

REACH = 2_000
"""Numbers that are tried for examples of each form."""


def untranslated(catalogue: Catalog, messages: Mapping[Key, Message], within: str = "") -> Iterator[dict[str, Any]]:
    """What nobody has translated yet, as a translator gets it; ``within``: only of files whose path begins so."""
    for key, message in messages.items():
        if catalogues.filled(catalogues.entry(catalogue, key)):
            continue
        if within and not any(place.startswith(within) for place in message.places):
            continue
        yield as_json(message, catalogue)


def as_json(message: Message, catalogue: Catalog) -> dict[str, Any]:
    """A sentence with blanks for its translation, one for each form where a number decides."""
    shown: dict[str, Any] = {"key": message.one}
    if message.many:
        shown["many"] = message.many
    if message.context:
        shown["context"] = message.context
    if message.comments:
        shown["comment"] = " ".join(message.comments)
    shown["places"] = message.places[:3]
    if message.many:
        shown["forms"] = [f"n = {numbers}" for numbers in examples(catalogue)]
        shown["translation"] = [""] * catalogue.num_plurals
    else:
        shown["translation"] = ""
    return shown


def examples(catalogue: Catalog) -> list[str]:
    """For which numbers each form of the language stands."""
    forms: list[list[str]] = [[] for _ in range(catalogue.num_plurals)]
    form_of = _plural(catalogue)
    for n in range(REACH):
        if len(found := forms[form_of(n)]) < 6:
            found.append(str(n))
    return [", ".join([*numbers, "…"] if len(numbers) == 6 else numbers) for numbers in forms]


def _plural(catalogue: Catalog) -> Any:
    from gettext import c2py  # what reads Plural-Forms when a catalogue is used

    return c2py(catalogue.plural_expr)


def take(catalogue: Catalog, messages: Mapping[Key, Message], batch: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Put the translations of a batch into the catalogue: how many, and what is wrong with the others."""
    taken, wrong = 0, []
    for item in batch:
        key = (str(item.get("context", "")), str(item.get("key", "")))
        found, message = catalogues.entry(catalogue, key), messages.get(key)
        if found is None or message is None:
            wrong.append(f"“{key[1]}” is no sentence of the project (any more).")
            continue
        given = item.get("translation", "")
        forms = [given] if isinstance(given, str) else [str(form) for form in given]
        if not any(form.strip() for form in forms):
            continue  # left blank
        wanted = catalogue.num_plurals if message.many else 1
        if faults := checks.wrong(message.one, message.many, forms, wanted):
            wrong += [f"“{key[1]}”: {fault}." for fault in faults]
            continue
        found.string = tuple(forms) if message.many else forms[0]
        taken += 1
    return taken, wrong


def read(path: Path) -> list[dict[str, Any]]:
    """A batch from its file; ``ValueError`` when it is no list of sentences."""
    found = json.loads(path.read_text("utf-8"))
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError(f"{path} is no list of sentences")
    return found


def write(path: Path, batch: list[dict[str, Any]]) -> None:
    path.write_text(json.dumps(batch, ensure_ascii=False, indent=1) + "\n", "utf-8")
