"""Whatever comes in: a clear answer, no 500, nothing lost, nothing half done; and what every answer carries."""

import gzip
import json
import re
import time

import pytest
from sqlalchemy import update

from pbem.service.base.tokens import (
    FeedClaim,
    InvitationClaim,
    OfferClaim,
    PlanClaim,
    SeatClaim,
    TurnClaim,
    UnsubscribeClaim,
    VoteClaim,
)
from pbem.service.letters import talk
from pbem.store.tables import Account, Game, Post, Seat
from tests.web.addresses import BASE, Known
from tests.web.base.test_headers import mark_of
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site


@pytest.mark.parametrize("kind", ["s", "i", "login", "u"])
def test_a_token_of_another_purpose_or_with_a_fault_is_not_found(site: Site, kind: str) -> None:
    token = site.turn().rpartition("/")[2]
    for wrong in (token, f"{token[:-1]}~", "x" * 400):
        assert site.client.get(f"/{kind}/{wrong}").status_code == 404


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "“orders” is missing"),
        ({"orders": ["issue 1", "issue 2"]}, "“orders” was sent 2 times"),
        ({"orders": "x" * 10_001}, "has 10,001 characters"),
        ({"orders": "issue\x00 2"}, "a character that is not allowed"),
    ],
)
def test_what_is_wrong_with_a_form_is_said(site: Site, fields: dict[str, str], sentence: str) -> None:
    answer = site.client.post(site.turn(), data=fields)
    assert answer.status_code == 400
    assert sentence in Page(answer.text).text
    assert site.submissions() == []


def test_a_text_that_cannot_be_taken_is_given_back(site: Site) -> None:
    answer = site.client.post(site.turn(), data={"orders": "issue 2 # " + "x" * 10_001})
    assert "issue 2 # xxx" in answer.text


def test_invalid_utf_8_is_an_order_that_cannot_be_read(site: Site) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = site.client.post(site.turn(), data=b"orders=issue+%ff%fe+2", content_type=kind)
    assert answer.status_code == 303
    assert "not played" in site.get(answer.headers["Location"]).headings[0]
    assert site.client.get(site.turn() + "?order=%ff").status_code == 200


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_a_body_of_a_megabyte_is_too_long(site: Site, kind: str) -> None:
    answer = site.client.post(site.turn(), data=b"orders=" + b"x" * 1_000_000, content_type=kind)
    assert answer.status_code == 413
    assert "64 KB" in Page(answer.text).text
    assert site.submissions() == []


def test_orders_with_markup_are_shown_as_they_were_typed(site: Site) -> None:
    page = site.press(site.turn(), send="typed", typed="<script>alert(1)</script>")
    assert page.form.fields["typed"] == "<script>alert(1)</script>"
    assert "<script>alert" not in page.html


def test_a_host_that_cannot_be_read_is_told(site: Site) -> None:
    answer = site.client.get("/archive", headers={"Host": "x" * 300})
    assert answer.status_code == 400
    assert answer.text == "The Host header of the request cannot be read.\n"
    foreign = site.client.post("/login", headers={"Host": "x" * 300, "Origin": "https://evil.example"})
    assert foreign.status_code == 400


def test_an_address_with_strokes_too_many_leads_on_to_this_server_whatever_the_host_is_said_to_be(site: Site) -> None:
    answer = site.client.get("/maps//rust_belt?at=1", headers={"Host": "evil.example"})
    assert answer.status_code == 308
    assert answer.headers["Location"] == "/maps/rust_belt?at=1"


def test_a_form_that_is_cut_off_is_told_in_our_words(site: Site) -> None:
    cut = {"CONTENT_LENGTH": "90"}
    answer = site.client.post(site.turn(), data={"orders": "issue 2"}, environ_overrides=cut)
    assert answer.status_code == 400
    assert "What you sent arrived incomplete" in Page(answer.text).text


def test_a_part_of_a_file_that_does_not_exist_is_told(site: Site) -> None:
    answer = site.client.get("/static/site.css", headers={"Range": "bytes=9-1"})
    assert answer.status_code == 416
    assert "The file does not have this range of bytes." in Page(answer.text).text


def test_a_turn_link_of_a_game_that_has_not_begun_is_not_found(empty: Site) -> None:
    empty.open()
    for token in (
        empty.office.tokens.make(TurnClaim(empty.game, "", 0)),
        empty.office.tokens.make(PlanClaim(empty.game, "", 0, 0)),
    ):
        for path in (f"/t/{token}", f"/api/v1/turn/{token}"):
            assert empty.client.get(path).status_code == 404
            assert empty.client.post(path, json={"orders": "pass"}).status_code == 404


