"""The page of feeds and webhooks, and mail again after letters came back."""

from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from pbem.service.people import bounces, feeds, webhooks
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

URL = "https://play.example.org"
WEBHOOK = "https://example.org/webhook/secret"


class Reader:
    """Ana's browser."""

    def __init__(self, site: Site, number: int = 0) -> None:
        self.site = site
        site.log_in(number)

    def get(self, path: str = "/account/notifications") -> Page:
        answer = self.site.client.get(path, base_url=URL)
        assert answer.status_code == 200
        return Page(answer.text)

    def post(self, path: str, code: int = 303, **fields: str) -> TestResponse:
        mark = next(form.hidden["mark"] for form in self.get().posts if "mark" in form.hidden)
        answer = self.site.client.post(path, data={"mark": mark, **fields}, base_url=URL)
        assert answer.status_code == code, answer.text
        return answer

    def add(self, code: int = 303, **fields: str) -> TestResponse:
        return self.post(
            "/account/notifications/webhooks", code, **{"kind": "json", "url": WEBHOOK, "game": "", **fields}
        )


@pytest.fixture
def ana(played: Played) -> Reader:
    """The host of a game that has just started."""
    return Reader(played("started"))


def test_a_guest_is_led_to_the_log_in(site: Site) -> None:
    assert "/login" in site.client.get("/account/notifications").headers["Location"]
    assert site.client.get("/account/ways").headers["Location"] == "/account/notifications", (
        "as older emails link to it"
    )
    for path in (
        "/account/notifications/feeds",
        "/account/notifications/webhooks",
        "/account/notifications/webhooks/1",
        "/account/mail-again",
    ):
        assert site.client.post(path, data={"do": "renew"}).status_code == 302
        assert site.client.get(path).status_code == 405


def test_feeds_are_made_by_a_button_and_not_by_looking(ana: Reader) -> None:
    assert "Create my feed addresses" in ana.get().text or ana.get().forms
    assert feeds.addresses(ana.site.office, 1) is None
    answer = ana.post("/account/notifications/feeds", do="renew")
    page = ana.get(answer.headers["Location"].replace(URL, ""))
    made = feeds.addresses(ana.site.office, 1)
    assert made is not None
    assert made.atom in page.html
    assert made.calendar in page.html
    assert "Your feeds have new addresses." in page.text


def test_a_webhook_is_saved_tested_and_removed(ana: Reader) -> None:
    ana.add(game=ana.site.game)
    (webhook,) = webhooks.mine(ana.site.office, 1)
    page = ana.get()
    assert "Plain JSON at example.org" in page.text
    assert "Announces every turn in Coal by post" in page.text
    assert "secret" not in page.html.replace("is a secret between", "")
    answer = ana.post(f"/account/notifications/webhooks/{webhook.id}", do="test")
    assert answer.headers["Location"].endswith(f"tested=1#webhook-{webhook.id}")
    tested = ana.get("/account/notifications?tested=1")
    assert "The test is being sent." in tested.text
    assert 'http-equiv="refresh"' in tested.html
    assert 'http-equiv="refresh"' not in ana.get().html
    ana.post(f"/account/notifications/webhooks/{webhook.id}", do="remove")
    assert webhooks.mine(ana.site.office, 1) == ()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"url": "http://example.org/"}, "must begin with https://"),
        ({"url": "https://127.0.0.1/"}, "must name a host on the internet"),
        ({"url": "https://example.org:22/"}, "Only port 443"),
        ({"url": "x" * 3000}, "longer than 500 characters"),
        ({"kind": "irc"}, "Choose Discord, Slack, ntfy or plain JSON."),
        ({"kind": "discord"}, "begins with https://discord.com/api/webhooks/"),
        ({"game": "nosuch"}, "that you host"),
    ],
)
def test_what_is_wrong_with_a_webhook_is_said(ana: Reader, fields: dict[str, str], sentence: str) -> None:
    page = Page(ana.add(400, **fields).text)
    assert sentence in page.text
    form = next(form for form in page.posts if "url" in form.fields)
    assert form.fields["url"] == fields.get("url", WEBHOOK)[:2000]
    assert webhooks.mine(ana.site.office, 1) == ()


def test_the_most_webhooks_there_can_be(ana: Reader) -> None:
    for _ in range(webhooks.MOST):
        ana.add()
    assert "you cannot have more" in ana.get().text
    assert "Remove one first" in Page(ana.add(409).text).text


def test_a_player_who_is_not_the_host_is_not_offered_the_game(played: Played) -> None:
    ben = Reader(played("started"), 1)
    assert "Every turn in Coal by post" not in ben.get().text
    ben.add(400, game=ben.site.game)


def test_nobody_changes_the_webhooks_of_others(played: Played) -> None:
    site = played("started")
    Reader(site).add()
    (webhook,) = webhooks.mine(site.office, 1)
    ben = Reader(site, 1)
    for what in ("test", "remove"):
        ben.post(f"/account/notifications/webhooks/{webhook.id}", 404, do=what)
    assert webhooks.mine(site.office, 1) == (webhook,)


def test_mails_that_come_back_are_told_with_one_button_that_ends_it(ana: Reader) -> None:
    site = ana.site
    assert "You get no emails" not in ana.get().text
    letter = next(row.id for row in site.letters() if row.account_id == 1)
    bounces.refused(site.office, letter, "550 5.1.1 no such user <script>", site.now)
    page = ana.get()
    assert "You get no emails." in page.text
    assert "There is no such mailbox." in page.text
    assert "<script>alert" not in page.html
    assert "550 5.1.1 no such user" in page.text
    ana.post("/account/mail-again")
    assert "You get no emails" not in ana.get().text
    assert [row.account_id for row in site.letters("test")] == [1]


def test_the_setting_for_tests_is_off(ana: Reader) -> None:
    assert not ana.site.office.settings.webhooks_loopback
    ana.add(400, url="http://127.0.0.1:8000/")
    site = ana.site
    allowed = replace(site.office, settings=replace(site.office.settings, webhooks_loopback=True))
    assert webhooks.add(allowed, 1, "json", "http://127.0.0.1:8000/", "", site.now)
