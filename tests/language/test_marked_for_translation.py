"""Every word of a page or an email stands in ``_``, ``ngettext`` or ``pgettext``, whole and with its values."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from string import Formatter

import pytest
from jinja2 import Environment, nodes
from typing_extensions import override

from pbem.settings.paths import templates_folder

FILES = sorted(
    str(path.relative_to(templates_folder()))
    for room in ("pages", "mail")
    for path in (templates_folder() / room).rglob("*")
    if path.suffix in (".html", ".svg", ".xml", ".txt", ".jinja")
)
MARKS = {"_": (0, 1), "ngettext": (0, 2), "pgettext": (1, 2)}
"""Of each function where its sentences begin and end among the arguments."""
NAMES = (
    "pbem", "Age of Steam", "Steam Power", "Discord", "Slack", "Ana",
    "HTML", "JSON", "ZIP", "WebP", "PDF", "MB", "SHA-256", "Shift", "Letter",
)  # fmt: skip
"""The same in every language."""
ATTRIBUTES = (
    "alt", "title", "aria-label", "placeholder", "content",
    "data-head", "data-words", "data-keys", "data-hint", "data-zoom", "data-pending",
    "data-agrees", "data-differs", "data-left",
)  # fmt: skip
TOLD = (
    "help",
    "more",
    "status",
    "board",
    "map",
    "describe",
    "link",
    "reach",
    "log",
    "rules",
    "undo",
    "try",
    "say",
    "note",
)
TYPED = {
    "mail/told/body.html": TOLD,
    "mail/told/body.txt": TOLD,
    "mail/submission-stuck/body.txt": ("unstick",),
    "mail/submission-stuck/body.html": ("unstick",),
    "mail/submission-stuck/sentences.jinja": ("order", "submission", "given ahead in game", "of game", "is stuck"),
}
"""Words to be typed, or looked for in a log, as they stand."""
AS_TYPED = "order"
"""What is given to a macro or as a value of this name is an order as it is typed."""
UNREAD = ("script", "style", "code", "kbd", "path", "id", "name")
"""Elements whose text is for programs, or to be typed; the last two are of a feed."""
LOOSE_ATTRIBUTE = re.compile(r"\b(aria-[a-z]+=\"[^\"]*\"|checked|selected|disabled)|(?<=\x00)#[a-z]+")
"""What a macro writes into the tag that calls it, and the end of an address."""
EXPRESSION, LETTERS = "\x00", re.compile(r"[A-Za-z]{2}")
PEOPLE = re.compile(r"[A-Za-z]{2}[.,:]? [A-Za-z]{2}|^[A-Z][a-z]+")
"""A string of a template that reads like words for people, not like the name of a class, a state or a file."""


@cache
def _environment() -> Environment:
    return Environment(extensions=["jinja2.ext.do"])


def _bare(text: str, typed: Sequence[str] = ()) -> str:
    text = LOOSE_ATTRIBUTE.sub("", text)
    for name in (*NAMES, *typed):
        text = re.sub(rf"\b{re.escape(name)}\b", "", text)
    return text


class _Words(HTMLParser):
    """What stands in a template's markup as text or in an attribute that is read out."""

    def __init__(self, typed: Sequence[str]) -> None:
        super().__init__()
        self._typed = typed
        self.found: list[str] = []
        self._inside: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNREAD:
            self._inside.append(tag)
        read = {name: value or "" for name, value in attrs if name in ATTRIBUTES}
        if tag == "meta" and dict(attrs).get("name") != "description":
            read.pop("content", None)
        if tag == "input" and dict(attrs).get("type") in ("submit", "button"):
            read["value"] = dict(attrs).get("value") or ""
        self.found += [f'{name}="{value}"' for name, value in read.items() if LETTERS.search(_bare(value))]

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in UNREAD and tag in self._inside:
            self._inside.remove(tag)

    @override
    def handle_data(self, data: str) -> None:
        if not self._inside and LETTERS.search(_bare(data, self._typed)):
            self.found.append(" ".join(data.replace(EXPRESSION, "…").split()))


def _markup(source: str) -> str:
    """A template's text; each expression is one sign, statements and comments are nothing."""
    kept = []
    for _, kind, value in _environment().lex(source):
        if kind == "data":
            kept.append(value)
        elif kind == "variable_begin":
            kept.append(EXPRESSION)
    return "".join(kept)


