"""The words of orders as sentences write them, on every map."""

import pytest

from pbem.age_of_steam import words
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import catalog
from tests.mail.game import SHEET, moments

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


def test_the_money_of_a_player_is_what_the_table_says_and_takes_no_count_of_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = [(moment.state, SHEET.rows(moment.state)) for moment in moments()[::5]]
    monkeypatch.setattr(words, "points", None)
    for state, rows in tables:
        for row in rows:
            figures = SHEET.figures(state, row.seat)
            assert {"cash", "income", "bill", "engine"} <= figures.keys()
            assert figures.items() <= row.cells.items()
    state = tables[-1][0]
    gone = state.with_player(state.order[0], out=3)
    assert SHEET.figures(gone, state.order[0]) == {}
