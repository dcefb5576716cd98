"""The words of orders as sentences write them, on every map."""

from __future__ import annotations

import pytest

from pbem import catalog
from pbem.age_of_steam.game import AgeOfSteam

SHEETS = [sheet for sheet in catalog.sheets() if isinstance(sheet, AgeOfSteam)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_phases_are_written_small_and_actions_with_capitals(sheet: AgeOfSteam) -> None:
    """As in the rulebook: select actions, but First Build. Its expenses are called bills everywhere here."""
    for phase in sheet.phases:
        assert sheet.word(phase.name) == phase.name.replace("_", " ").replace("expenses", "bills")
    for action in sheet.actions:
        assert sheet.word(action) == action.replace("-", " ").title()


def test_every_other_word_stands_for_itself() -> None:
    assert [SHEETS[0].word(word) for word in ("black", "none", "nobody")] == ["black", "none", "nobody"]
