"""Games recorded once come out the same for ever: every roll, every position, what was legal, the result.

All games of a map: ``pytest tests/playthroughs -k germany``.
"""

import json
import re
from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from itertools import zip_longest

import pytest

from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.state import State
from pbem.engine import Sheet, catalog
from tests.playthroughs.finding import USUAL, name_of, traits, wanted
from tests.playthroughs.record import of, sheet_of
from tests.playthroughs.showing import kept, path_of, shown
from tests.playthroughs.telling import GAMES, SUFFIX, Game, Line, load, tell

SHEET = catalog.sheet("age-of-steam", "southern_us")
NAMES = sorted(path.name.removesuffix(SUFFIX) for path in GAMES.glob(f"*{SUFFIX}"))


@cache
def game(name: str) -> Game:
    return load(GAMES / f"{name}{SUFFIX}")


def faults(sheet: Sheet, kept: Game) -> Iterator[str]:
    """Where a game is told otherwise than it was, as a difference line by line."""
    nothing: Line = {}
    for number, (then, now) in enumerate(zip_longest(kept.lines, tell(sheet, kept.record), fillvalue=nothing), -1):
        if then != json.loads(json.dumps(now)):
            where = f"{kept.name}, entry {number}"
            yield "\n".join(unified_diff(_paper(then), _paper(now), "kept", "now", where, where, n=3, lineterm=""))


def _paper(line: Line) -> list[str]:
    """A figure on each line, places first."""
    return json.dumps(line, indent=0, ensure_ascii=False).splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_played_as_it_was(name: str) -> None:
    """From its seed, with the state stored after every entry; the first entry that comes out otherwise is shown."""
    for fault in faults(sheet_of(game(name).record), game(name)):
        pytest.fail(fault, pytrace=False)


RARE = {"shared-victory", "tie-broken"}
"""Ends that robots reach by luck alone: kept for some sheets, for who wins is told by the game and not by the map."""


@pytest.mark.parametrize("sheet", [sheet for sheet in catalog.sheets() if f"{sheet.slug}-" in "|".join(NAMES)])
def test_games_with_every_end_number_of_players_and_option_are_kept(sheet: Sheet) -> None:
    """Ended in the last turn, with one survivor, with none, or as the sheet says."""
    shown = {trait for kept in of(sheet) for trait in traits(sheet, kept.record, kept.lines[-1])}
    assert wanted(sheet) - shown - RARE == set()


def test_ties_are_kept_too() -> None:
    """Shared in Age of Steam, decided by contracts in Steam Power (section 10)."""
    assert sum("shared-victory" in name for name in NAMES) >= 9
    assert sum("tie-broken" in name for name in NAMES) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_the_name_says_how_the_game_ends(name: str) -> None:
    kept = game(name)
    assert re.sub(r"-\d+$", "", name) == name_of(sheet_of(kept.record), kept.record, kept.lines[-1])


def _free(self: DataSheet, state: State, income: int) -> int:
    return 0


CHANGED = {
    "on_delivered": (AgeOfSteam.on_delivered, '+"bag/white": 1'),
    "delivery_gains": (AgeOfSteam.delivery_gains, ': Blue +1."'),
    "on_setup": (AgeOfSteam.on_setup, '-"D2": ['),
    "income_reduction": (_free, "income"),
}
"""Rules of Southern U.S. that are taken away, and what is then said to be different."""


@pytest.mark.parametrize("rule", CHANGED)
def test_a_changed_rule_shows_at_the_entry_where_it_changes(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = next(one for one in of(SHEET) if USUAL in one.name)
    changed, different = CHANGED[rule]
    monkeypatch.setattr(DataSheet, rule, changed)
    assert different in next(faults(SHEET, kept))


SHEETS = [sheet for sheet in catalog.sheets() if path_of(sheet).exists()]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_a_kept_game_shows_what_it_showed(sheet: Sheet) -> None:
    then, now = kept(sheet), shown(sheet)
    different = "\n".join(unified_diff(then, now, "kept", "now", n=2, lineterm=""))
    if different:
        pytest.fail(f"{different[:20_000]}\nWanted? Then: python -m tests.playthroughs.showing", pytrace=False)
