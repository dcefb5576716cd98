"""Only our own pages can send our forms, and opening an address changes nothing: for every address there is."""

import pytest

from tests.rows import everything
from tests.web.addresses import BASE, Known
from tests.web.reading import Page
from tests.web.site import Site

FIELDS = {
    "orders": "pass", "answer": "agree", "do": "back", "scope": "all", "say": "hello", "note": "hello", "vote": "1",
    "wanted": "1", "account": "1", "kind": "json", "url": "https://hooks.example.org/y", "game": "", "name": "Eve",
    "address": "eve@example.org", "mail": "digest", "every": "6", "hour": "18:00", "zone": "Europe/Berlin",
    "quiet_from": "", "quiet_to": "", "from": "2026-12-01", "until": "2026-12-02", "key": "all", "title": "Eve's",
    "map": "age-of-steam/rust_belt", "players": "a@example.org\nb@example.org", "sure": "yes", "seat": "3",
    "hours": "1", "typed": "pass",
}  # fmt: skip
"""What a page of another site would put into its forms."""
FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://other.example.org", "Sec-Fetch-Site": "same-site"},
    {"Origin": "http://[", "Referer": "https://evil.example/"},
)
NO_LOG_IN = (
    "/login", "/play", "/first-game", "/games/<game_id>/try",
    "/games/<game_id>/try/<int:at>/<seed>/<tried>",
    "/api/v1/questions/<game>/<int:version>",
)  # fmt: skip
"""Forms without a private link that need no log-in either: those of trials change nothing, whoever sends them; orders
of programs need a token, and no log-in stands for it."""
ALSO_WITHOUT_LOG_IN = (
    "/puzzles/<day>", "/archive/<game_id>/review/<int:number>/puzzle", "/games/<game_id>/copies",
    "/language",
)  # fmt: skip
"""Forms that guests may send too, with a limit for each client, since they give what a guest may read: the files of a
finished game are made from its record, a language is the browser's alone, and of a guest's answer to a
puzzle nothing is kept. One that is logged in needs the mark."""


@pytest.fixture
def known(site: Site) -> Known:
    return Known(site)


@pytest.mark.parametrize("headers", FOREIGN)
def test_no_form_is_taken_from_the_page_of_another_site(known: Known, headers: dict[str, str]) -> None:
    before = everything(known.site.office)
    for rule, path in known.paths("POST"):
        answer = known.site.client.post(path, data=FIELDS, headers=headers, base_url=BASE)
        assert answer.status_code == 403, (rule, answer.text)
        assert "Set-Cookie" not in answer.headers
    assert everything(known.site.office) == before


def test_the_field_of_a_mail_programs_one_click_opens_no_other_form(known: Known) -> None:
    """RFC 8058: what a mail program on the web may send is that one form, not any form that has its field."""
    before, looked_at = everything(known.site.office), 0
    for rule, path in known.paths("POST"):
        if rule != "/u/<token>":
            looked_at += 1
            fields = {**FIELDS, "List-Unsubscribe": "One-Click"}
            answer = known.site.client.post(path, data=fields, headers=FOREIGN[1], base_url=BASE)
            assert answer.status_code == 403, (rule, answer.text)
    assert looked_at > 15
    assert everything(known.site.office) == before


def test_the_one_click_of_a_mail_program_on_the_web_is_taken(known: Known) -> None:
    """RFC 8058; the link is the whole right to it, and nothing else can be done so."""
    path = next(path for rule, path in known.paths("POST") if rule == "/u/<token>")
    answer = known.site.client.post(path, data={"List-Unsubscribe": "One-Click"}, headers=FOREIGN[1], base_url=BASE)
    assert answer.status_code == 200
    assert sum(row.startswith("stops ") for row in everything(known.site.office)) == 1


@pytest.mark.parametrize("mark", ["", "f" * 64, "of another browser"])
def test_a_log_in_alone_sends_no_form(known: Known, mark: str) -> None:
    if mark == "of another browser":
        mark = known.site.office.tokens.seal("form", "the secret of another browser")
    before, looked_at = everything(known.site.office), 0
    for rule, path in known.paths("POST"):
        if "<token>" in rule or rule in NO_LOG_IN:
            continue
        looked_at += 1
        answer = known.site.client.post(path, data={**FIELDS, "mark": mark}, base_url=BASE)
        assert answer.status_code == 403, (rule, answer.text)
    assert looked_at > 15
    assert everything(known.site.office) == before


def test_without_log_in_the_same_forms_lead_to_the_log_in(known: Known) -> None:
    before = everything(known.site.office)
    guest = known.site.app.test_client()
    for rule, path in known.paths("POST"):
        if "<token>" not in rule and rule not in (*NO_LOG_IN, *ALSO_WITHOUT_LOG_IN):
            answer = guest.post(path, data={**FIELDS, "mark": ""}, base_url=BASE)
            assert (answer.status_code, answer.headers.get("Location")) == (302, "/login?needed=1"), rule
    assert everything(known.site.office) == before


def test_a_seat_that_is_free_is_not_taken_for_somebody_by_a_link_for_all(known: Known) -> None:
    """The link to a seat on the list of free seats names no account: the log-in does, and needs the mark."""
    path = next(path for rule, path in known.paths("POST") if rule == "/o/<token>")
    before = everything(known.site.office)
    assert known.site.client.post(path, data={"mark": "f" * 64}, base_url=BASE).status_code == 403
    assert everything(known.site.office) == before


def test_our_own_pages_can_send_them(known: Known) -> None:
    """As browsers do it: no referrer on pages of private links, so that Origin is null there."""
    client = known.site.client
    mark = Page(client.get("/account", base_url=BASE).text).posts[0].hidden["mark"]
    for headers in ({"Origin": BASE}, {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}, {}):
        answer = client.post("/account/name", data={"name": "Anna", "mark": mark}, headers=headers, base_url=BASE)
        assert answer.status_code == 303
    for headers in ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, {"Origin": "null"}, {}):
        answer = client.post(known.site.turn(), data={"orders": "pass"}, headers=headers, base_url=BASE)
        assert answer.status_code == 303
    behind = {"Origin": BASE}  # a proxy that gives its own name for the host
    assert client.post(known.site.turn(), data={"orders": "pass"}, headers=behind).status_code == 303
