"""Figures for Prometheus: right, for those who have the token, and with nobody in them."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import delete

from pbem.runtime import metrics
from pbem.service.operator.server_metrics import LATELY, lately
from pbem.service.turns import outages
from pbem.store.tables import Letter
from pbem.web import create_app
from tests import templates
from tests.web.conftest import Played
from tests.web.site import Site

TOKEN = "a token of sixteen and more"
Figures = dict[tuple[str, str], float]


@pytest.fixture
def site(played: Played) -> Site:
    made = played("started")
    settings = replace(made.office.settings, metrics_token=TOKEN)
    made.office = replace(made.office, settings=settings)
    made.app = templates.shared(create_app(office=made.office, clock=lambda: made.now, patience=0))
    made.client = made.app.test_client()
    outages.beat_on(made.office, made.now)
    return made


def text(site: Site) -> str:
    answer = site.client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.text


def figures(site: Site) -> Figures:
    """Values by name and label."""
    return {
        (sample.name, "".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text(site))
        for sample in family.samples
    }


@pytest.mark.parametrize("header", [None, "", "Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer é", TOKEN])
def test_without_the_token_there_is_no_such_page(site: Site, header: str | None) -> None:
    answer = site.client.get("/metrics", headers={} if header is None else {"Authorization": header})
    elsewhere = site.client.get("/no-such-page")
    assert (answer.status_code, answer.text.replace("/metrics", "/no-such-page")) == (404, elsewhere.text)


def test_where_no_token_is_set_nobody_has_it(played: Played) -> None:
    site = played("started")
    for header in ("Bearer ", "Bearer"):
        assert site.client.get("/metrics", headers={"Authorization": header}).status_code == 404


def test_what_waits_is_counted_with_its_age(site: Site) -> None:
    site.working = False
    site.send(site.legal())
    site.awake(minutes=2)
    found = figures(site)
    assert found["pbem_waiting", "orders"] == 1
    assert found["pbem_waiting_oldest_seconds", "orders"] == 120
    assert found["pbem_waiting", "letters"] == 5
    assert found["pbem_games", "running"] == 1
    assert found["pbem_games", "over"] == 0
    assert (found["pbem_clock_beat_age_seconds", ""], found["pbem_stuck_orders", ""]) == (0, 0)


def test_the_last_hour_is_counted_and_what_was_before_is_not(site: Site) -> None:
    site.awake(hours=2)
    site.working = False
    site.send(site.legal())
    site.later(seconds=40)
    site.working = True
    site.play("issue 99")
    found = figures(site)
    assert {status: found["pbem_orders_last_hour", status] for status in ("played", "refused", "waiting")} == {
        "played": 1, "refused": 1, "waiting": 0,
    }  # fmt: skip
    assert found["pbem_letters_last_hour", "waiting"] >= 1
    assert found["pbem_letters_last_hour", "sent"] == 0
    assert found["pbem_orders_wait_seconds", "0.5"] == 40
    site.awake(hours=2)
    assert figures(site)["pbem_orders_last_hour", "played"] == 0


def test_an_hour_begins_with_its_first_row_wherever_that_is(site: Site) -> None:
    for number in range(8):
        site.awake(minutes=7 * number)
        site.open(title=f"game {number}")
    with site.office.database.write() as session:
        session.execute(delete(Letter).where(Letter.id % 3 == 0))
    every = [row.created_at for row in site.letters()]
    for minutes in range(-60, 300, 11):
        moment = site.now - timedelta(minutes=minutes)
        assert sum(lately(site.office, moment).letters.values()) == len([at for at in every if at >= moment - LATELY])


def test_labels_hold_nothing_of_anybody(site: Site) -> None:
    site.get(site.turn())
    site.client.get("/t/not-a-token")
    site.client.get("/a/b/c")
    written = text(site)
    for secret in ("Ana", "Ben", "example.org", "Coal by post", site.game, site.turn().split("/")[2], "not-a-token"):
        assert secret not in written
    assert set(re.findall(r"(\w+)=\"", written)) == {"status", "what", "share"}


def test_a_request_is_counted_by_the_rule_of_its_address(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, int]] = []
    monkeypatch.setattr(metrics, "answered", lambda route, status, seconds: counted.append((route, status)))
    site.get(site.turn())
    site.client.get("/t/not-a-token")
    site.client.get("/a/b/c")
    site.client.post("/healthz")
    assert counted == [("/t/<token>", 200), ("/t/<token>", 404), ("", 404), ("", 405)]
