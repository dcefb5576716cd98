"""What every answer carries, at every address: nothing runs that is not ours, nothing private is left behind."""

from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from pbem.web import create_app
from pbem.web.base import headers
from pbem.web.base.context import cookie_name
from tests import templates
from tests.web.addresses import BASE, Known
from tests.web.conftest import Games
from tests.web.reading import Page
from tests.web.site import Site

OTHERS = ("/nothing", "/t/forged", "/api/v1/nothing", "/games/nothing/board.png", "/static/nothing.css")
"""Addresses at which there is nothing."""


@pytest.fixture(scope="module")
def answers(saved: Games) -> list[tuple[str, TestResponse]]:
    """The answer at every address, to somebody who is logged in; asked for once."""
    site = saved.at("started")
    known = Known(site)
    paths = [*known.paths("GET"), *((path, path) for path in OTHERS)]
    given = [(rule, site.client.get(path, base_url=BASE, buffered=True)) for rule, path in paths]
    saved.close(site)
    return given


def test_no_page_runs_or_fetches_what_is_not_a_file_of_ours(answers: list[tuple[str, TestResponse]]) -> None:
    pages = [(rule, answer) for rule, answer in answers if answer.mimetype == "text/html" and not answer.location]
    assert len(pages) > 20
    assert [(rule, found) for rule, answer in pages for found in Page(answer.text, lenient=True).flaws] == []


def test_every_answer_says_what_may_run_and_where_it_is_shown(answers: list[tuple[str, TestResponse]]) -> None:
    for rule, answer in answers:
        policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'", rule
        assert policy["frame-ancestors"] == "'none'", rule
        assert policy["base-uri"] == "'none'", rule
        assert "unsafe" not in answer.headers["Content-Security-Policy"], rule
        assert answer.headers["X-Content-Type-Options"] == "nosniff", rule
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin", rule
        assert "geolocation=()" in answer.headers["Permissions-Policy"], rule
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000", rule


def test_no_address_with_a_token_is_told_to_others_or_found(answers: list[tuple[str, TestResponse]]) -> None:
    tokens = [(rule, answer) for rule, answer in answers if "token" in rule or "/t/" in rule]
    assert len(tokens) > 12
    for rule, answer in tokens:
        assert answer.headers["Referrer-Policy"] == "no-referrer", rule
        assert answer.headers["X-Robots-Tag"] == "noindex", rule


def test_no_page_of_somebody_is_kept_by_what_is_between(answers: list[tuple[str, TestResponse]]) -> None:
    for rule, answer in answers:
        kept = answer.headers["Cache-Control"]
        if answer.mimetype == "text/html" or answer.status_code >= 400:
            assert kept == "no-store", rule
        elif "token" in rule:
            assert kept in ("no-store", "private, no-cache"), rule
        elif "public" in kept:
            assert "Set-Cookie" not in answer.headers, rule


def test_a_guest_may_keep_public_pages_and_asks_whether_they_have_changed(site: Site) -> None:
    answer = site.client.get(f"/games/{site.game}", base_url=BASE)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in answer.headers["Vary"]


def test_letters_of_the_outbox_are_shown_without_anything_that_runs(site: Site) -> None:
    policy = dict(part.strip().partition(" ")[::2] for part in headers_of_a_letter(site).split(";"))
    assert policy["default-src"] == "'none'"
    assert "script-src" not in policy
    assert policy["sandbox"] == "allow-popups"
    assert policy["frame-ancestors"] == "'none'"


def headers_of_a_letter(site: Site) -> str:
    folder = site.office.settings.outbox_dir
    folder.mkdir(exist_ok=True)
    (folder / "letter.eml").write_text("Subject: x\nContent-Type: text/html\n\n<script>alert(1)</script>")
    return site.client.get("/outbox/letter/html").headers["Content-Security-Policy"]


def test_the_log_in_is_kept_where_no_script_and_no_other_site_can_use_it(site: Site) -> None:
    path = site.path(site.office.addresses.seat(site.game, 1))
    cookie = site.client.post(path, base_url=BASE).headers["Set-Cookie"]
    assert {part.strip() for part in cookie.split(";")[1:]} >= {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"}
    assert "Domain" not in cookie
    assert cookie.startswith("__Host-pbem=")  # nobody but this host, by https, can have set it
    gone = site.client.post("/logout", data={"mark": mark_of(site)}, base_url=BASE).headers["Set-Cookie"]
    assert gone.startswith("__Host-pbem=;")
    assert {part.strip() for part in gone.split(";")[1:]} >= {"Max-Age=0", "Secure", "Path=/"}


def test_a_log_in_that_another_host_of_the_domain_has_planted_is_none(site: Site) -> None:
    own = site.client.post(site.path(site.office.addresses.seat(site.game, 1)), base_url=BASE).headers["Set-Cookie"]
    secret = own.partition("=")[2].partition(";")[0]
    kept, planted = site.app.test_client(), site.app.test_client()
    kept.set_cookie("__Host-pbem", secret, domain="play.example.org")
    planted.set_cookie("pbem", secret, domain="play.example.org")
    assert kept.get("/account", base_url=BASE).status_code == 200
    assert planted.get("/account", base_url=BASE).status_code != 200


def mark_of(site: Site) -> str:
    kept = site.client.get_cookie(cookie_name(site.office.settings), domain="play.example.org")
    assert kept is not None
    return site.office.tokens.seal("form", kept.value)


def test_without_https_browsers_are_not_told_to_ask_for_it(site: Site) -> None:
    settings = replace(site.office.settings, public_url="http://127.0.0.1:8000")
    client = templates.shared(
        create_app(office=replace(site.office, settings=settings), clock=lambda: site.now)
    ).test_client()
    assert "Strict-Transport-Security" not in client.get("/").headers
    cookie = client.post(site.path(site.office.addresses.seat(site.game, 1))).headers["Set-Cookie"]
    assert "Secure" not in cookie
    assert cookie.startswith("pbem=")


def test_every_address_with_a_token_is_known_as_private(site: Site) -> None:
    for rule in site.app.url_map.iter_rules():
        if "token" in rule.arguments:
            assert rule.rule.startswith((*headers.PRIVATE, headers.FEEDS)), rule
