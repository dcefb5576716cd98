"""List the rule sheets with players, turns and the source of each map."""

import argparse
import json
from typing import Any

from pbem.cli._sheets import counted
from pbem.engine import Sheet, catalog


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON array instead")


def run(args: argparse.Namespace) -> int:
    sheets = catalog.sheets()
    if args.json:
        print(json.dumps([described(sheet) for sheet in sheets], indent=2, ensure_ascii=False))
        return 0
    for sheet in sheets:
        print(f"{sheet.game} {sheet.slug}: {sheet.name}, {counted(sheet)}")
        print(f"  {lengths(sheet)}")
        print(f"  {sheet.provenance()}")
    return 0


def described(sheet: Sheet) -> dict[str, Any]:
    """A sheet as ``--json`` prints it; ``turns`` is null for a number of players without a fixed end."""
    return {
        "game": sheet.game,
        "map": sheet.slug,
        "name": sheet.name,
        "players": list(sheet.player_counts()),
        "turns": {str(count): sheet.turns(count) for count in sheet.player_counts()},
        "options": {option.key: list(option.choices) for option in sheet.options()},
        "provenance": sheet.provenance(),
    }


def lengths(sheet: Sheet) -> str:
    turns = {count: sheet.turns(count) for count in sheet.player_counts()}
    if set(turns.values()) == {None}:
        return "no fixed number of turns"
    if len(turns) == 1:
        return f"{turns.popitem()[1]} turns"
    return "turns: " + ", ".join(f"{number or 'open'} with {count}" for count, number in turns.items())
