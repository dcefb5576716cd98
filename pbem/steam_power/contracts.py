"""The contract tiles: read from ``contracts.toml``, never changed by play."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from pbem.engine import Value
from pbem.steam_power.state import COLOURS

FILE: Final = "contracts.toml"
BONUSES: Final = ("track", "factory", "contracts")
MOST_CUBES: Final = 20
"""Cubes of a colour on a contract; there are not more in the box."""


class BadContracts(Exception):
    """A contracts.toml that cannot be used; the sentence names the tile."""


class ContractTile(Value):
    """What a contract needs (one colour for each cube), what it pays in dollars and points, its bonus or ``""``."""

    number: int
    needs: tuple[str, ...]
    money: int
    vp: int
    bonus: str = ""


class Contracts(Value):
    """All contracts of a map by number, and where they come from."""

    tiles: Mapping[int, ContractTile]
    provenance: str


def read_contracts(text: str) -> Contracts:
    """Read a ``contracts.toml``. Raises :class:`BadContracts`."""
    try:
        raw = tomllib.loads(text)
        tiles = (_tile(int(number), table) for number, table in raw["contracts"].items())
        return Contracts({tile.number: tile for tile in tiles}, str(raw["provenance"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadContracts(f"{FILE}: {error!r}") from error
    except RecursionError as error:
        raise BadContracts(f"{FILE}: it is nested too deep.") from error


def _tile(number: int, raw: Mapping[str, Any]) -> ContractTile:
    if any(not isinstance(count, int) or not 0 <= count <= MOST_CUBES for count in raw["needs"].values()):
        raise ValueError(f"contract {number} needs a number of cubes that is not from 0 to {MOST_CUBES}")
    needs = tuple(colour for colour in COLOURS for _ in range(raw["needs"].get(colour, 0)))
    bonus = str(raw.get("bonus", ""))
    if not needs or len(needs) != sum(raw["needs"].values()):
        raise ValueError(f"contract {number} needs {raw['needs']}, which are not cubes of this game")
    if bonus and bonus not in BONUSES:
        raise ValueError(f"contract {number} has the bonus {bonus}, which there is not")
    return ContractTile(number, needs, int(raw["money"]), int(raw["vp"]), bonus)


@cache
def contracts_for(package: str) -> Contracts:
    """The contracts of a map folder: its own file, else the one beside all maps."""
    for place in (package, package.rpartition(".")[0]):
        file = resources.files(place).joinpath(FILE)
        if file.is_file():
            return read_contracts(file.read_text("utf-8"))
    raise BadContracts(f"There is no {FILE} in {package} or beside it.")
