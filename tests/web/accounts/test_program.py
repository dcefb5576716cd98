"""The page on which an account becomes that of a program."""

import re

import pytest

from pbem.service.people import accounts, programs
from pbem.store.tables import Account
from tests.web.accounts.test_notifications import URL
from tests.web.reading import Page
from tests.web.site import Site

PAGE = "/account/program"


class Owner:
    """Somebody who is logged in with an account of no seat."""

    def __init__(self, site: Site) -> None:
        self.site, self.account = site, site.account("Deep")
        with site.office.write() as session:
            secret = accounts.remember(site.office, session, self.account, site.now)
        site.client.set_cookie("__Host-pbem", secret, domain="play.example.org", secure=True)

    def get(self, path: str = PAGE) -> Page:
        answer = self.site.client.get(path, base_url=URL)
        assert answer.status_code == 200
        return Page(answer.text)

    def post(self, code: int = 200, **fields: str) -> str:
        mark = next(form.hidden["mark"] for form in self.get("/account").posts if "mark" in form.hidden)
        answer = self.site.client.post(PAGE, data={"mark": mark, **fields}, base_url=URL)
        assert answer.status_code == code, answer.text
        if code == 200:
            assert answer.headers["Cache-Control"] == "no-store"
        return answer.text


@pytest.fixture
def owner(site: Site) -> Owner:
    return Owner(site)


def test_the_account_page_leads_here_and_guests_to_the_log_in(owner: Owner, site: Site) -> None:
    assert owner.get("/account").link("program") == PAGE
    site.client.delete_cookie("__Host-pbem", domain="play.example.org")
    assert "/login" in site.client.get(PAGE).headers["Location"]
    assert "/login" in site.client.post(PAGE, data={"do": "make"}).headers["Location"]


def test_a_token_is_shown_once_and_withdrawn_with_a_button(owner: Owner, site: Site) -> None:
    assert "Nobody can undo this" in owner.get().text
    shown = owner.post(do="make")
    (token,) = re.findall(r"<code>(pbem_[\w-]+)</code>", shown)
    assert programs.caller(site.office, token, site.now).account == owner.account
    assert site.found(Account, owner.account).name == "Deep [bot]"
    again = owner.get()
    assert token not in again.text
    assert "Deep [bot]" in owner.get("/account").text
    withdraw = next(form for form in again.posts if "token" in form.hidden)
    assert owner.post(303, do="withdraw", token=withdraw.hidden["token"]) is not None
    assert programs.tokens(site.office, owner.account) == ()
    assert "There is no token" in owner.get().text


def test_others_tokens_and_odd_buttons_are_refused(owner: Owner, site: Site) -> None:
    number = site.account("Other")
    programs.make_token(site.office, number, site.now)
    (other,) = programs.tokens(site.office, number)
    owner.post(404, do="withdraw", token=str(other.id))
    owner.post(400, do="withdraw", token="x")
    owner.post(400, do="dance")
    assert len(programs.tokens(site.office, number)) == 1


def test_who_plays_is_told_to_take_another_address(owner: Owner, site: Site) -> None:
    site.log_in()
    assert "Log in with another address" in owner.get().text
    assert "make" not in [form.hidden.get("do") for form in owner.get().posts]
    assert "Nothing was changed" in owner.post(409, do="make")
    assert not site.found(Account, 1).program
