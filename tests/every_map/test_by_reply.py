"""Whole games are played by reply alone, from the text of emails and the rules; every email is checked on the way."""

from datetime import UTC, datetime

import pytest

from pbem.engine import Sheet, catalog
from tests.every_map.by_reply import play_by_reply
from tests.every_map.games import every_sheet

GAMES = 50
"""Of every sheet in the slow run."""
QUICK = {"age-of-steam": 2, "steam-power": 1}
"""Games of the quick run: other sheets every day, one game that the slow run plays as well."""


@pytest.mark.parametrize("game", QUICK)
def test_games_are_played_by_reply_alone(game: str) -> None:
    day = datetime.now(UTC).toordinal()
    sheets = [sheet for sheet in catalog.sheets() if sheet.game == game]
    for place in range(QUICK[game]):
        sheet = sheets[(day * QUICK[game] + place) % len(sheets)]
        play_by_reply(sheet, day % GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("sheet", every_sheet())
def test_many_games_are_played_by_reply_alone(sheet: Sheet, number: int) -> None:
    play_by_reply(sheet, number)
