"""The end of a game on a sheet without points (Detroit) is told like any other, to those who are left and those out."""

from __future__ import annotations

import random

import pytest

from pbem import robot
from pbem.mail.compose import compose
from pbem.web import create_app
from tests import templates
from tests.mail.arriving import arrived
from tests.table import Table

MOST_MOVES = 120


@pytest.mark.parametrize("luck", range(3))
def test_everybody_gets_the_last_letter_and_the_pages_open(table: Table, luck: int) -> None:
    table.start(names=("Ana", "Ben"), map="detroit")
    dice = random.Random(luck)
    for _ in range(MOST_MOVES):
        asked = table.asked()
        if asked.over:
            break
        table.play(robot.choose(asked.sheet, asked.state, dice))
    assert table.view().status == "over"
    assert all(standing.score is None for standing in table.view().standings)
    for row in table.letters("game-over"):
        mail = arrived(compose(table.read(row), None))
        assert "None" not in str(mail.get_body(("plain",)))
        assert "None" not in str(mail.get_body(("html",)))
    client = templates.shared(create_app(office=table.office, clock=lambda: table.now)).test_client()
    for page in (f"/games/{table.game}", "/archive"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "None" not in answer.text
