"""The operator deletes an account and cancels a game: a second look says what is kept, one button does it."""

import pytest

from pbem.service.operator import operating
from pbem.service.people import accounts
from pbem.store.statuses import GameStatus
from tests.rows import everything
from tests.web.accounts.test_host_page import of, page, run_by, send
from tests.web.reading import Form, Page
from tests.web.site import Site

BEN = "ben@example.org"


@pytest.fixture
def host(site: Site) -> Site:
    """Ana runs the server and is logged in; the game has just started."""
    run_by(site, "ana@example.org")
    site.log_in()
    return site


def look(site: Site, listed: str, leads: str) -> Page:
    """Follow the one link of what was found; nothing changes."""
    (link,) = [link for link in page(site, listed).links if link.startswith(leads)]
    before = everything(site.office)
    shown = page(site, link)
    assert everything(site.office) == before
    return shown


def confirm(site: Site, form: Form, **typed: str) -> tuple[int, str]:
    """Press the button; the status, and what is then on the page."""
    answer = send(site, form.action, {**form.hidden, **dict(form.buttons[:1]), **typed})
    code = answer.status_code
    return code, page(site, answer.headers["Location"]).text if code == 303 else Page(answer.text).text


def actions(site: Site) -> list[str]:
    return [action.what for action in operating.actions(site.office, 10)]


def test_an_account_is_deleted_after_a_second_look_and_its_address_typed(host: Site) -> None:
    shown = look(host, "/host?who=ben", "/host/delete")
    for told in (BEN, "the same as when people delete their own account", "Former player", "Coal by post", "Backups"):
        assert told in shown.text, told
    form = of(shown, "/host/delete")
    code, text = confirm(host, form, address="ben@example.com")
    assert (code, "Nothing was deleted." in text) == (400, True)
    code, text = confirm(host, form, address=f" {BEN.upper()} ")
    assert (code, "The account is deleted." in text, "account deleted" in text) == (303, True, True)
    assert "Nobody has this" in page(host, "/host?who=ben@").text
    assert "Former player" in page(host, f"/games/{host.game}").text
    assert host.letters("account-deleted")[0].data["by_operator"] is True
    assert actions(host) == ["deletes"]
    assert send(host, form.action, {**form.hidden, "address": BEN}).status_code == 404


def test_the_operator_is_not_offered_to_delete_the_own_account_here(host: Site) -> None:
    assert not [link for link in page(host, "/host?who=ana@").links if link.startswith("/host/delete")]
    form = of(page(host, f"/host/delete?number={host.host}"), "/host/delete")
    code, text = confirm(host, form, address="ana@example.org")
    assert (code, "Delete it on its own account page." in text) == (409, True)
    assert actions(host) == []


def test_a_running_game_is_cancelled_after_a_second_look(host: Site) -> None:
    shown = look(host, f"/host?game={host.game}", "/host/cancel")
    for told in ("Cancel the game Coal by post?", "Players: Ana, Ben", "Nobody’s rating changes.", "ended early"):
        assert told in shown.text, told
    code, text = confirm(host, of(shown, "/host/cancel"))
    assert (code, "The game is cancelled." in text, "game cancelled" in text) == (303, True, True)
    assert host.view().status == GameStatus.OVER
    assert len(host.letters("game-over")) == 4
    assert "The operator of this server cancelled the game." in page(host, f"/games/{host.game}").text
    assert actions(host) == ["cancels"]
    again = confirm(host, of(shown, "/host/cancel"))
    assert (again[0], "This game is over." in again[1], actions(host)) == (303, True, ["cancels"])
    answer = host.client.get(f"/host/cancel?game={host.game}", base_url="https://play.example.org")
    assert answer.status_code == 303


def test_a_game_that_has_not_started_is_cancelled_and_its_page_says_so(host: Site) -> None:
    host.open(title="Iron by ship")
    shown = look(host, "/host?game=iron", "/host/cancel")
    assert "not started" in shown.text
    assert "have joined get an email" in shown.text
    confirm(host, of(shown, "/host/cancel"))
    assert "This game was cancelled before it started." in page(host, f"/games/{host.game}").text
    assert "No game that is not over" in page(host, "/host?game=iron").text


def test_nobody_else_finds_these_pages_and_what_names_nothing_is_answered(host: Site) -> None:
    mark = of(page(host), "/host/notice").hidden
    for path in ("/host/delete?number=999", "/host/delete?number=x", "/host/delete", "/host/cancel?game=nothing",
                 "/host/cancel", f"/host/cancel?game={'x' * 90}"):  # fmt: skip
        page(host, path, 404)
    assert send(host, "/host/cancel", {**mark, "game": "nothing"}).status_code == 404
    assert send(host, "/host/delete", {**mark, "number": "999", "address": BEN}).status_code == 404
    ben = accounts.of_seat(host.office, host.game, 1)
    host.log_in(1)
    own = page(host, "/account").posts[0].hidden
    for path, fields in (
        ("/host/delete", {"number": str(ben), "address": BEN}),
        ("/host/cancel", {"game": host.game}),
    ):
        page(host, f"{path}?number={ben}&game={host.game}", 404)
        assert send(host, path, {**own, **fields}).status_code == 404
    assert host.view().status == GameStatus.RUNNING
    assert host.letters("account-deleted") == []
