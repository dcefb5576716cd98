"""The page of who runs the server: nobody else finds it, opening it changes nothing, every button does what it says."""

from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from pbem.service.operator import operating
from pbem.service.people import accounts, bounces
from pbem.store.statuses import GameStatus, SubmissionStatus
from pbem.store.tables import Account
from pbem.web.base import context
from tests.rows import everything
from tests.service.turns.test_stuck import get_stuck
from tests.web.addresses import BASE, Known
from tests.web.reading import Form, Page
from tests.web.site import Site

PARTS = ("orders", "emails", "notice", "people", "merge", "delete", "cancel")


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


def of(shown: Page, action: str) -> Form:
    """The last form of the page with this address."""
    return [form for form in shown.posts if form.action == action][-1]


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
    fields = {"mark": mark, "number": "1", "do": "block", "text": "Ben was here"}
    fields |= {"address": "ana@example.org", "game": site.game, "sure": "yes"}
    for part in PARTS:
        assert send(site, f"/host/{part}", fields).status_code == 404
        page(site, f"/host/{part}?number=1&game={site.game}&kept=1", 404 if part in PARTS[4:] else 405)
    assert site.view().status == GameStatus.RUNNING
    site.log_in(0)
    assert "/host" in page(site, "/account").links
    assert page(site).headings[0] == "Your server"


def test_without_an_operator_nobody_has_it(site: Site) -> None:
    site.log_in()
    page(site, code=404)


def test_opening_it_changes_nothing_and_a_form_of_elsewhere_does_nothing(site: Site) -> None:
    known = Known(site)
    run_by(site, "ana@example.org")
    before = everything(known.site.office)
    page(site)
    assert send(site, "/host/orders", {"number": "1", "mark": "f" * 64}).status_code == 403
    assert everything(known.site.office) == before


def test_orders_set_aside_are_played_again_after_a_second_look(host: Site) -> None:
    number = get_stuck(host)
    shown = page(host)
    assert f"orders-{number}" in shown.ids
    assert "You cannot undo it." in shown.text
    told = press(host, of(shown, "/host/orders"))
    assert "A worker plays the orders now." in told.text
    assert host.submissions()[-1].status == SubmissionStatus.PLAYED
    again = send(host, "/host/orders", {**of(shown, "/host/orders").hidden, "number": str(number)})
    assert "not set aside any more" in page(host, again.headers["Location"]).text


def test_orders_that_answer_nothing_any_more_are_closed(host: Site) -> None:
    get_stuck(host)
    host.play()
    assert "A worker" not in press(host, of(page(host), "/host/orders")).text
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
    told = press(host, of(shown, "/host/emails"))
    assert address not in told.text
    assert bounces.unreachable(host.office, letter.account_id) is None


def test_numbers_that_name_nothing_are_answered(host: Site) -> None:
    mark = page(host, "/account").posts[0].hidden
    for number in ("", "0", "x", "²", "-1", "9" * 200):
        for path in ("/host/orders", "/host/emails"):
            assert send(host, path, {**mark, "number": number}).status_code == 303, (path, number)
        for wish in ("rename", "block", "unblock"):
            answer = send(host, "/host/people", {**mark, "number": number, "do": wish, "name": "Zoe"})
            assert answer.status_code == 404, (wish, number)
    assert send(host, "/host/people", {**mark, "number": "1", "do": "merge"}).status_code == 400
    assert operating.actions(host.office, 10) == ()


def test_a_notice_stands_at_the_head_of_every_page_until_it_is_taken_away(host: Site) -> None:
    own = page(host)
    form = of(own, "/host/notice")
    send(host, form.action, {**form.hidden, "text": "Tonight <b>no</b> mail\nfrom 22:00"})
    for path in ("/", "/account", "/nothing-here", host.turn()):
        shown = host.client.get(path, base_url=BASE).text
        assert "From the operator of this server:" in shown, path
        assert "Tonight &lt;b&gt;no&lt;/b&gt; mail from 22:00" in shown, path
    too_long = send(host, form.action, {**form.hidden, "text": "x" * (operating.LONGEST_NOTICE + 1)})
    assert too_long.status_code == 400
    assert operating.notice(host.office).startswith("Tonight")
    send(host, form.action, {**form.hidden, "text": " "})
    assert "From the operator" not in page(host, "/").html
    assert [action.what for action in operating.actions(host.office, 10)] == ["ends-notice", "tells"]


def test_a_notice_of_another_process_is_seen_on_the_next_page(host: Site) -> None:
    page(host, "/")
    operating.tell_all(host.office, host.host, "Back soon", host.now)
    assert "Back soon" in page(host, "/").text


