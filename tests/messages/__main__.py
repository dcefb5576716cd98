"""``python -m tests.messages``: what ``make messages`` runs, and how translators get sentences and give them back."""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from babel.messages.catalog import Catalog

from pbem.language import compiling
from tests.messages import batches, catalogues
from tests.messages.found import ROOT, Key, Message, Unreadable, messages

PAGE = ROOT / "docs" / "extending.md"
TABLE = re.compile(r"^\| language \| code \|.*\n(?:\|.*\n)*", re.MULTILINE)


def main() -> int:
    chosen = _arguments()
    try:
        found = messages()
    except Unreadable as unreadable:
        print(unreadable, file=sys.stderr)
        return 1
    if chosen.what == "untranslated":
        return _untranslated(chosen, found)
    if chosen.what == "lacking":
        return _lacking(found)
    if chosen.what == "take":
        return _take(chosen.language, chosen.file, found)
    for code in chosen.languages or catalogues.codes():
        catalogue = _current(code, found)
        catalogues.write(code, catalogue)
        done = sum(catalogues.filled(catalogues.entry(catalogue, key)) for key in found)
        print(f"{code}: {done} of {len(found)} sentences")
    compiling.compile_all(catalogues.FOLDER)
    _tell(found)
    return 0


def _tell(found: Mapping[Key, Message]) -> None:
    """Write the table of the document: how much of every language is done."""
    lines = ["| language | code | done |", "| --- | --- | ---: |"]
    for code in catalogues.codes():
        catalogue = catalogues.read(code)
        assert catalogue.locale is not None
        name = catalogue.locale.language_name.capitalize()
        lines.append(f"| {name} | `{code}` | {catalogues.percent(catalogue, found)} % |")
    text = PAGE.read_text("utf-8")
    PAGE.write_text(TABLE.sub("\n".join(lines) + "\n", text), "utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.messages", description=__doc__)
    parser.set_defaults(what="update", languages=[])
    whats = parser.add_subparsers(title="what to do")
    update = whats.add_parser("update", help="bring the catalogues up to date with the sentences, and compile them")
    update.add_argument("languages", nargs="*", help="these only; one that is not there yet is begun")
    out = whats.add_parser("untranslated", help="write sentences that nobody has translated yet into a JSON file")
    out.set_defaults(what="untranslated")
    out.add_argument("language")
    out.add_argument("most", type=int, help="how many at the most")
    out.add_argument("file", type=Path)
    out.add_argument("--within", default="", help="only of files whose path begins so, for example templates/mail")
    out.add_argument("--part", default="1/1", help="2/3: the second of three parts, for several translators at once")
    whats.add_parser("lacking", help="fail where a whole language lacks a sentence").set_defaults(what="lacking")
    take = whats.add_parser("take", help="put the translations of a JSON file into the catalogue, and compile it")
    take.set_defaults(what="take")
    take.add_argument("language")
    take.add_argument("file", type=Path)
    return parser.parse_args()


def _lacking(found: Mapping[Key, Message]) -> int:
    lacking = catalogues.lacking(found)
    for code, keys in lacking.items():
        for _, one in keys:
            print(f"{code}: {one}", file=sys.stderr)
    return 1 if any(lacking.values()) else 0


def _current(code: str, found: Mapping[Key, Message]) -> Catalog:
    return catalogues.updated(catalogues.read(code), found.values())


def _untranslated(chosen: argparse.Namespace, found: Mapping[Key, Message]) -> int:
    number, parts = map(int, chosen.part.split("/"))
    mine = dict(list(found.items())[len(found) * (number - 1) // parts : len(found) * number // parts])
    missing = list(batches.untranslated(_current(chosen.language, found), mine, chosen.within))
    batches.write(chosen.file, missing[: chosen.most])
    print(f"{min(chosen.most, len(missing))} of {len(missing)} sentences without a translation")
    return 0


def _take(code: str, file: Path, found: Mapping[Key, Message]) -> int:
    catalogue = _current(code, found)
    try:
        taken, wrong = batches.take(catalogue, found, batches.read(file))
    except (OSError, ValueError, json.JSONDecodeError) as error:
        print(error, file=sys.stderr)
        return 1
    catalogues.write(code, catalogue)
    compiling.compile_all(catalogues.FOLDER)
    print(f"{taken} translations taken")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
