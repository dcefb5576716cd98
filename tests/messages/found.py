"""Every sentence of the project that is marked for translation, with where it stands.

Templates say ``_("…")``, ``ngettext("…", "…", n)`` and ``pgettext("context", "…")``, rules and services ``say("…")``
and ``count_say("…", "…", n)``. Texts that stand in tables and files (words of the rulebook, remarks on maps) are
gathered by :mod:`tests.messages.gathered`. A sentence that is put together before it is marked could never be found in
a catalogue: that is a :class:`Unreadable`.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, nodes

ROOT = Path(__file__).parents[2]
TEMPLATES = ("*.html", "*.txt", "*.jinja", "*.xml", "*.svg")
PYTHON = ("pbem", "maps", "workers")
TO_READER = "to_reader"
"""Gives the forms of a sentence in its named arguments: one, or one and that for many."""
KEYWORDS = {"say": (0, None), "count_say": (0, 1), "refuse": (1, None), "no": (1, None)}
"""Functions that take a sentence: at which place it stands, and at which the form for many."""
PLACE = re.compile(r"\{\w+\}")
IN_TEMPLATE = r"(?s)\{#-?\s*TRANSLATORS:\s*(.*?)\s*-?#\}"
IN_PYTHON = r"(?m)^[ \t]*#[ \t]*TRANSLATORS:[ \t]*([^\n]*(?:\n[ \t]*#[^\n]*)*)"
"""Notes for translators stand in the line before the sentence."""


class Unreadable(Exception):
    """Something that is marked is no plain sentence; says where."""


@dataclass
class Message:
    """A sentence: ``one`` is the key, with ``many`` where a number decides, ``context`` where a word has several
    meanings."""

    one: str
    many: str = ""
    context: str = ""
    comments: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)


Key = tuple[str, str]
"""Context and sentence."""


def messages() -> dict[Key, Message]:
    """All of them, in the order of the files they stand in."""
    found: dict[Key, Message] = {}
    for path in _templates():
        for message in of_template(path.read_text("utf-8"), _place(path)):
            _add(found, message)
    for folder in PYTHON:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for message in of_python(path.read_text("utf-8"), _place(path)):
                _add(found, message)
    from tests.messages import gathered

    for message in gathered.messages():
        _add(found, message)
    return found


def _templates() -> Iterator[Path]:
    folder = ROOT / "templates"
    for path in sorted(folder.rglob("*")):
        if any(path.match(pattern) for pattern in TEMPLATES) and "static" not in path.parts:
            yield path


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _add(found: dict[Key, Message], new: Message) -> None:
    if not new.many and not PLACE.sub("", new.one, 1).strip("{}$×:;.,()[]–— "):
        return  # a value alone
    known = found.setdefault((new.context, new.one), new)
    if known is new:
        return
    if new.many and known.many and new.many != known.many:
        raise Unreadable(f"{new.places[0]}: “{new.one}” has another plural in {known.places[0]}")
    known.many = known.many or new.many
    for own, others in ((known.comments, new.comments), (known.places, new.places)):
        own += [other for other in others if other not in own]


def of_template(source: str, place: str) -> Iterator[Message]:
    environment = Environment(extensions=["jinja2.ext.do"])
    notes = dict(_notes(source, IN_TEMPLATE))
    for call in environment.parse(source).find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name not in ("_", "gettext", "ngettext", "pgettext"):
            continue
        wanted = 2 if call.node.name in ("ngettext", "pgettext") else 1
        if wanted == 1 and call.args and isinstance(call.args[0], nodes.Name | nodes.Getattr | nodes.Getitem):
            continue  # a text that is gathered where it stands
        texts = [str(arg.value) for arg in call.args[:wanted] if isinstance(arg, nodes.Const) and arg.value]
        if len(texts) < wanted:
            raise Unreadable(f"{place}:{call.lineno}: {call.node.name}() needs whole sentences in quotes")
        one, *more = texts
        message = Message(one, places=[place], comments=_beside(notes, call.lineno))
        if call.node.name == "pgettext":
            message.context, message.one = one, more[0]
        elif more:
            message.many = more[0]
        yield message


def of_python(source: str, place: str) -> Iterator[Message]:
    notes, tree = dict(_notes(source, IN_PYTHON)), ast.parse(source)
    for call, passed_on in _calls(tree, frozenset()):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == TO_READER:
            yield from _forms(call, place)
        if name not in KEYWORDS or len(call.args) <= KEYWORDS[name][0]:
            continue
        at, other = KEYWORDS[name]
        if isinstance(call.func, ast.Attribute) and not isinstance(
            call.args[at], ast.Constant | ast.IfExp | ast.JoinedStr
        ):
            continue  # a method that is named alike
        where = f"{place}:{call.lineno}: {name}()"
        ones = _texts(call.args[at], where, passed_on)
        manys = _texts(call.args[other], where, passed_on) if other is not None else []
        for one in ones:
            yield Message(one, manys[0] if manys else "", places=[place], comments=_beside(notes, call.lineno))


def _forms(call: ast.Call, place: str) -> Iterator[Message]:
    """What sentences that name a player are to that player."""
    for keyword in call.keywords:
        forms = keyword.value.elts if isinstance(keyword.value, ast.Tuple) else [keyword.value]
        where = f"{place}:{call.lineno}: {TO_READER}()"
        one, *many = [text for form in forms for text in _texts(form, where, frozenset())]
        (said,) = _texts(call.args[0], where, frozenset())
        note = f"Said to the player who is {{{keyword.arg}}} in “{said}”."
        yield Message(one, "".join(many), places=[place], comments=[note])


def _calls(node: ast.AST, parameters: frozenset[str]) -> Iterator[tuple[ast.Call, frozenset[str]]]:
    """Every call, and the parameters of the function it stands in, which may hand a sentence on."""
    if isinstance(node, ast.FunctionDef):
        parameters = frozenset(arg.arg for arg in (*node.args.posonlyargs, *node.args.args))
    if isinstance(node, ast.Call):
        yield node, parameters
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, parameters)


def _texts(argument: ast.expr, where: str, passed_on: frozenset[str]) -> list[str]:
    match argument:
        case ast.Constant(value=text):
            return [text] if isinstance(text, str) and text else []
        case ast.IfExp(body=body, orelse=orelse):
            return [*_texts(body, where, passed_on), *_texts(orelse, where, passed_on)]
        case ast.Name(id=name) if name in passed_on:
            return []
        case ast.Call(func=ast.Name(id="say" | "count_say")):
            return []  # marked by itself
    raise Unreadable(f"{where} needs a whole sentence in quotes, not {ast.unparse(argument)}")


def _notes(source: str, pattern: str) -> Iterator[tuple[int, str]]:
    """Notes for translators by the number of the line they end in."""
    for found in re.finditer(pattern, source):
        text = re.sub(r"\n\s*#", " ", found[1])
        yield source.count("\n", 0, found.end()) + 1, " ".join(text.split())


def _beside(notes: dict[int, str], line: int) -> list[str]:
    return [notes[near] for near in (line - 1, line) if near in notes]
