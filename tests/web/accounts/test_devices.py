"""Switching a device on and off: on the page of notifications, and after an answer."""

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from pbem.engine import values
from pbem.service.people import devices
from pbem.store.tables import PushSubscription, Submission
from pbem.web.base.devices import label
from tests.pushservice import Browser
from tests.web.accounts.test_notifications import URL, Reader
from tests.web.conftest import Played
from tests.web.site import Site

PLACE = "/account/notifications/devices"
ENDPOINT = "https://push.example.org"
AGENT = {"User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"}


def offered(path: str = "/wp/a") -> dict[str, str]:
    device = Browser(path).subscription(ENDPOINT)
    return {"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth}


@pytest.fixture
def ana(played: Played) -> Reader:
    """The host of a game that has just started."""
    return Reader(played("started"))


def switch_on(reader: Reader, code: int = 303, fields: dict[str, str] | None = None) -> TestResponse:
    return reader.post(PLACE, code, **{**offered(), **(fields or {})})


def test_a_device_is_switched_on_tried_and_removed(ana: Reader) -> None:
    answer = switch_on(ana)
    page = ana.get(answer.headers["Location"])
    assert "This device now tells you when it is your turn." in page.text
    (view,) = devices.mine(ana.site.office, 1)
    assert "Tells you of your turns in all games" in page.text
    page = ana.get(ana.post(f"{PLACE}/{view.id}", do="test").headers["Location"])
    assert "The test is being sent." in page.text
    assert 'http-equiv="refresh"' in page.html
    page = ana.get(ana.post(f"{PLACE}/{view.id}", do="remove").headers["Location"])
    assert "The device is removed" in page.text
    assert devices.mine(ana.site.office, 1) == ()


def test_without_a_script_the_page_says_what_is_missing(ana: Reader) -> None:
    page = ana.get()
    assert "your browser needs JavaScript" in page.text
    assert '<p class="bar"><button class="quiet" type="submit" disabled>Tell this device' in page.html


def test_a_form_without_the_mark_or_of_a_guest_does_nothing(ana: Reader) -> None:
    client = ana.site.client
    assert client.post(PLACE, data=offered(), base_url=URL).status_code == 400
    assert ana.site.app.test_client().post(PLACE, data=offered(), base_url=URL).status_code == 302
    assert client.get(PLACE, base_url=URL).status_code == 405
    assert devices.mine(ana.site.office, 1) == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"endpoint": ""},
        {"endpoint": "http://push.example.org/x"},
        {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "https://localhost/x"},
        {"endpoint": "https://push.example.org:8443/x"},
        {"endpoint": "https://push.example.org/" + "x" * 500},
        {"p256dh": ""},
        {"p256dh": "A" * 87},
        {"p256dh": "Ł" * 87},
        {"p256dh": "BA" + "+" * 85},
        {"p256dh": "BA" + "A" * 84},
        {"auth": ""},
        {"auth": "AAAA"},
        {"auth": "\0" * 22},
    ],
)
def test_what_no_browser_sends_is_refused(ana: Reader, fields: dict[str, str]) -> None:
    switch_on(ana, 400, fields)
    assert devices.mine(ana.site.office, 1) == ()


def test_fields_beyond_all_measure_are_refused(ana: Reader) -> None:
    for name in ("endpoint", "p256dh", "auth"):
        switch_on(ana, 400, {name: "A" * 30_000})


def test_there_are_only_so_many_devices(ana: Reader) -> None:
    for number in range(devices.MOST):
        switch_on(ana, fields=offered(f"/wp/{number}"))
    assert "You can have at most 10 devices." in ana.get().text
    with pytest.raises(StopIteration):
        next(form for form in ana.get().posts if form.action == PLACE)
    switch_on(ana, 409, offered("/wp/one-more"))


def test_nobody_touches_the_device_of_somebody_else(ana: Reader) -> None:
    switch_on(ana)
    (view,) = devices.mine(ana.site.office, 1)
    ben = Reader(ana.site, 1)
    for what in ("test", "remove"):
        ben.post(f"{PLACE}/{view.id}", 404, do=what)
    ben.post(f"{PLACE}/{view.id}", 400, do="sing")
    assert devices.mine(ana.site.office, 1) == (view,)


def test_a_browser_tells_whoever_switched_it_on_last(ana: Reader) -> None:
    device = offered()
    switch_on(ana, fields=device)
    switch_on(ana, fields=device)
    assert len(devices.mine(ana.site.office, 1)) == 1
    switch_on(Reader(ana.site, 1), fields=device)
    assert devices.mine(ana.site.office, 1) == ()
    assert len(devices.mine(ana.site.office, 2)) == 1


def answered(site: Site) -> tuple[str, int]:
    """The page of an answer that was just given, and the account of who gave it."""
    site.play()
    number = site.rows(select(Submission.id))[-1]
    row = site.found(Submission, number)
    seat = next(seat for seat in site.view().seats if seat.seat == row.seat)
    return site.result(number), devices.owner(site.office, site.game, seat.number) or 0


def test_after_an_answer_its_link_switches_the_device_on_for_that_game_alone(site: Site) -> None:
    page, account = answered(site)
    shown = site.get(page)
    form = next(form for form in shown.posts if form.action.partition("?")[0].endswith("/device"))
    assert "For this game." in shown.text
    sent = site.client.post(form.action, data=offered(), headers=AGENT)
    assert sent.status_code == 303
    assert "This device now tells you" in site.get(sent.headers["Location"]).text
    (view,) = devices.mine(site.office, account)
    assert (view.title, view.label) == ("Coal by post", "Firefox, Android")


def test_after_an_answer_a_player_who_is_logged_in_is_told_of_all_games(site: Site) -> None:
    page, account = answered(site)
    number = next(
        seat.number for seat in site.view().seats if devices.owner(site.office, site.game, seat.number) == account
    )
    site.log_in(number)
    shown = site.client.get(page, base_url=URL).text
    assert "For this game." not in shown
    place = page.replace("?", "/device?")
    assert site.client.post(place, data=offered(), base_url=URL).status_code == 303
    assert devices.mine(site.office, account)[0].title == ""


def test_a_link_that_has_served_switches_nothing_on(site: Site) -> None:
    page, account = answered(site)
    old = page.partition("?")[0]
    assert "Tell this device" not in site.get(old).text
    assert site.client.post(f"{old}/device", data=offered()).status_code == 403
    other = site.app.test_client().post(
        page.replace("?", "/device?"), data=offered(), headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert other.status_code == 403
    assert devices.mine(site.office, account) == ()


def test_a_switch_by_link_adds_nothing_to_one_for_all_games(site: Site) -> None:
    _, account = answered(site)
    device = Browser("/wp/a").subscription(ENDPOINT)
    devices.add(site.office, account, device, "?", site.now)
    devices.add(site.office, account, values.replace(device, auth="A" * 22), "?", site.now, site.game)
    row = site.only(select(PushSubscription).where(PushSubscription.account_id == account))
    assert (row.game_id, row.auth) == (None, "A" * 22)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (AGENT["User-Agent"], "Firefox, Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1", "Safari, macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome, Linux"),
        ("curl", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_a_device_is_called_what_its_browser_says(agent: str, said: str) -> None:
    assert label(agent) == said