def _values(node: nodes.Node) -> Iterator[nodes.Const]:
    """The constants that an expression may come out as."""
    match node:
        case nodes.Const():
            yield node
        case nodes.CondExpr():
            yield from _values(node.expr1)
            if node.expr2 is not None:
                yield from _values(node.expr2)
        case nodes.Concat():
            for part in node.nodes:
                yield from _values(part)
        case nodes.Or() | nodes.And():
            yield from _values(node.left)
            yield from _values(node.right)
        case nodes.Filter(node=inner) if inner is not None:
            yield from _values(inner)
        case nodes.Getitem(node=nodes.Dict() as words):
            for pair in words.items:
                yield from _values(pair.value)
        case nodes.Call(node=nodes.Getattr(node=nodes.Dict() as words, attr="get")):
            for pair in words.items:
                yield from _values(pair.value)
            for default in node.args[1:]:
                yield from _values(default)


def _strings(tree: nodes.Template, typed: Sequence[str]) -> Iterator[str]:
    """Strings of a template's expressions that people read, and that nothing translates."""
    marked = {
        id(argument)
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in (*MARKS, AS_TYPED)
        for argument in call.args
    } | {id(named.value) for named in tree.find_all(nodes.Keyword) if named.key in (AS_TYPED, "directions")}
    shown = {
        id(value)
        for output in tree.find_all(nodes.Output)
        for node in output.nodes
        if not isinstance(node, nodes.TemplateData)
        for value in _values(node)
    }
    for const in tree.find_all(nodes.Const):
        text = const.value
        if not isinstance(text, str) or id(const) in marked or not LETTERS.search(_bare(text, typed)):
            continue
        if id(const) in shown or PEOPLE.search(_bare(text, typed)):
            yield text


def _unsound(tree: nodes.Template) -> Iterator[str]:
    """Marked sentences that no catalogue can hold, or whose values are not those they name."""
    for name in tree.find_all(nodes.Name):
        if name.name in MARKS and name.ctx != "load":
            yield f"line {name.lineno}: {name.name} is the name of something else"
    for call in tree.find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name not in MARKS:
            continue
        if call.node.name == "_" and isinstance(call.args[0], nodes.Name | nodes.Getattr | nodes.Getitem):
            continue  # a text that is gathered where it stands
        begin, end = MARKS[call.node.name]
        said = [argument.value for argument in call.args[:end] if isinstance(argument, nodes.Const)]
        if len(said) < end or not all(isinstance(text, str) for text in said):
            yield f"line {call.lineno}: {call.node.name} of something that is no plain string"
            continue
        given = {one.key for one in call.kwargs} | ({"n"} if call.node.name == "ngettext" else set())
        named = {place for text in said[begin:] for _, place, _, _ in Formatter().parse(text) if place}
        if named - given or given - named - {"n"}:
            yield f"line {call.lineno}: {said[begin]!r} names {sorted(named)} and is given {sorted(given)}"


@pytest.mark.parametrize("name", FILES)
def test_every_word_of_a_page_or_an_email_is_marked_for_translation(name: str) -> None:
    source = (templates_folder() / name).read_text("utf-8")
    typed = TYPED.get(name, ())
    words, tree = _Words(typed), _environment().parse(source)
    words.feed(_markup(source))
    words.close()
    assert [*words.found, *_strings(tree, typed), *_unsound(tree)] == []


SHOWN = re.compile(
    r"(?:\.(?:textContent|innerText|innerHTML|title|alt|data|label)\s*(?:\|\|)?=|\"aria-label\",)([^;\n]*)"
)
"""What a script puts where people read it."""
LITERAL, PUT_IN = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), re.compile(r"\$?\{[^}]*\}")


@pytest.mark.parametrize("name", sorted(path.name for path in (templates_folder() / "static").glob("*.js")))
def test_scripts_show_only_words_that_the_page_has_given_them(name: str) -> None:
    source = (templates_folder() / "static" / name).read_text("utf-8")
    literals = [PUT_IN.sub("", found) for shown in SHOWN.findall(source) for found in LITERAL.findall(shown)]
    assert [literal for literal in literals if LETTERS.search(literal)] == []
