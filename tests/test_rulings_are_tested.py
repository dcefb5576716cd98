"""Every ruling and every case of a game is named by the test that shows it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
AGE_OF_STEAM = [
    *(f"R{n}" for n in range(1, 67)), "R4a", "R28a", "R37a", "R38a", "R42a",
    *(f"E{n}" for n in range(1, 11)),
    *(f"D{n}" for n in range(1, 25)), "D51", "D52",  # D25 and the following belong to single maps
    *(f"A{n}" for n in range(1, 12)), "A19", "A20",  # A12 to A18 belong to single maps and to Steam Power
]  # fmt: skip
STEAM_POWER = [
    *(f"SP-R{n}" for n in range(1, 50)), "SP-R5a", "SP-R38a", *(f"SP-E{n}" for n in range(1, 10)),
    *(f"SP-D{n}" for n in range(1, 21)), "A17", "A18",
]  # fmt: skip


def _docstrings(folder: str) -> Iterator[str]:
    """Those of all tests of a game."""
    for path in (HERE / folder).glob("test_*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


@pytest.mark.parametrize(("folder", "numbers"), [("age_of_steam", AGE_OF_STEAM), ("steam_power", STEAM_POWER)])
def test_a_test_names_it(folder: str, numbers: list[str]) -> None:
    named = {word for doc in _docstrings(folder) for word in re.findall(r"(?<![\w-])(?:SP-)?[REDA]\d+[a-z]?\b", doc)}
    assert [number for number in numbers if number not in named] == []
