"""Every ruling and every case of Steam Power is named by the test that shows it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RULINGS = [*(f"SP-R{n}" for n in range(1, 50)), "SP-R5a", "SP-R38a"]
EXAMPLES = [f"SP-E{n}" for n in range(1, 10)]
CASES = [f"SP-D{n}" for n in range(1, 21)]
AUTOMATIC = ["A17", "A18"]


def _tests() -> Iterator[str]:
    """The docstring of every test of the game."""
    for path in HERE.glob("test_*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


NAMED = {word for doc in _tests() for word in re.findall(r"\bSP-[RED]\d+[a-z]?\b|\bA\d+\b", doc)}


@pytest.mark.parametrize("number", [*RULINGS, *EXAMPLES, *CASES, *AUTOMATIC])
def test_a_test_names_it(number: str) -> None:
    assert number in NAMED
