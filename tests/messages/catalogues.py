"""The catalogues: brought up to date with the sentences of the project, read and written."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po, write_po

from pbem.language.catalogues import DOMAIN
from tests.messages.found import ROOT, Key, Message

WHOLE = ("es", "pl", "pt")
"""Languages in which a release leaves nothing in English."""
FOLDER = ROOT / "templates" / "messages"
HEADER = """\
# What people read in {name}: pages, emails, the log and what the rules say. How to change it: docs/extending.md
msgid ""
msgstr ""
"Language: {code}\\n"
"X-Language-Name: {own}\\n"
"Plural-Forms: {forms}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""Without the dates and names that tools like to put there: two translators would meet in them."""


def codes() -> list[str]:
    return sorted(path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def file_of(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(code: str) -> Catalog:
    """The catalogue of a language, empty when there is none yet."""
    if not (path := file_of(code)).exists():
        return Catalog(locale=code, domain=DOMAIN)
    with path.open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def entry(catalogue: Catalog, key: Key) -> Entry | None:
    context, one = key
    return catalogue.get(one, context or None)


def lacking(found: Mapping[Key, Message]) -> dict[str, list[Key]]:
    """The sentences that are not translated, of each language that is whole."""
    whole = {code: read(code) for code in WHOLE}
    return {code: [key for key in found if not filled(entry(whole[code], key))] for code in WHOLE}


def filled(found: Entry | None) -> bool:
    """Whether somebody has translated it, in every form."""
    if found is None:
        return False
    forms = found.string if isinstance(found.string, tuple | list) else (found.string,)
    return all(forms)


def percent(catalogue: Catalog, messages: Iterable[Key]) -> int:
    """How much of the sentences is translated; 100 is all."""
    done = [filled(entry(catalogue, key)) for key in messages]
    return 100 * sum(done) // len(done)


def updated(old: Catalog, messages: Iterable[Message]) -> Catalog:
    """A catalogue of just these sentences, with their old translations; others that were translated stay behind it."""
    new = Catalog(locale=old.locale, domain=DOMAIN)
    new.mime_headers = [("Plural-Forms", old.plural_forms)]
    known = set()
    for message in messages:
        key = (message.context, message.one)
        known.add(key)
        before = entry(old, key) or old.obsolete.get((message.one, message.context) if message.context else message.one)
        blank = ("",) * new.num_plurals if message.many else ""
        kept = before.string if before is not None and isinstance(before.string, tuple) == bool(message.many) else blank
        new.add(
            (message.one, message.many) if message.many else message.one,
            kept,
            locations=[(place, 0) for place in message.places],
            auto_comments=message.comments,
            user_comments=before.user_comments if before is not None else (),
            context=message.context or None,
        )
    for gone in (*old, *old.obsolete.values()):
        one = gone.id[0] if isinstance(gone.id, tuple | list) else gone.id
        if one and ((gone.context or ""), one) not in known and filled(gone):
            new.obsolete[(one, gone.context) if gone.context else one] = gone
    return new


def write(code: str, catalogue: Catalog) -> None:
    """Write the catalogue of a language, always in the same form."""
    path = file_of(code)
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = io.BytesIO()
    write_po(entries, catalogue, width=0, include_lineno=False, omit_header=True)
    assert catalogue.locale is not None
    own = catalogue.locale.language_name.capitalize()
    header = HEADER.format(name=catalogue.locale.english_name, own=own, code=code, forms=catalogue.plural_forms)
    path.write_bytes(header.encode() + entries.getvalue())
