"""The API for programs: who is let in, what they are asked, and what becomes of their orders."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update
from werkzeug.test import TestResponse

from pbem.service.base import rate_limits
from pbem.service.base.rate_limits import REQUESTS
from pbem.service.people import accounts, programs
from pbem.store.tables import Account, ProgramToken
from pbem.web import create_app
from pbem.web.base import clients
from pbem.web.interfaces.answers import document
from tests import templates
from tests.web.conftest import Played
from tests.web.interfaces.test_api import references
from tests.web.site import Site

QUESTIONS = "/api/v1/questions"


class Client:
    """A program that plays for the account of a seat."""

    def __init__(self, site: Site, account: int) -> None:
        self.site, self.account = site, account
        self.token = f"pbem_token-of-{account}"
        row = ProgramToken(account_id=account, hash=accounts.hashed(self.token), created_at=site.now)
        with site.office.write() as session:
            session.add(row)

    def get(self, path: str = QUESTIONS, code: int = 200) -> dict[str, Any]:
        answer = self.site.client.get(self.site.path(path), headers=self._headers)
        assert answer.status_code == code, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    def post(self, path: str, code: int = 202, **body: Any) -> dict[str, Any]:
        body = body or {"json": {"orders": "issue 2"}}
        answer: TestResponse = self.site.client.post(self.site.path(path), headers=self._headers, **body)
        assert answer.status_code == code, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@pytest.fixture
def asked(site: Site) -> Client:
    """The program that is asked."""
    return Client(site, site.number_asked() + 1)


@pytest.fixture
def other(site: Site, asked: Client) -> Client:
    """A program that plays in the same game and is not asked."""
    return Client(site, 5 - asked.account)


def question(client: Client) -> str:
    (found,) = client.get()["questions"]
    return str(found["question"])


def test_what_is_asked_is_listed_with_its_deadline_and_read_at_its_address(asked: Client, other: Client) -> None:
    view = asked.site.view()
    (found,) = asked.get()["questions"]
    assert found == {
        "game": view.id,
        "title": "Coal by post",
        "kind": "age-of-steam",
        "map": "rust_belt",
        "seat": view.waiting_for,
        "version": 0,
        "turn": 1,
        "phase": "issue_shares",
        "since": "2026-11-20T18:00:00+00:00",
        "deadline": "2026-11-23T18:00:00+00:00",
        "paused": False,
        "question": f"https://play.example.org{QUESTIONS}/{view.id}/0",
    }
    told = asked.get(found["question"])
    assert told == asked.get(asked.site.turn().replace("/t/", "/api/v1/turn/")), "as the turn API tells it"
    assert other.get()["questions"] == []


def test_orders_are_played_and_their_status_is_told(asked: Client) -> None:
    path = question(asked)
    receipt = asked.post(path)
    assert receipt["status"] == f"{path}/submissions/{receipt['submission']}"
    told = asked.get(receipt["status"])
    assert told["status"] == "played"
    assert "issued 2 shares" in told["events"][0]
    assert asked.site.view().version == 1


def test_orders_that_wait_are_not_asked_for_again_and_the_same_ones_are_taken_once(asked: Client) -> None:
    path = question(asked)
    asked.site.working = False
    receipt = asked.post(path)
    assert asked.post(path) == receipt
    assert asked.get()["questions"] == []
    assert asked.get(receipt["status"])["status"] == "waiting"


@pytest.mark.parametrize(
    ("orders", "says", "line"),
    [("issue 99", "13", 0), ("isue 2", "isue", 1), ("build B1 NE-S", "", 0), ("issue 2\nissue 99", "", 2)],
)
def test_what_the_rules_refuse_is_told_at_once_and_nobody_gets_an_email(
    asked: Client, orders: str, says: str, line: int
) -> None:
    told = asked.post(question(asked), 422, json={"orders": orders})
    assert says in told["error"]
    assert told["line"] == line
    assert {"rule", "step"} <= told.keys()
    assert asked.site.submissions() == []
    assert asked.site.letters("refused") == []


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"", "application/json", 422),
        (b"{", "application/json", 422),
        (b'{"orders": ""}', "application/json", 422),
        (b'{"orders": "' + b"x" * 10_001 + b'"}', "application/json", 422),
        (b'{"orders": "issue 2"}', "text/plain", 415),
        (b'{"orders": "\\ud800"}', "application/json", 422),
        (b"x" * 1_000_000, "application/json", 413),
    ],
)
def test_every_body_has_a_clear_answer(asked: Client, body: bytes, kind: str, code: int) -> None:
    assert asked.post(question(asked), code, data=body, content_type=kind)["error"]
    assert asked.site.view().version == 0


def test_a_question_that_is_over_or_not_asked_of_the_account_is_a_conflict(asked: Client, other: Client) -> None:
    path = question(asked)
    assert other.get(path, 409)["error"] == "This question has been answered."
    assert other.post(path, 409)["version"] == 0
    asked.post(path)
    for told in (asked.get(path, 409), asked.post(path, 409, json={"orders": "issue 3"})):
        assert (told["version"], told["game"]) == (1, asked.site.game)
    assert asked.get(f"{QUESTIONS}/{asked.site.game}/99", 409)


def test_hidden_things_stay_hidden(asked: Client, other: Client) -> None:
    """Another seat is told nothing of the question, and the status of orders only by who has sent them."""
    path = question(asked)
    assert "position" not in other.get(path, 409)
    receipt = asked.post(path)
    other.get(receipt["status"], 404)
    asked.get(f"{path}/submissions/99", 404)
    asked.get(receipt["status"].replace("/0/", "/1/"), 404)


def test_a_game_in_which_the_account_has_no_seat_is_none(asked: Client) -> None:
    stranger = Client(asked.site, asked.site.account("Eve"))
    path = question(asked)
    for where in (path, f"{QUESTIONS}/nothing/0"):
        assert stranger.get(where, 404)["error"] == "This account has no seat in such a game."
        assert stranger.post(where, 404)["error"]
    assert stranger.get()["questions"] == []


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer x", "Basic YTpi", "Bearer pbem_\u00e9", "x" * 9000]
)
def test_without_a_good_token_nobody_is_let_in(asked: Client, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    path = asked.site.path(question(asked))
    for answer in (
        asked.site.client.get(QUESTIONS, headers=headers),
        asked.site.client.get(path, headers=headers),
        asked.site.client.post(path, headers=headers, json={"orders": "issue 2"}),
    ):
        assert answer.status_code == 401
        assert "token" in answer.get_json()["error"]
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert asked.site.view().version == 0


def test_a_log_in_is_no_token_and_a_token_is_no_log_in(asked: Client) -> None:
    asked.site.log_in(asked.account - 1)
    assert asked.site.client.get(QUESTIONS, base_url=asked.site.office.settings.public_url).status_code == 401
    asked.site.client.delete_cookie("__Host-pbem", domain="play.example.org")
    headers = {"Authorization": f"Bearer {asked.token}"}
    for path in ("/account", "/account/data.json", "/account/program"):
        assert "/login" in asked.site.client.get(path, headers=headers).headers["Location"]
        assert "/login" in asked.site.client.post("/account/name", headers=headers).headers["Location"]
    cookie = asked.site.client.get("/account", headers={"Cookie": f"__Host-pbem={asked.token}; pbem={asked.token}"})
    assert "/login" in cookie.headers["Location"]


def test_a_withdrawn_token_and_a_barred_account_are_refused(asked: Client) -> None:
    path = question(asked)
    asked.site.put(update(Account).where(Account.id == asked.account).values(barred_at=asked.site.now))
    assert "blocked" in asked.get(QUESTIONS, 403)["error"]
    asked.post(path, 403)
    (token,) = programs.tokens(asked.site.office, asked.account)
    programs.withdraw(asked.site.office, asked.account, token.id)
    asked.get(QUESTIONS, 401)


def test_too_many_requests_and_too_many_wrong_tokens_are_refused(asked: Client) -> None:
    site = asked.site
    site.office = replace(site.office, settings=replace(site.office.settings, rate_limits=True))
    site.app = templates.shared(create_app(office=site.office, clock=lambda: site.now, patience=0))
    site.client = site.app.test_client()
    wrong = {"Authorization": "Bearer pbem_wrong"}
    codes = [site.client.get(QUESTIONS, headers=wrong).status_code for _ in range(63)]
    assert set(codes[:60]) == {401}
    assert codes[-1] == 429
    assert asked.get()["questions"], "a good token is let in from the same network"
    (token,) = programs.tokens(site.office, asked.account)
    rate_limits.note(site.office, REQUESTS, f"program:{token.id}", site.now, 3000)
    for _ in range(REQUESTS.most // clients.WRITES):  # as many are counted by the process alone
        answer = site.client.get(QUESTIONS, headers={"Authorization": f"Bearer {asked.token}"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    assert answer.get_json()["error"].startswith("This link or token was used for more than 3,000 requests")


def test_while_track_is_built_placements_are_told(played: Played) -> None:
    site = played("build")
    site.later(minutes=5)  # the page on which orders were sent has gone on until now
    client = Client(site, site.number_asked() + 1)
    told = client.get(question(client))
    assert told["legal"] is None
    assert "build B1 NE-S" in told["placements"]


def test_the_description_names_every_address(site: Site) -> None:
    described = document("https://play.example.org")
    paths = {path for path in described["paths"] if path.startswith(QUESTIONS)}
    rules = {rule.rule for rule in site.app.url_map.iter_rules() if rule.rule.startswith(QUESTIONS)}
    assert paths == {
        rule.replace("<int:", "<").replace("number>", "submission>").replace("<", "{").replace(">", "}")
        for rule in rules
    }
    for path in paths:
        for operation in set(described["paths"][path]) - {"parameters"}:
            assert described["paths"][path][operation]["security"] == [{"program": []}]
            assert {"401", "403", "429", "503"} <= set(described["paths"][path][operation]["responses"])
    assert list(references(described))
