"""What people read and Python writes is a marked sentence: no error, label or caption is a plain string."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MARKS = {"say", "count_say", "refuse", "no", "to_reader", "Word"}
"""What marks its text for translation."""
ERRORS = {
    "BadAddress", "BadForm", "BadInput", "BadMove", "NotAllowed", "NotNow", "NotThere", "NotTold", "Problem",
    "Refusal", "Refused", "Forbidden", "BadRequest", "Conflict", "Gone",
}  # fmt: skip
"""Errors whose words stand on a page or in an email. ``NoSuch`` and ``BadToken`` lead to a page that says so itself."""
FOR_LOGS = {
    "AssertionError", "BadToken", "Differs", "Ended", "LookupError", "NoSuch", "RuntimeError", "TypeError",
    "ValueError", "Finding", "debug", "info", "warning", "error", "exception", "compile", "TypeVar",
}  # fmt: skip
"""Calls whose text is for logs, the operator, or a program."""
ENGLISH = (
    "pbem/web/interfaces/api.py", "pbem/web/interfaces/answers.py",
    "pbem/web/interfaces/metrics.py", "pbem/web/interfaces/programs.py",
    "pbem/service/operator/health.py", "pbem/service/archive/records.py", "pbem/service/archive/game_files.py",
    "pbem/service/archive/choochoo/export.py", "pbem/service/turns/plain_orders.py",
    "pbem/service/turns/closings.py",
)  # fmt: skip
"""The JSON API, what the operator reads, and what people write: no translation."""
GATHERED = re.compile(r"pbem/(age_of_steam|steam_power)/(words|game|rules|setup|moves|notation\w*)\.py|maps/.*")
"""Files with texts that ``tests/messages/gathered.py`` gathers, with notation and with complaints about records."""
ROOMS = (
    "pbem/web", "pbem/service", "pbem/mail", "pbem/transport/webhooks", "pbem/render", "pbem/robot",
    "pbem/age_of_steam", "pbem/steam_power", "pbem/rails", "maps",
)  # fmt: skip
UNREAD = (".sentence", ".sentence()", "why", "words")
SENTENCE = re.compile(r"[A-Z][^<>=/_]* [^<>=/_]*[.?!]")
"""Text that begins and ends as a sentence does."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def files(*rooms: str) -> list[Path]:
    found = [path for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    return [path for path in found if path.relative_to(ROOT).as_posix() not in ENGLISH]


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def is_plain(node: ast.expr) -> bool:
    """Whether it is a string that somebody has written, whole or with values."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def plain_errors(path: Path) -> Iterator[str]:
    for call in ast.walk(parsed(path)):
        if isinstance(call, ast.Call) and name_of(call) in ERRORS:
            spoken = call.args[1:2] if name_of(call) == "Problem" else call.args[:1]
            if any(is_plain(one) for one in spoken):
                yield f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}"


def unmarked(node: ast.AST) -> Iterator[ast.Constant]:
    """Strings that read like sentences and are in no mark, no docstring and no log."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and name_of(child) in MARKS | FOR_LOGS:
            continue
        if isinstance(child, ast.Assert | ast.JoinedStr) or (isinstance(child, ast.Expr) and is_plain(child.value)):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and SENTENCE.fullmatch(child.value):
            yield child
        yield from unmarked(child)


@pytest.mark.parametrize("room", ["pbem", "maps", "workers"])
def test_errors_for_people_carry_sentences(room: str) -> None:
    faults = [fault for path in files(room) for fault in plain_errors(path)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("room", ROOMS)
def test_no_whole_sentence_stands_outside_a_mark(room: str) -> None:
    found = [path for path in files(room) if not GATHERED.fullmatch(path.relative_to(ROOT).as_posix())]
    faults = [
        f"{path.relative_to(ROOT)}:{one.lineno}: {one.value!r}" for path in found for one in unmarked(parsed(path))
    ]
    assert not faults, "\n".join(faults)


def test_pages_read_sentences_where_they_print_them() -> None:
    """``str`` of a sentence is English, whoever reads the page."""
    faults = []
    for path in files("pbem/web"):
        for call in ast.walk(parsed(path)):
            if isinstance(call, ast.Call) and name_of(call) == "str" and call.args:
                said = ast.unparse(call.args[0])
                if said.endswith(UNREAD) or said.startswith(("say(", "placed(")):
                    faults.append(f"{path.relative_to(ROOT)}:{call.lineno}: str({said})")
    assert not faults, "\n".join(faults)


def test_values_of_sentences_are_no_english_words() -> None:
    """A word inside a sentence has to be a ``Word`` or a sentence itself."""
    faults = []
    for path in files("pbem", "maps", "workers"):
        for call in ast.walk(parsed(path)):
            if isinstance(call, ast.Call) and name_of(call) in MARKS - {"to_reader"}:
                words = [node for keyword in call.keywords for node in _spoken(keyword.value)]
                faults += [f"{path.relative_to(ROOT)}:{call.lineno}: {word!r}" for word in words]
    assert not faults, "\n".join(faults)


def _spoken(value: ast.expr) -> Iterator[str]:
    """English words of a value that are in no mark of their own."""
    match value:
        case ast.Constant(value=str(text)) if re.search("[a-z]{3}", text):
            yield text
        case ast.IfExp(body=first, orelse=second):
            yield from (*_spoken(first), *_spoken(second))
        case ast.BoolOp(values=several) | ast.Tuple(elts=several):
            yield from (word for one in several for word in _spoken(one))


def test_the_check_finds_what_it_is_for(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text('"""No."""\nSAID = {"a": "This is saved."}\ndef f():\n    raise NotNow(f"No {x}.")\n')
    assert [one.value for one in unmarked(ast.parse(bad.read_text()))] == ["This is saved."]
    calls = [call for call in ast.walk(ast.parse(bad.read_text())) if isinstance(call, ast.Call)]
    assert [name_of(call) for call in calls if is_plain(call.args[0])] == ["NotNow"]
