"""Whoever plays is shown at every decision what was shown before: words, figures, plans, build pages, pictures."""

from difflib import unified_diff

import pytest

from pbem.engine import catalog
from pbem.engine.sheet import Sheet
from tests.playthroughs.showing import kept, path_of, shown

SHEETS = [sheet for sheet in catalog.sheets() if path_of(sheet).exists()]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_a_kept_game_shows_what_it_showed(sheet: Sheet) -> None:
    then, now = kept(sheet), shown(sheet)
    different = "\n".join(unified_diff(then, now, "kept", "now", n=2, lineterm=""))
    if different:
        pytest.fail(f"{different[:20_000]}\nWanted? Then: python -m tests.playthroughs.showing", pytrace=False)
