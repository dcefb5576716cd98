"""Every ruling and every case of the base game is named by the test that shows it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RULINGS = [*(f"R{n}" for n in range(1, 67)), "R4a", "R28a", "R37a", "R38a", "R42a"]
EXAMPLES = [f"E{n}" for n in range(1, 11)]
CASES = [*(f"D{n}" for n in range(1, 25)), "D51", "D52"]
"""D25 and the following belong to single maps."""
AUTOMATIC = [*(f"A{n}" for n in range(1, 12)), "A19", "A20"]
"""A12 to A18 belong to single maps and to Steam Power."""


def _tests() -> Iterator[tuple[str, str]]:
    """Name and docstring of every test of the game."""
    for path in HERE.glob("test_*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name, ast.get_docstring(node) or ""


NAMED = {word for _, doc in _tests() for word in re.findall(r"\b[RDEA]\d+[a-z]?\b", doc)}


@pytest.mark.parametrize("number", [*RULINGS, *EXAMPLES, *CASES, *AUTOMATIC])
def test_a_test_names_it(number: str) -> None:
    assert number in NAMED
