"""A short storm: every kind of plug is pulled once while robots play, and nothing is lost or doubled."""

import pytest

from tests import servers
from tests.storm import run, table
from tests.storm.plan import SHORT


def test_whatever_is_killed_every_order_is_answered_once_and_every_letter_arrives() -> None:
    told: list[str] = []
    try:
        report = run.run(SHORT, told.append)
    except servers.Missing as missing:
        pytest.skip(str(missing))
    shown = "\n".join([*told, *table.lines(report)])
    assert report.verdict.clean, shown
    assert report.kinds_to_come == [], shown
    assert report.ledger.orders >= SHORT.submissions, shown
    assert report.verdict.figures["moves"] > 0, shown
    assert report.looks[200] > 0, shown
