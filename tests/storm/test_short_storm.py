"""A short storm: every kind of plug is pulled once while robots play, and nothing is lost or doubled."""

import random
import time
from collections import Counter
from typing import cast

import pytest

from tests import servers
from tests.storm import run, table
from tests.storm.faults import LONG, Faults, Missed, Weather
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


SHORT_OF_LUCK = "worker killed in a move"


class Shy:
    """Three kinds of faults: one always works, one takes a while, and one comes only at the fourth try."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.tries = 0

    def kinds(self) -> dict[str, tuple[int, object]]:
        long = LONG[0]
        return {
            "web process killed": (1, lambda: None),
            long: (1, lambda: time.sleep(0.2)),
            SHORT_OF_LUCK: (0, self.shy),
        }

    def kinds_to_come(self) -> list[str]:
        return [name for name in self.kinds() if not self.injected[name]]

    def shy(self) -> None:
        self.tries += 1
        if self.tries < 4:
            raise Missed


def test_a_fault_whose_moment_did_not_come_is_tried_until_it_comes() -> None:
    faults = Shy()
    weather = Weather(cast(Faults, faults), lambda: float(len(faults.kinds_to_come()) * 1000), random.Random(1), print)
    weather.start()
    end = time.monotonic() + 60
    while faults.kinds_to_come() and time.monotonic() < end:
        time.sleep(0.05)
    weather.stop()
    assert faults.kinds_to_come() == []
    assert faults.tries == 4
