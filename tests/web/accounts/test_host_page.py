"""The page of who runs the server: nobody else finds it, opening it changes nothing, every button does what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from pbem.service.accounts import bounces
from pbem.statuses import SubmissionStatus
from pbem.store.tables import Account
from pbem.web.base import context
from tests.service.turns.test_stuck import get_stuck
from tests.web.addresses import BASE, Known
from tests.web.reading import Form, Page
from tests.web.site import Site

NOT_HERE = ("/host", "/host/orders", "/host/emails")


def run_by(site: Site, address: str) -> None:
    """Let the server be run by whoever has the address."""
    site.office = replace(site.office, settings=replace(site.office.settings, operator=address))
    site.app.extensions[context.EXTENSION] = context.RequestContext(site.office, lambda: site.now, 0)


@pytest.fixture
def host(site: Site) -> Site:
    """Ana runs the server and is logged in; the game has just started."""
    run_by(site, "ana@example.org")
    site.log_in()
    return site


def page(site: Site, path: str = "/host", code: int = 200) -> Page:
    response = site.client.get(path, base_url=BASE)
    assert response.status_code == code, response.text
    return Page(response.text)


def press(site: Site, form: Form, button: int = 0) -> Page:
    """Press a button of a form; the page that comes then."""
    answer = send(site, form.action, {**form.hidden, **dict([form.buttons[button]])})
    assert answer.status_code == 303, answer.text
    return page(site, answer.headers["Location"])


def send(site: Site, path: str, fields: dict[str, str]) -> TestResponse:
    return site.client.post(path, data=fields, base_url=BASE)


def test_only_whoever_runs_the_server_finds_the_page(site: Site) -> None:
    run_by(site, "ana@example.org")
    unknown = page(site, "/nothing-here", 404).headings
    assert page(site, code=404).headings == unknown  # a guest
    site.log_in(1)
    mark = page(site, "/account").posts[0].hidden["mark"]
    assert page(site, code=404).headings == unknown
    assert "/host" not in page(site, "/account").links
    for path in NOT_HERE[1:]:
        assert send(site, path, {"mark": mark, "number": "1"}).status_code == 404
    site.log_in(0)
    assert "/host" in page(site, "/account").links
    assert page(site).headings[0] == "Your server"


def test_without_an_operator_nobody_has_it(site: Site) -> None:
    site.log_in()
    page(site, code=404)


def test_opening_it_changes_nothing_and_a_form_of_elsewhere_does_nothing(site: Site) -> None:
    known = Known(site)
    run_by(site, "ana@example.org")
    before = known.rows()
    page(site)
    assert send(site, "/host/orders", {"number": "1", "mark": "f" * 64}).status_code == 403
    assert known.rows() == before


def test_orders_set_aside_are_played_again_after_a_second_look(host: Site) -> None:
    number = get_stuck(host)
    shown = page(host)
    assert f"orders-{number}" in shown.ids
    assert "You cannot undo it." in shown.text
    told = press(host, shown.posts[-1])
    assert "A worker plays the orders now." in told.text
    assert host.submissions()[-1].status == SubmissionStatus.PLAYED
    again = send(host, "/host/orders", {**shown.posts[-1].hidden, "number": str(number)})
    assert "not set aside any more" in page(host, again.headers["Location"]).text


def test_orders_that_answer_nothing_any_more_are_closed(host: Site) -> None:
    get_stuck(host)
    host.play()
    assert "A worker" not in press(host, page(host).posts[-1]).text
    assert SubmissionStatus.REFUSED in [row.status for row in host.submissions()]


def test_emails_that_came_back_are_sent_again(host: Site) -> None:
    letter = next(row for row in host.letters() if row.account_id != host.host)
    for _ in range(bounces.ENOUGH):
        bounces.returned(host.office, letter.id, "5.1.1", "no such mailbox here", host.now)
        letter = next(row for row in host.letters() if row.account_id == letter.account_id and row.id != letter.id)
    with host.office.read() as session:
        address = session.get_one(Account, letter.account_id).address
    shown = page(host)
    assert address in shown.text
    assert "no such mailbox here" in shown.text
    told = press(host, shown.posts[-1])
    assert address not in told.text
    assert bounces.unreachable(host.office, letter.account_id) is None


def test_numbers_that_name_nothing_are_answered(host: Site) -> None:
    mark = page(host, "/account").posts[0].hidden
    for number in ("", "0", "x", "²", "-1", "9" * 200):
        for path in NOT_HERE[1:]:
            assert send(host, path, {**mark, "number": number}).status_code in (303, 404), (path, number)
