"""Records games of robots for the tests of this folder.

``python -m tests.playthroughs.record --complete rust_belt`` adds games with what none of a sheet shows. ``--again``
plays the kept games once more and writes down what today's rules make of them; ``--show`` prints them for reading.

Write them again only when a rule was wrong, and say in the commit which one: these games are the promise that a game
under way goes on as it began. Read the difference first: the failing test shows where it begins.
"""

import argparse
from itertools import chain, count, groupby

from pbem.engine import catalog
from pbem.engine.record import Record, replay
from pbem.engine.sheet import Sheet, State
from tests.playthroughs.finding import complete, last_line, name_of
from tests.playthroughs.telling import GAMES, SUFFIX, Game, load, save, tell

POOL = 24
"""Games that are looked through for a sheet."""


def sheet_of(record: Record) -> Sheet:
    """The rule sheet that a record was played on."""
    return catalog.sheet(record.game, record.map)


def of(sheet: Sheet) -> list[Game]:
    """The kept games of a sheet."""
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


def transcript(sheet: Sheet, record: Record) -> str:
    """The game for reading: orders by turn and phase, rolls and draws, what happened, the table after every turn."""
    lines = [f"{sheet.name}, {len(record.players)} players: {', '.join(record.players)}; {dict(record.options)}"]
    played = list(replay(sheet, record))
    for turn, of_turn in groupby(played, lambda item: item.entry.turn):
        lines += ["", f"Turn {turn}"]
        for item in of_turn:
            assert item.step is not None, item.refusal
            lines.append(f"  {item.entry.phase:<15}{item.entry.player:<8}{item.entry.orders}")
            lines += [f"    {_roll(draw)}" for draw in item.draws]
            lines += [f"      {event.text()}" for event in item.step.events]
            state = item.state
        lines += ["", *_table(sheet, state)]
    lines += ["", "Result"]
    for line in sheet.standings(played[-1].state):
        parts = ", ".join(f"{name} {points}" for name, points in line.parts)
        lines.append(f"  {line.place}. {line.seat:<8}" + ("out" if line.out else f"{line.score} ({parts})"))
    return "\n".join(lines) + "\n"


def _roll(draw: dict[str, object]) -> str:
    values = [value for key, value in draw.items() if key != "for"]
    return f"{draw['for']}: {values}"


def _table(sheet: Sheet, state: State) -> list[str]:
    """The players' table as everybody sees it."""
    return [
        f"  {row.seat:<8}" + ", ".join(f"{key} {value}" for key, value in row.cells.items() if value is not None)
        for row in sheet.rows(state)
    ]


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--complete", action="store_true", help="add games with ends and options that no kept game has")
    what.add_argument("--again", action="store_true", help="write down what today's rules make of the kept games")
    what.add_argument("--show", action="store_true", help="print games for reading")
    parser.add_argument("names", nargs="*", metavar="NAME", help="sheets or games; all of them when none is named")
    parser.add_argument("--pool", type=int, default=POOL, help=f"games to look through for each sheet ({POOL})")
    asked = parser.parse_args()
    for sheet in catalog.sheets():
        sheet_asked = sheet.slug in asked.names or not asked.names
        if asked.complete and sheet_asked:
            for record in complete(sheet, of(sheet), asked.pool):
                keep(sheet, record)
        for game in of(sheet):
            if sheet_asked or game.name in asked.names:
                if asked.again:
                    again(game.name, game.record)
                if asked.show:
                    print(transcript(sheet, game.record))


if __name__ == "__main__":
    main()