def test_mails_of_an_account_that_there_is_not_cannot_be_stopped(site: Site) -> None:
    path = f"/u/{site.office.tokens.make(UnsubscribeClaim(99, '', 'your-turn'))}"
    assert site.client.post(path, data={"scope": "all"}).status_code == 404


def test_an_error_of_ours_has_a_number_and_no_traceback(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    site = played("started")

    def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr("pbem.service.games.views.game", broken)
    answer = site.client.get(f"/games/{site.game}")
    assert answer.status_code == 500
    assert "logged under number" in answer.text
    assert "secret words" not in answer.text


def test_static_files_are_kept_for_ever_under_their_fingerprint(site: Site) -> None:
    html = site.get("/").html
    address = html.partition('rel="stylesheet" href="')[2].partition('"')[0]
    with site.client.get(address) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert len(answer.data) < 28 * 1024
    with site.client.get(html.partition('<script src="')[2].partition('"')[0]) as script:
        assert len(script.data) < 5 * 1024


BEYOND = (2**31, 2**63, 2**64, 10**30)


@pytest.mark.parametrize("number", BEYOND)
def test_numbers_beyond_those_of_rows_in_addresses_and_tokens_are_not_found(site: Site, number: int) -> None:
    site.log_in(0)
    root, tokens, game = site.office.settings.public_url, site.office.tokens, site.game
    turn, mark = site.turn().rpartition("/")[2], mark_of(site)
    colour = site.view().waiting_for
    paths = [
        f"/t/{turn}/sent/{number}", f"/t/{turn}/sent/{number}/back", f"/t/{turn}/withdraw/{number}",
        f"/api/v1/turn/{turn}/submissions/{number}", f"/api/v1/turn/{turn}/withdraw/{number}",
        f"/account/notifications/webhooks/{number}", f"/t/{tokens.make(TurnClaim(game, colour, number))}",
        f"/t/{tokens.make(PlanClaim(game, colour, number, 0))}",
        f"/t/{tokens.make(PlanClaim(game, colour, 1, number))}",
        f"/api/v1/turn/{tokens.make(TurnClaim(game, colour, number))}", f"/s/{tokens.make(SeatClaim(game, number))}",
        f"/s/{tokens.make(SeatClaim(game, 0, number))}", f"/i/{tokens.make(InvitationClaim(game, number))}",
        f"/u/{tokens.make(UnsubscribeClaim(number, game, 'reminder'))}", f"/v/{tokens.make(VoteClaim(number, 0, 0))}",
        f"/v/{tokens.make(VoteClaim(1, number, 0))}", f"/v/{tokens.make(VoteClaim(1, 0, number))}",
        f"/o/{tokens.make(OfferClaim(number, 0))}",
        f"/o/{tokens.make(OfferClaim(1, number))}", f"/feed/{tokens.make(FeedClaim(number, 'x'))}/turns.atom",
    ]  # fmt: skip
    for path in paths:
        for method in ("GET", "POST"):
            answer = site.client.open(path, method=method, data={"mark": mark}, base_url=root)
            assert answer.status_code in (404, 405), (method, path, answer.status_code)


@pytest.mark.parametrize("number", BEYOND)
def test_numbers_beyond_those_of_rows_in_queries_and_forms_are_told_or_left_out(site: Site, number: int) -> None:
    site.log_in(0)
    root, mark, game = site.office.settings.public_url, mark_of(site), f"/games/{site.game}"
    for path in (f"/letters?older={number}", f"{game}?at={number}", f"{game}/board.png?at={number}"):
        assert site.client.get(path, base_url=root).status_code in (200, 400, 404), path
    forms = {
        f"{game}/vote": {"vote": f"{number}", "answer": "agree"},
        f"{game}/people": {"do": "remove", "seat": f"{number}", "address": "fay@example.org"},
        "/seats": {"do": "unblock", "account": f"{number}"},
        "/account/away": {"remove": f"{number}"},
    }
    for path, fields in forms.items():
        answer = site.client.post(path, data={**fields, "mark": mark}, base_url=root)
        assert answer.status_code in (400, 404), (path, answer.status_code)


UP = [
    "..",
    "../secret_key",
    "....//secret_key",
    "%2e%2e%2fsecret_key",
    "..%5csecret_key",
    "%00",
    "/etc/passwd",
    "a\u202e",
]
BODIES = {
    "deep": "[" * 30_000 + "]" * 30_000,
    "deep objects": '{"orders":' * 5_000 + "1" + "}" * 5_000,
    "infinite": '{"orders": 1e999999}',
    "no number": '{"orders": NaN}',
    "digits": '{"orders": ' + "9" * 60_000 + "}",
    "half a character": '{"orders": "\\ud800"}',
    "nul": '{"orders": "pass\\u0000"}',
    "twice": '{"orders": "pass", "orders": ["pass"]}',
    "number of many digits": json.dumps({"orders": "issue " + "9" * 9_000}),
    "many orders": json.dumps({"orders": "pass;" * 2_000}),
    "open quote": json.dumps({"orders": '"' * 9_999}),
    "signs without width": json.dumps({"orders": "\u200b" * 9_999}),
    "marks": json.dumps({"orders": "a" + "\u0301" * 9_000}),
}
MARKUP = ("text/html", "application/atom+xml", "image/svg+xml")
NAME = "<script>alert(1)</script>\"'><img src=//evil.example/x onerror=alert(1)>{{7*7}}"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_json_costs_more_than_its_length(site: Site, body: str) -> None:
    path = f"/api/v1{site.turn().replace('/t/', '/turn/')}"
    version, began = site.view().version, time.process_time()
    answer = site.client.post(path, data=body, content_type="application/json")
    assert answer.status_code in (202, 400, 413)
    assert time.process_time() - began < 2
    if answer.status_code == 202:
        assert site.client.get(site.path(answer.get_json()["status"])).get_json()["status"] == "refused"
    assert site.view().version == version


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_no_body_is_unpacked(site: Site, coding: str) -> None:
    bomb = gzip.compress(b"orders=" + b"x" * 20_000_000)
    assert len(bomb) < 64 * 1024
    for kind in ("application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"):
        answer = site.client.post(site.turn(), data=bomb, content_type=kind, headers={"Content-Encoding": coding})
        assert answer.status_code == 400
    assert site.submissions() == []


def test_a_form_of_very_many_fields_is_too_much(site: Site) -> None:
    part = '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n'
    kind = "multipart/form-data; boundary=x"
    assert site.client.post(site.turn(), data=part * 1_100 + "--x--\r\n", content_type=kind).status_code == 413
    file = '--x\r\nContent-Disposition: form-data; name="orders"; filename="../x"\r\n\r\npass\r\n--x--\r\n'
    assert site.client.post(site.turn(), data=file, content_type=kind).status_code == 400
    assert site.submissions() == []


@pytest.mark.parametrize("name", UP)
def test_no_address_leads_out_of_what_is_shown(site: Site, name: str) -> None:
    secret = site.office.settings.data_dir / "secret_key"
    secret.write_text("a key that lies beside the outbox")
    for rule in site.app.url_map.iter_rules():
        if rule.arguments and "GET" in (rule.methods or ()) and "int:" not in rule.rule:
            path = re.sub("<[^>]+>", name.replace("\\", "\\\\"), rule.rule)
            with site.client.get(path, buffered=True) as answer:
                assert answer.status_code in (301, 302, 308, 400, 404), path
                assert "lies beside" not in answer.get_data(as_text=True)


@pytest.fixture
def named(site: Site) -> Known:
    """A game in which everything that people can name is called something bad."""
    known = Known(site)
    talk.post(site.office, site.game, 0, f"{NAME}\n[x](javascript:alert(1)) https://evil.example", site.now)
    talk.write_note(site.office, site.game, site.host, NAME, site.now)
    site.put(
        update(Game).values(title=NAME),
        update(Seat).values(name=NAME[:79]),
        update(Account).values(name=NAME[:79]),
        update(Post).values(name=NAME[:79]),
    )
    return known


def test_whatever_people_write_and_are_called_is_text_on_every_page(named: Known) -> None:
    shown = 0
    for rule, path in named.paths("GET"):
        with named.site.client.get(path, base_url=BASE) as answer:
            assert answer.status_code < 500, rule
            if answer.mimetype not in MARKUP:
                continue
            text = answer.get_data(as_text=True)
            shown += "alert(1)" in text
            assert not re.search("<script>|<img src=//|href=.?javascript", text), rule
            assert all("noreferrer" in link for link in re.findall('<a href="https://evil[^>]+>', text)), rule
            assert ("7*7" in text) == ("alert(1)" in text), rule
            if answer.mimetype == "text/html" and answer.location is None:  # Werkzeug's own page does not close tags
                assert Page(text, lenient=True).flaws == [], rule
    assert shown > 8


def test_what_was_searched_and_typed_is_text_in_the_answer(site: Site) -> None:
    for path in (f"/archive?q={NAME}", f"{site.turn()}?typed={NAME}&check=1", f"{site.turn()}?order={NAME}"):
        answer = site.client.get(path)
        assert "&lt;script&gt;" in answer.text, path
        Page(answer.text)
    for fields in ({"orders": NAME + "x" * 10_000}, {"typed": NAME, "send": "typed", "x": "y"}):
        answer = site.client.post(site.turn(), data=fields, follow_redirects=True)
        assert "&lt;script&gt;" in answer.text
        Page(answer.text)
