"""Keep stored states of every sheet for the tests of later versions: ``python -m tests.stored_states.write VERSION``.

Robots play some games on each sheet. Kept are the first question, one state from the middle of a game for every kind of
question that comes up (and every kind of scratch a phase keeps), the last question and the end. Sheets whose states of
this version are kept already are left alone. Without VERSION it names the sheets of which nothing is kept, which a
release asks for (``.ci/release``), and ends with status 1 when there are any.
"""

import argparse
import re
import sys
from collections.abc import Iterator

from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.engine.record import digest
from tests.every_map.games import play, players_of, seed_of
from tests.playthroughs.record import of
from tests.playthroughs.showing import path_of
from tests.stored_states.kept import WRITE, Kept, Kind, newest, save

GAMES = 6
"""Games that are looked through on each sheet, with all player counts and options, sensible and less so."""
MIDDLE = 3
"""The turn from which states of the middle are taken where that can be."""
MOST_GAMES = 60
"""So many where a map's own part of the state has not come up before."""


def main() -> int:
    """Write what is missing and say what was written, or what nothing is kept of."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", type=version, nargs="?", metavar="VERSION", help="for example 0.1")
    asked = parser.parse_args().version
    if asked is None:
        print("\n".join(lacking()))
        return 1 if lacking() else 0
    for sheet in catalog.sheets():
        kind = Kind(asked, sheet.game, sheet.slug, tuple(states(sheet)))
        try:
            save(kind)
        except FileExistsError:
            print(f"{kind.path} is kept already")
        else:
            print(f"{kind.path}: {len(kind.states)} states")
    return 0


def lacking() -> list[str]:
    """What has to be kept of single sheets before a version is released."""
    return [
        f"{sheet.slug}: {what}"
        for sheet in catalog.sheets()
        for what, there in (
            (WRITE, newest(sheet.game, sheet.slug) is not None),
            ("python -m tests.playthroughs.record --complete " + sheet.slug, bool(of(sheet))),
            ("python -m tests.playthroughs.showing", path_of(sheet).exists()),
        )
        if not there
    ]


def version(text: str) -> str:
    """A version number. Raises ``ValueError``."""
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise ValueError(text)
    return text


def states(sheet: Sheet) -> Iterator[Kept]:
    """What is kept of a sheet."""
    middle: dict[tuple[str, ...], State] = {}
    own = getattr(sheet, "extra", None)
    for number in range(MOST_GAMES):
        if number >= GAMES and (own is None or any(own.__name__ in kind for kind in middle)):
            break
        for state in game(sheet, number):
            kind = kind_of(sheet, state)
            if kind not in middle or (sheet.turn(state) == MIDDLE and sheet.turn(middle[kind]) != MIDDLE):
                middle[kind] = state
    first, *_, last, end = game(sheet, 1)
    yield kept(sheet, "the first question", first)
    for kind in sorted(middle):
        yield kept(sheet, " ".join(kind), middle[kind])
    yield kept(sheet, "the last question", last)
    yield kept(sheet, "the end", end)


def game(sheet: Sheet, number: int) -> Iterator[State]:
    """Every state of a game that was stored."""
    options = {option.key: list(option.choices)[number % len(option.choices)] for option in sheet.options()}
    state = sheet.start(players_of(sheet, number), SeededChance(seed_of(number), "deal"), options).state
    yield state
    for played in play(sheet, number, state, sense=0.5 + number % 3 / 4):
        yield played.step.state


def kind_of(sheet: Sheet, state: State) -> tuple[str, ...]:
    """States of one kind ask the same way and keep the same scratch."""
    if sheet.over(state):
        return ("ended",)
    kinds = [type(part).__name__ for part in (state.scratch, getattr(state, "extra", None)) if part is not None]
    return (sheet.phase(state), sheet.question(state).form, *kinds)


def kept(sheet: Sheet, moment: str, state: State) -> Kept:
    """One state with what people compare."""
    over = sheet.over(state)
    asked = "" if over else " ".join(map(str, (sheet.question(state).act, *sheet.question(state).lead)))
    return Kept(
        moment=moment,
        turn=sheet.turn(state),
        phase=sheet.phase(state),
        to_act=sheet.to_act(state) or "",
        over=over,
        digest=digest(sheet, state),
        asked=asked,
        table=[
            f"{row.seat}: {', '.join(f'{key} {value}' for key, value in row.cells.items() if value is not None)}"
            for row in sheet.rows(state)
        ],
        stored=sheet.encode(state).decode(),
    )


if __name__ == "__main__":
    sys.exit(main())
