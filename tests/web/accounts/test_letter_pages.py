"""Stopping letters, and reading them here while there is no mail server."""

from dataclasses import replace
from email.message import EmailMessage

import pytest

from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.people import accounts, notifications
from tests.web.site import Site

LETTER = "k7m2.t1@play.example.org"


@pytest.fixture
def written(site: Site) -> Site:
    """A letter lies in the outbox."""
    message = EmailMessage()
    message["Subject"], message["To"], message["From"] = "[Coal] <b>Turn 1</b>", "ana@example.org", "pbem@example.org"
    message.set_content("Board: https://play.example.org/games/x\n<script>alert(1)</script>\n")
    message.add_alternative('<p onclick="x">Hello <img src="cid:board"></p>', subtype="html")
    html = message.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.add_related(b"picture", "image", "png", cid="<board>")
    folder = site.office.settings.outbox_dir
    folder.mkdir(exist_ok=True)
    (folder / f"{LETTER}.eml").write_bytes(bytes(message))
    return site


def test_the_outbox_lists_letters_and_shows_them_as_text(written: Site) -> None:
    assert "[Coal] <b>Turn 1</b>" in written.get("/outbox").text
    page = written.get(f"/outbox/{LETTER}")
    assert "https://play.example.org/games/x" in page.links
    assert "<script>alert" not in page.html


def test_a_letter_shown_as_mail_runs_nothing_and_has_its_picture(written: Site) -> None:
    answer = written.client.get(f"/outbox/{LETTER}/html")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "data:image/png;base64" in answer.text
    assert written.client.get(f"/outbox/{LETTER}/source").data.startswith(b"Subject:")


def test_there_is_no_outbox_when_letters_go_to_a_mail_server(written: Site) -> None:
    office = replace(written.office, settings=replace(written.office.settings, smtp_url="smtp://localhost"))
    written.app.extensions["pbem.context"] = replace(written.app.extensions["pbem.context"], office=office)
    assert written.client.get("/outbox").status_code == 404
    assert written.client.get(f"/outbox/{LETTER}").status_code == 404


def _stop_path(site: Site) -> str:
    return site.path(site.office.addresses.unsubscribe(1, site.game, "your-turn"))


def test_letters_are_stopped_by_the_button_and_sent_again_by_the_other(site: Site) -> None:
    path = _stop_path(site)
    claim = site.office.tokens.read(UnsubscribeClaim, path.rpartition("/")[2])
    page = site.get(path)
    assert not accounts.mail_stopped(site.office, claim)
    stopped = site.post(path, {**page.form.fields, "scope": "game", "do": "stop"}, 200)
    assert "You no longer get these emails" in stopped.text
    assert accounts.mail_stopped(site.office, claim)
    site.post(path, {"do": "resume"}, 200)
    assert not accounts.mail_stopped(site.office, claim)


def test_one_click_stops_all_emails_of_the_game_that_the_email_is_about_and_otherwise_its_kind(site: Site) -> None:
    """One press in a mail program stops what the page would offer first: all of the game, not one kind of it."""
    tokens = site.office.tokens

    def stopped(game: str, kind: str) -> bool:
        return accounts.mail_stopped(
            site.office, tokens.read(UnsubscribeClaim, tokens.make(UnsubscribeClaim(1, game, kind)))
        )

    site.post(_stop_path(site), {"List-Unsubscribe": "One-Click"}, 200)
    assert [stopped(site.game, kind) for kind in ("your-turn", "reminder", "talk")] == [True, True, True]
    assert not stopped("anothergame", "your-turn")
    site.post(f"/u/{tokens.make(UnsubscribeClaim(1, '', 'digest'))}", {"List-Unsubscribe": "One-Click"}, 200)
    assert [stopped("", kind) for kind in ("digest", "new-tables")] == [True, False]


@pytest.mark.parametrize("fields", [{"do": "x", "scope": "all"}, {"scope": "x"}, {}])
def test_an_unclear_wish_stops_nothing(site: Site, fields: dict[str, str]) -> None:
    path = _stop_path(site)
    assert site.client.post(path, data=fields).status_code == 400
    assert not accounts.mail_stopped(site.office, site.office.tokens.read(UnsubscribeClaim, path.rpartition("/")[2]))


def test_fewer_emails_are_offered_before_none_and_sent_as_before_by_the_other_button(site: Site) -> None:
    path = _stop_path(site)
    page = site.get(path)
    assert page.form.fields["scope"] == "digest"
    assert "/account" in page.links

    def told() -> str:
        return notifications.games(site.office, 1)[0].mails

    site.post(path, {**page.form.fields, "do": "stop"}, 200)
    assert told() == "digest"
    site.post(path, {"scope": "mute", "do": "stop"}, 200)
    assert told() == "mute"
    assert not accounts.mail_stopped(site.office, site.office.tokens.read(UnsubscribeClaim, path.rpartition("/")[2]))
    site.post(path, {"do": "resume"}, 200)
    assert told() == ""


def test_the_time_zone_of_the_browser_is_taken_for_who_has_chosen_none(site: Site) -> None:
    def log_in(zone: str) -> str:
        site.later(minutes=30)
        accounts.ask_login(site.office, "ana@example.org", site.now)
        link = site.read(site.letters("login")[-1]).own.link
        assert 'name="browser_zone"' in site.get(site.path(link)).html
        site.client.post(site.path(link), data={"browser_zone": zone})
        return notifications.of(site.office, 1).zone

    assert [log_in(zone) for zone in ("Mars/Crater", "", "Europe/Warsaw", "America/Lima")] == [
        "UTC",
        "UTC",
        "Europe/Warsaw",
        "Europe/Warsaw",
    ]
