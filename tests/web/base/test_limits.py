"""Limits over the web: several processes count together, a refusal says what it cost, and nobody is told on."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event, text
from werkzeug.test import TestResponse

from pbem.engine import say
from pbem.service import open_office
from pbem.service.base import rate_limits
from pbem.service.base.rate_limits import Limit
from pbem.web import create_app
from pbem.web.base import clients, errors
from pbem.web.boards import pictures
from pbem.web.interfaces import api
from pbem.web.turns import turn
from tests import templates
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

FEW = Limit("tests", 3, timedelta(minutes=1), say("That is too much. Nothing was taken; send it again."))
HERE = "198.51.100.7"


def process(site: Site, proxies: int = 0) -> FlaskClient:
    """One more web process over the same database, with limits."""
    settings = replace(site.office.settings, rate_limits=True, proxies=proxies)
    office = replace(open_office(settings), hints=site.office.hints, entropy=site.office.entropy)
    return templates.shared(create_app(office=office, clock=lambda: site.now, patience=0)).test_client()


@pytest.fixture
def limited(site: Site) -> Site:
    """A game just begun, on a server with limits."""
    site.office = replace(site.office, settings=replace(site.office.settings, rate_limits=True))
    site.app = templates.shared(create_app(office=site.office, clock=lambda: site.now, patience=0))
    site.client = site.app.test_client()
    return site


def ask(client: FlaskClient, number: int, address: str = HERE, **headers: str) -> int:
    """Ask for a log-in letter; the status of the answer."""
    data = {"address": f"p{number}@example.org"}
    return client.post("/login", data=data, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_two_web_processes_count_together(site: Site) -> None:
    one, other = process(site), process(site)
    assert [ask((one, other)[number % 2], number) for number in range(20)] == [200] * 20
    for client in (one, other):
        answer = client.post("/login", data={"address": "x@example.org"}, environ_base={"REMOTE_ADDR": HERE})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
        assert "Try again in 1 hour." in Page(answer.text).text
    assert len(site.letters("login")) == 20
    site.later(hours=1)
    assert ask(other, 21) == 200


def test_orders_beyond_the_limit_are_not_taken_and_given_back(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "ORDERS_OF_A_SEAT", FEW)
    monkeypatch.setattr(api, "ORDERS", FEW)
    limited.working = False
    for number in range(3):
        limited.post(limited.turn(), {"orders": f"issue {number}"})
    answer = limited.post(limited.turn(), {"orders": "issue 2 # all of it"}, code=429)
    page = Page(answer.text)
    assert "Nothing was taken" in page.text
    assert "issue 2 # all of it" in page.text
    assert answer.headers["Retry-After"] == "60"
    told = limited.client.post(f"/api/v1{limited.turn().replace('/t/', '/turn/')}", json={"orders": "issue 2"})
    assert (told.status_code, told.headers["Retry-After"]) == (429, "60")
    assert "Nothing was taken" in json.loads(told.text)["error"]
    assert len(limited.submissions()) == 3
    limited.later(minutes=1)
    limited.post(limited.turn(), {"orders": "issue 2 # all of it"})


def test_one_seat_never_uses_up_what_another_may_send(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "ORDERS_OF_A_SEAT", FEW)
    mine = limited.turn()
    for _ in range(4):
        answer = limited.client.post(mine, data={"orders": "pass"})
    assert answer.status_code == 429
    view = limited.view()
    other = next(seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    theirs = limited.path(limited.office.addresses.turn(view.id, other, view.version))
    assert limited.client.post(theirs, data={"orders": "pass"}).status_code == 303


def test_a_client_with_too_many_wrong_links_has_to_wait(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "WRONG_LINKS", FEW)
    codes = [limited.client.get(f"/t/forged{number}").status_code for number in range(5)]
    assert codes == [404, 404, 404, 429, 429]
    assert limited.client.get(limited.turn()).status_code == 200
    assert limited.client.get("/t/forged", environ_base={"REMOTE_ADDR": HERE}).status_code == 404
    assert limited.client.post("/t/forged", data={"orders": "x" * 100_000}).status_code == 429


def test_a_wrong_link_without_a_database_may_come_again(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "WRONG_LINKS", FEW)
    with limited.office.write() as session:
        session.execute(text("DROP TABLE allowances"))
    answer = limited.client.get("/t/forged")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_pictures_count_only_when_they_are_drawn(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "PICTURES", FEW)
    thumbs = [f"/maps/{slug}/thumb.png" for slug in ("rust_belt", "germany", "ireland", "france")]
    assert [limited.client.get(path).status_code for path in thumbs] == [200, 200, 200, 429]
    assert [limited.client.get(path).status_code for path in thumbs] == [200, 200, 200, 429]


def test_a_program_that_asks_without_end_is_told_to_wait(limited: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "REQUESTS", FEW)
    path = f"/api/v1{limited.turn().replace('/t/', '/turn/')}"
    assert [limited.client.get(path).status_code for _ in range(5)] == [200, 200, 200, 429, 429]


def test_limits_are_as_large_as_their_words_say() -> None:
    found = [limit for limit in vars(rate_limits).values() if isinstance(limit, Limit)]
    assert len(found) > 8
    silent = {limit.name for limit in found if f"{limit.most:,}" not in str(limit.words)}
    assert [limit.name for limit in found if limit.name in silent and re.search(r"\d", str(limit.words))] == []
    assert len(silent) <= 2


def last_of(site: Site, limit: Limit, whom: str) -> None:
    """So much of a limit is used up that one more use is the last, as this process knows and as the table knows."""
    step = limit.most // clients.WRITES
    rate_limits.note(site.office, limit, whom, site.now, limit.most - step)
    one_short(site, limit, whom)


def one_short(site: Site, limit: Limit, whom: str) -> None:
    """This process writes its count with the next use."""
    tally: clients.Tally = site.app.extensions[clients.EXTENSION]
    for _ in range(limit.most // clients.WRITES - 1):
        tally.use(site.office, limit, whom, site.now)


@pytest.mark.parametrize("way", ["page", "api", "asking", "status", "picture", "wrong link", "trial"])
def test_a_limit_bites_at_its_own_number(limited: Site, way: str) -> None:
    turn = limited.turn()
    token, seat = turn.rpartition("/")[2], f"{limited.game}:{limited.view().waiting_for}"
    limited.working = False
    sent = limited.send("issue 0")
    ask, trial = limited.client, f"{turn}/try/0/00000000/-"
    ways: dict[str, tuple[Limit, int, str, Callable[[int], TestResponse]]] = {
        "page": (rate_limits.ORDERS, 600, seat, lambda n: ask.post(turn, data={"orders": f"issue {n}"})),
        "api": (
            rate_limits.ORDERS,
            600,
            seat,
            lambda n: ask.post(f"/api/v1/turn/{token}", json={"orders": f"issue {n}"}),
        ),
        "asking": (rate_limits.REQUESTS, 3000, token, lambda _: ask.get(f"/api/v1/turn/{token}")),
        "status": (rate_limits.REQUESTS, 3000, token, lambda _: ask.get(f"/api/v1/turn/{token}/submissions/{sent}")),
        "picture": (rate_limits.PICTURES, 1500, "127.0.0.1", lambda n: ask.get(f"/maps/{MAPS[n]}/thumb.png")),
        "wrong link": (rate_limits.WRONG_LINKS, 60, "127.0.0.1", lambda n: ask.get(f"/t/forged{n}")),
        "trial": (rate_limits.TRIALS, 30, "127.0.0.1", lambda _: ask.post(trial, data={"robots": "1"})),
    }
    limit, most, whom, uses = ways[way]
    assert limit.most == most
    last_of(limited, limit, whom)
    taken = uses(0).status_code
    one_short(limited, limit, whom)
    assert (taken, uses(1).status_code) == (
        {"page": 303, "api": 202, "wrong link": 404, "trial": 303}.get(way, 200),
        429,
    )


MAPS = ("rust_belt", "ireland")


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("unix:", "unknown"),
    ],
)
def test_an_address_of_ipv6_counts_as_its_network(address: str, counted_as: str) -> None:
    assert clients.network(address) == counted_as


def test_what_a_client_says_of_itself_is_believed_only_of_as_many_proxies_as_there_are(site: Site) -> None:
    bare, behind = process(site), process(site, proxies=1)
    forged = [ask(bare, number, "127.0.0.1", **{"X-Forwarded-For": f"203.0.113.{number}"}) for number in range(21)]
    assert forged[-1] == 429
    proxied = [
        ask(behind, number, "127.0.0.1", **{"X-Forwarded-For": f"203.0.113.{number}, {HERE}"}) for number in range(21)
    ]
    assert proxied == [200] * 20 + [429]
    assert ask(behind, 22, "127.0.0.1", **{"X-Forwarded-For": "198.51.100.8"}) == 200


def test_nobody_learns_which_addresses_are_known(limited: Site) -> None:
    answers, statements = [], []
    for address in ("ana@example.org", "new@example.org"):
        written: list[str] = []
        note = lambda *args, written=written: written.append(args[2])  # noqa: E731 - listened to and taken away again
        event.listen(limited.office.database.engine, "before_cursor_execute", note)
        answer = limited.client.post("/login", data={"address": address})
        event.remove(limited.office.database.engine, "before_cursor_execute", note)
        answers.append((answer.status_code, answer.text.replace(address, "ADDRESS"), sorted(answer.headers.keys())))
        statements.append(len(written))
    assert answers[0] == answers[1]
    assert abs(statements[0] - statements[1]) <= 4  # the row of the account and its savepoint
    assert len(limited.letters("login")) == 2


def test_letters_that_are_not_sent_are_shown_to_this_machine_only(played: Played) -> None:
    site = played("started")
    for path in ("/outbox", "/outbox/x", "/outbox/x/html", "/outbox/x/source"):
        for where in (
            {"environ_base": {"REMOTE_ADDR": HERE}},
            {"base_url": "https://play.example.org"},
            {"headers": {"X-Forwarded-For": HERE}, "base_url": "http://games.example.org"},
        ):
            assert site.client.get(path, **where).status_code == 403
    key = site.office.tokens.seal("outbox")
    elsewhere = {"environ_base": {"REMOTE_ADDR": HERE}}
    assert site.client.get(f"/outbox?key={key[:-1]}", **elsewhere).status_code == 403
    assert site.client.get(f"/outbox?key={key}", **elsewhere).location == "/outbox"
    assert site.client.get("/outbox", **elsewhere).status_code == 200, "the browser has kept the key"
    for own in ("http://127.0.0.1:8000", "http://localhost", "http://[::1]:8000"):
        assert site.client.get("/outbox", base_url=own).status_code == 200
