"""Records games of robots for the tests of this folder.

``python -m tests.playthroughs.record --complete rust_belt`` adds games with what none of a sheet shows. ``--again``
plays the kept games once more and writes down what today's rules make of them.

Write them again only when a rule was wrong, and say in the commit which one: these games are the promise that a game
under way goes on as it began. Read the difference first: the failing test shows where it begins.
"""

import argparse
from itertools import chain, count

from pbem.engine import Sheet, catalog
from pbem.engine.record import Record
from tests.playthroughs.finding import complete, last_line, name_of
from tests.playthroughs.telling import GAMES, SUFFIX, Game, load, save, tell

POOL = 24
"""Games that are looked through for a sheet."""


def sheet_of(record: Record) -> Sheet:
    """The rule sheet that a record was played on."""
    return catalog.sheet(record.game, record.map)


def of(sheet: Sheet) -> list[Game]:
    return [load(path) for path in sorted(GAMES.glob(f"{sheet.slug}-*.jsonl.gz"))]


def keep(sheet: Sheet, record: Record) -> None:
    """Write the file of a game under a name of its own."""
    name = name_of(sheet, record, last_line(sheet, record))
    numbered = chain([name], (f"{name}-{number}" for number in count(2)))
    again(next(name for name in numbered if not (GAMES / f"{name}{SUFFIX}").exists()), record)


def again(name: str, record: Record) -> None:
    """Write down what the rules make of a game."""
    lines = tuple(tell(sheet_of(record), record))
    assert not any("refusal" in line for line in lines), f"{name}: {lines[-2]}"
    save(Game(name, record, lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--complete", action="store_true", help="add games with ends and options that no kept game has")
    what.add_argument("--again", action="store_true", help="write down what today's rules make of the kept games")
    parser.add_argument("names", nargs="*", metavar="NAME", help="sheets or games; all of them when none is named")
    parser.add_argument("--pool", type=int, default=POOL, help=f"games to look through for each sheet ({POOL})")
    asked = parser.parse_args()
    for sheet in catalog.sheets():
        sheet_asked = sheet.slug in asked.names or not asked.names
        if asked.complete and sheet_asked:
            for record in complete(sheet, of(sheet), asked.pool):
                keep(sheet, record)
        for game in of(sheet):
            if asked.again and (sheet_asked or game.name in asked.names):
                again(game.name, game.record)


if __name__ == "__main__":
    main()