def test_people_are_found_by_address_or_name_and_renamed(host: Site) -> None:
    assert page(host, "/host?who=").text.count("here since") == 0
    assert page(host, "/host?who=EXAMPLE.org").text.count("here since") > 2
    assert "Nobody has this" in page(host, "/host?who=%25").text
    shown = page(host, "/host?who=Ben")
    form = of(shown, "/host/people")
    assert send(host, form.action, {**form.hidden, "do": "rename", "name": ""}).status_code == 400
    answer = send(host, form.action, {**form.hidden, "do": "rename", "name": "Benno"})
    assert "Benno" in page(host, answer.headers["Location"]).text
    with host.office.read() as session:
        assert session.get_one(Account, int(form.hidden["number"])).name == "Benno"


def test_who_is_blocked_is_logged_out_and_cannot_log_in_until_unblocked(host: Site) -> None:
    ben = host.app.test_client()
    seat = host.path(host.office.addresses.seat(host.game, 1))
    assert ben.post(seat, base_url=BASE).status_code == 303
    assert ben.get("/account", base_url=BASE).status_code == 200
    form = of(page(host, "/host?who=ben@"), "/host/people")
    assert "Blocked on" in press(host, form).text
    assert ben.get("/account", base_url=BASE).status_code == 302
    assert ben.post(seat, base_url=BASE).status_code == 409
    assert ben.get(seat, base_url=BASE).status_code == 200  # the game goes on
    before = len(host.letters("login"))
    accounts.ask_login(host.office, "ben@example.org", host.now)
    assert len(host.letters("login")) == before
    form = of(page(host, "/host?who=ben@"), "/host/people")
    press(host, form)
    assert ben.post(seat, base_url=BASE).status_code == 303
    accounts.ask_login(host.office, "ben@example.org", host.now)
    assert len(host.letters("login")) == before + 1
    assert [action.what for action in operating.actions(host.office, 10)] == ["unblocks", "blocks"]


def test_nobody_blocks_themselves(host: Site) -> None:
    form = of(page(host, "/host?who=ana@"), "/host/people")
    assert send(host, form.action, {**form.hidden, "do": "block"}).status_code == 409
    page(host)


def test_two_accounts_are_merged_after_both_were_chosen_and_what_happens_was_told(host: Site) -> None:
    host.account("Benno", "benno@example.net")
    first = next(link for link in page(host, "/host?who=benno").links if "/host/merge" in link)
    found = page(host, f"{first}&who=ben@")
    second = next(link for link in found.links if "goes=" in link)
    shown = page(host, second)
    assert "ben@example.org leads to the account that is kept" in shown.text
    assert "You cannot undo it." in shown.text
    told = press(host, of(shown, "/host/merge"))
    assert "The two accounts are one." in told.text
    assert "Addresses that lead here as well: ben@example.org" in told.text
    assert [action.what for action in operating.actions(host.office, 10)] == ["merges"]
    again = send(host, "/host/merge", {**of(shown, "/host/merge").hidden})
    assert again.status_code == 404


def test_two_who_sit_in_one_game_are_not_offered_the_button_and_not_merged_without_it(host: Site) -> None:
    ben, chloe = (accounts.of_seat(host.office, host.game, number) for number in (1, 2))
    shown = page(host, f"/host/merge?kept={ben}&goes={chloe}")
    assert "nobody can have two: Coal by post." in shown.text
    assert not [form for form in shown.posts if form.action == "/host/merge"]
    fields = {**of(page(host), "/host/notice").hidden, "kept": str(ben), "goes": str(chloe)}
    assert send(host, "/host/merge", fields).status_code == 409
    for wrong in ("", "kept=x", "kept=999", f"kept={ben}&goes=999", f"kept=0&goes={ben}"):
        page(host, f"/host/merge?{wrong}", 404)
    assert "Choose two different accounts." in page(host, f"/host/merge?kept={ben}&goes={ben}").text


BEN = "ben@example.org"


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


def test_what_names_nothing_is_answered(host: Site) -> None:
    mark = of(page(host), "/host/notice").hidden
    for path in ("/host/delete?number=999", "/host/delete?number=x", "/host/delete", "/host/cancel?game=nothing",
                 "/host/cancel", f"/host/cancel?game={'x' * 90}"):  # fmt: skip
        page(host, path, 404)
    assert send(host, "/host/cancel", {**mark, "game": "nothing"}).status_code == 404
    assert send(host, "/host/delete", {**mark, "number": "999", "address": BEN}).status_code == 404
