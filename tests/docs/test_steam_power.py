"""``docs/steam-power.md`` shows only orders that can be read, explains every ruling and names places that exist."""

import ast
import re
from pathlib import Path

import pytest

from pbem.engine import catalog
from pbem.engine.chance import DEAL, SeededChance

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "steam-power.md").read_text("utf-8")
GAME = ROOT / "pbem" / "steam_power"
SHEET = catalog.sheet("steam-power", "ireland")
STATE = SHEET.start(("red", "blue", "green"), SeededChance(bytes(32), DEAL), {}).state
RULINGS = [*(f"SP-R{n}" for n in range(1, 50)), "SP-R5a", "SP-R38a"]
ROWS = dict(re.findall(r"^\| (SP-R\d+a?) \| (.*) \|$", PAGE, re.MULTILINE))
ORDERS = [order.replace("\\|", "|") for order in re.findall(r"^\| `(.+?)` \|", PAGE, re.MULTILINE)]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_on_the_page_can_be_read_and_reads_back(order: str) -> None:
    (move,) = SHEET.parse(STATE, order, {})
    assert SHEET.parse(STATE, str(move), {}) == (move,)


def test_the_page_shows_every_kind_of_order() -> None:
    assert {order.split()[0] for order in ORDERS} == {"track", "factory", "contract", "draw", "cash", "bonus"}


@pytest.mark.parametrize("number", RULINGS)
def test_every_ruling_is_explained_with_a_place_that_exists(number: str) -> None:
    file, name = re.findall(r"`([\w/]+\.py): ([\w.]+)`", ROWS[number])[-1]
    tree = ast.parse((GAME / file).read_text("utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert set(name.split(".")) <= names


def test_refusals_cite_what_the_page_names() -> None:
    cited = set()
    for path in GAME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("no", "refuse"):
                rule = node.args[0]
                if isinstance(rule, ast.Constant):
                    cited.add(str(rule.value))
    chapters = {" ".join(name.split()) for name in re.findall(r"\*([A-Z][^*]+)\*", PAGE)}
    assert cited - chapters - set(ROWS) == {"", "P9"}
