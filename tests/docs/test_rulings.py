"""``docs/rulings.md`` explains every number and heading that code and refusals cite, and names places that exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rulings.md").read_text("utf-8")
GAME, MAPS = ROOT / "pbem" / "age_of_steam", ROOT / "maps"
SOURCES = sorted(path for folder in (GAME, ROOT / "pbem" / "rails", MAPS) for path in folder.rglob("*.py"))
NEVER_GIVEN = {*range(67, 80), 87, 88, 147, 153, 157, 158}
LETTERED = "R4a R28a R37a R38a R42a R83a R83b R84a R86a R97a R98a R114a R117a R140a R146a R154a R159a".split()  # noqa: SIM905
RULINGS = {f"R{number}" for number in range(1, 163) if number not in NEVER_GIVEN} | set(LETTERED)
CITED = re.compile(r"(?<![-\w])([RAP]\d+[a-z]?)\b")
PLACE = re.compile(r"`([\w./]+): ([\w.]+)`")


def rows() -> Iterator[list[str]]:
    """The cells of every row of a table that begins with a number."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").replace(r"\|", "/").split("|")]
        if re.fullmatch(r"[RAP]\d+[a-z]?", cells[0]):
            yield cells


EXPLAINED = [cells[0] for cells in rows()]
HEADINGS = set(re.findall(r"\*([A-Z][^*]+)\*", PAGE.partition("## 0.")[0]))


def rules_of_refusals(path: Path) -> Iterator[str]:
    """What the refusals of a file cite: the first argument where one is made."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("no", "refuse"):
            match node.args[0]:
                case ast.Constant(str(rule)):
                    yield rule
                case ast.Name("rule"):  # a function that only passes on what its caller cites
                    continue
                case _:
                    raise AssertionError(f"{path.name}:{node.lineno} hides what it cites")


@cache
def names_in(path: Path) -> frozenset[str]:
    """Functions and classes of a file, and what a class holds as ``Class.name``."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return frozenset(found)


def file_of(place: str) -> Path:
    """The file that the page means: one of the game, of another package of ``pbem``, or the rules of a map."""
    if not place.endswith(".py"):
        return MAPS / place / "rules.py"
    return GAME / place if (GAME / place).is_file() else ROOT / "pbem" / place


def test_every_ruling_stands_on_the_page_once_and_no_other() -> None:
    rulings = [number for number in EXPLAINED if number.startswith("R")]
    assert sorted(rulings) == sorted(RULINGS)


def test_so_does_every_automatic_decision_and_every_rule_of_standing_orders() -> None:
    others = {number for number in EXPLAINED if not number.startswith("R")}
    assert others == {f"A{number}" for number in range(1, 21)} | {f"P{number}" for number in range(1, 9)}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_page_explains_what_a_file_cites(path: Path) -> None:
    assert set(CITED.findall(path.read_text("utf-8"))) <= set(EXPLAINED)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_refusal_cites_a_number_or_heading_of_the_page_or_nothing(path: Path) -> None:
    assert set(rules_of_refusals(path)) <= {"", *EXPLAINED, *HEADINGS}


def test_refusals_use_every_heading_that_the_page_promises() -> None:
    used = {rule for path in SOURCES for rule in rules_of_refusals(path)}
    assert used >= HEADINGS


@pytest.mark.parametrize("cells", list(rows()), ids=lambda cells: cells[0])
def test_a_ruling_says_what_it_decides_in_few_words(cells: list[str]) -> None:
    assert 10 < len("".join(cells[1:])) < 420


@pytest.mark.parametrize(("file", "name"), sorted(set(PLACE.findall(PAGE))))
def test_a_place_on_the_page_is_in_the_code(file: str, name: str) -> None:
    assert name in names_in(file_of(file))


@pytest.mark.parametrize("cells", [row for row in rows() if row[0].startswith("R")], ids=lambda cells: cells[0])
def test_a_ruling_has_a_place(cells: list[str]) -> None:
    assert PLACE.fullmatch(cells[-1])
