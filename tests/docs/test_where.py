"""``docs/README.md`` tells a newcomer where the code for something is; every place that it names is there."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from pbem.store import tables

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
PAGE = (DOCS / "README.md").read_text("utf-8")
WRITERS = re.search(r"## Who writes which table\n(.*?)\n## ", PAGE, re.DOTALL)


def names(path: Path) -> set[str]:
    """The functions and classes of a module, and the methods as ``Class.method``."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.AsyncFunctionDef)}
    return found


def creators() -> dict[str, set[str]]:
    """For every table the modules of the service in which a row of it is made."""
    kinds = {kind.__name__: str(kind.__tablename__) for kind in tables.Table.__subclasses__()}
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {
            name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem.store.tables")
            for name in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (kind := _made(node, imported)) in kinds:
                found[kinds[kind]].add(str(path.relative_to(ROOT)))
    return dict(found)


def _made(call: ast.Call, imported: set[str]) -> str:
    """The class of a call such as ``Seat(…)``, ``tables.Move(…)``, ``upsert(session, Allowance)``
    ``insert(Move)`` or a queue of it."""
    match call:
        case ast.Call(
            func=ast.Name(id="upsert" | "insert_into" | "insert_unless_known"),
            args=[_, ast.Name(id=name), *_],
        ) if name in imported:
            return name
        case ast.Call(func=ast.Name(id="Letters" | "Messages" | "insert"), args=[ast.Name(id=name), *_]) if (
            name in imported
        ):
            return name
        case ast.Call(func=ast.Name(id=name)) if name in imported:
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id="tables"), attr=name)):
            return name
    return ""


def test_every_function_and_class_that_is_named_is_in_its_file() -> None:
    named = re.findall(r"\[`([\w.]+)`\]\(\.\./([\w/]+\.py)\)", PAGE)
    assert len(named) > 50
    assert [(name, path) for name, path in named if name not in names(ROOT / path)] == []


def test_every_link_of_the_documents_leads_to_a_file() -> None:
    for page in sorted(DOCS.rglob("*.md")):
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), (page.name, link)


def test_every_table_is_listed_with_the_modules_that_create_its_rows() -> None:
    assert WRITERS
    listed: defaultdict[str, set[str]] = defaultdict(set)
    for first, created in re.findall(r"^\| (`.+?) \| (.+?) \| ", WRITERS[1], re.MULTILINE):
        for table in re.findall(r"`(\w+)`", first):
            listed[table] |= set(re.findall(r"\(\.\./([\w/]+\.py)\)", created))
    assert dict(listed) == creators()


@pytest.mark.parametrize("part", ["service", "web"])
def test_tests_lie_in_the_rooms_of_what_they_test(part: str) -> None:
    """A file that is in no room is about several of them."""
    rooms, tested = (
        {path.name for path in (ROOT / folder / part).iterdir() if path.is_dir() and path.name != "__pycache__"}
        for folder in ("pbem", "tests")
    )
    assert tested == rooms
    beside = {path.name for path in (ROOT / "tests" / part).glob("test_*.py")}
    assert len(beside) < 8, "a test of one room lies in it"
