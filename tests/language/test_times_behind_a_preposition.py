"""A time behind until, by, since, from or of is given as such: Polish declines its weekday, Spanish has no comma."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, nodes

from tests.messages.found import ROOT

BEHIND = re.compile(r"\b(?:until|by|since|from|to|of)\s?(?:<\w+>)?\{(\w+)\}", re.IGNORECASE)
Found = TypeVar("Found", nodes.Call, nodes.Filter)
SENTENCES = {"_", "ngettext", "pgettext", "say", "count_say"}
TIMES, LIMITS = {"when", "day", "time", "date", "moment"}, {"limit", "limit_day", "limit_date", "limit_said"}
"""What gives a time, and what gives one behind a preposition: functions, filters and methods."""


def _wrong(sentences: list[str], given: dict[str, set[str]]) -> Iterator[str]:
    """Places of a sentence that are given a time of the other kind; ``given``: what their values are made by. A time
    with which a sentence begins ("{when} UTC") is part of another one."""
    behind = {name for sentence in sentences for name in BEHIND.findall(sentence)}
    for name, made_by in given.items():
        if not sentences[0].startswith(f"{{{name}}}") and made_by & (TIMES if name in behind else LIMITS):
            yield f"{{{name}}} in “{sentences[0]}”"


def _in_template(path: Path) -> Iterator[str]:
    tree = Environment(extensions=["jinja2.ext.do"]).parse(path.read_text("utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in SENTENCES:
            sentences = [arg.value for arg in call.args if isinstance(arg, nodes.Const) and isinstance(arg.value, str)]
            given = {
                value.key: {
                    called.node.name
                    for called in _every(value.value, nodes.Call)
                    if isinstance(called.node, nodes.Name)
                }
                | {filtered.name for filtered in _every(value.value, nodes.Filter)}
                for value in call.kwargs
            }
            yield from _wrong(sentences, given) if sentences else ()


def _every(value: nodes.Expr, kind: type[Found]) -> Iterator[Found]:
    yield from [value] if isinstance(value, kind) else []
    yield from value.find_all(kind)


def _in_module(path: Path) -> Iterator[str]:
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SENTENCES:
            sentences = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            given = {keyword.arg: _called(keyword.value) for keyword in call.keywords if keyword.arg}
            yield from _wrong(sentences, given) if sentences else ()


def _called(value: ast.expr) -> set[str]:
    functions = [found.func for found in ast.walk(value) if isinstance(found, ast.Call)]
    return {
        function.attr if isinstance(function, ast.Attribute) else function.id
        for function in functions
        if isinstance(function, ast.Attribute | ast.Name)
    }


def test_templates_give_a_time_behind_a_preposition_as_such() -> None:
    templates = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt", ".jinja")]
    faults = [f"{path.relative_to(ROOT)}: {fault}" for path in templates for fault in _in_template(path)]
    assert len(templates) > 200
    assert not faults, "\n".join(sorted(faults))


def test_code_gives_a_time_behind_a_preposition_as_such() -> None:
    modules = [path for folder in ("pbem", "workers") for path in (ROOT / folder).rglob("*.py")]
    faults = [f"{path.relative_to(ROOT)}: {fault}" for path in modules for fault in _in_module(path)]
    assert not faults, "\n".join(sorted(faults))
