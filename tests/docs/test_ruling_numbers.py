"""Every ruling is named by a test, and the tests that name it hold the numbers it decides: prices, counts, turns."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "rulings.md", ROOT / "docs" / "steam-power.md"]
TESTS = sorted(
    path
    for folder in ("age_of_steam", "maps", "steam_power", "service")
    for path in (ROOT / "tests" / folder).rglob("test_*.py")
)
RULING = r"(?:SP-)?R\d+[a-z]?|P\d+"
CITED = re.compile(rf"(?<![-\w])(?:{RULING})\b")
NOT_DECIDED = re.compile(
    rf"`[^`]*`|{CITED.pattern}|\b(?:SP-)?[AED]\d+[a-z]?\b|[Ss]ections? \d+(?:\.\d+)?|\b\d+\.\d+\b|turns? \d+ to \d+"
)
"""What has figures in it and decides none: code, other numbers of rulings, headings; a span of turns is words."""
SPOKEN = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
AHEAD = {
    "test_standing_orders.py",
    "test_standing_orders_in_the_grace_time.py",
    "test_standing_orders_play_the_same_game.py",
}
"""Where P1 to P8 are rulings: elsewhere P3 is a hex."""


def decided() -> dict[str, str]:
    """What each ruling says, by number."""
    rows = {}
    for line in "\n".join(page.read_text("utf-8") for page in PAGES).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(RULING, cells[0]):
            rows[cells[0]] = cells[1]
    return rows


def figures(text: str) -> set[int]:
    """The numbers in a ruling, in figures or words; one and two are words of every sentence."""
    said = NOT_DECIDED.sub("", text)
    written = {int(figure) for figure in re.findall(r"(?<![\w-])\d+\b", said)}
    return written | {SPOKEN[word] for word in re.findall(r"[a-z]+", said.lower()) if word in SPOKEN}


@cache
def numbers_tested() -> dict[str, set[int]]:
    """The numbers in the tests that name each ruling."""
    found: dict[str, set[int]] = {}
    for path in TESTS:
        module = ast.parse(path.read_text("utf-8"))
        shared = dict(_shared(module))
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for ruling in CITED.findall(ast.get_docstring(node) or ""):
                    if ruling[0] != "P" or path.name in AHEAD:
                        found.setdefault(ruling, set()).update(_numbers(node, shared))
    return found


def _shared(module: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """What tests of a file use together: constants and helpers by name."""
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (name for target in targets for name in ast.walk(target)):
                if isinstance(name, ast.Name):
                    yield name.id, node
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("test_"):
            yield node.name, node


def _numbers(node: ast.AST, shared: dict[str, ast.stmt], deep: int = 2) -> set[int]:
    """The numbers in a piece of code and in what it uses; as many as a list has items is one of them."""
    found: set[int] = set()
    for part in _code(node):
        match part:
            case ast.Constant(int(value)):
                found.add(value)
            case ast.Constant(str(text)):
                found |= {int(figure) for figure in re.findall(r"\d+", text)}
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                found.add(len(items))
            case ast.Name(name) if name in shared and deep:
                found |= _numbers(shared[name], shared, deep - 1)
    return found


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a piece of code but docstrings."""
    prose = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Expr)}
    return (part for part in ast.walk(node) if id(part) not in prose or not isinstance(part, ast.Constant))


DECIDED = decided()


@pytest.mark.parametrize("ruling", DECIDED)
def test_the_tests_of_a_ruling_hold_its_numbers(ruling: str) -> None:
    assert ruling in numbers_tested(), f"no test names {ruling}: {DECIDED[ruling]}"
    lacking = figures(DECIDED[ruling]) - numbers_tested()[ruling]
    assert lacking == set(), DECIDED[ruling]


def test_the_pages_decide_what_there_are_numbers_for() -> None:
    """Both games, every map, and orders ahead of time."""
    assert {"R1", "R66", "R80", "R89", "R162", "P1", "P4", "P8", "SP-R1", "SP-R49"} <= DECIDED.keys()
    assert figures("R1: one of the 136 tiles, `x 7`, for $5 in turns 1 to 4; section 7.4") == {136, 5}
    assert figures("Three placements, twice.") == {3}
