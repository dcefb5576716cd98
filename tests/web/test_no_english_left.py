"""Whatever a page says to people goes through the catalogue of their language, what stands in tables and files too."""

from html import unescape

import pytest
from sqlalchemy import select, update

from pbem.engine import catalog
from pbem.language import Language, rulings
from pbem.language.catalogues import LIMIT_WEEKDAYS
from pbem.service.base.tokens import OfferClaim
from pbem.store.tables import Account, Offer
from tests.leftovers import Leftovers, marked, names
from tests.speaking import spoken_as
from tests.web.addresses import BASE, Known
from tests.web.conftest import Played
from tests.web.site import Site

PEOPLE = ("Ana", "Ben", "Chloé", "Davi", "Coal by post", "Four winters", "Winter", "Former player", "ana@example.org",
          "John Bohrer")  # fmt: skip
SERVICES = (
    "hooks.example.org",
    "Slack",
    "Discord",
    "ntfy",
    "Mattermost",
    "Rocket.Chat",
    "JSON",
    "UTC",
    "pbem",
    "Robot",
    "[bot]",
)
ORDERS = ("build nothing", "NE", "SE", "SW", "NW")
DAYS = ("piątek", "poniedziałek", "listopada", "grudnia", "stycznia", "lutego", *LIMIT_WEEKDAYS["pl"])
"""What Babel writes of the days that pages of these games speak of."""


def _left(site: Site, paths: list[str]) -> dict[str, list[str]]:
    """What pages say that is no translated sentence, by path."""
    site.put(update(Account).values(language="pl"))
    allowed, left = names(*PEOPLE, *SERVICES, *ORDERS, *DAYS), {}
    with spoken_as(marked):
        for path in paths:
            with site.client.get(path, base_url=BASE, headers={"Accept-Language": "pl"}) as answer:
                if answer.mimetype == "text/html" and answer.status_code == 200:
                    left[path] = Leftovers(answer.get_data(as_text=True), allowed).found
    return left


def test_no_page_says_anything_in_english_alone(site: Site) -> None:
    known = Known(site)
    left = _left(site, [path for _, path in known.paths("GET") if not path.startswith("/static")])
    assert len(left) > 40
    assert {path: found for path, found in left.items() if found} == {}


def test_no_question_says_anything_in_english_alone(played: Played) -> None:
    for form in ("choices", "build", "deliver"):
        site = played(form)
        left = _left(site, [site.turn(), site.turn(site.legal()), f"/games/{site.game}"])
        assert {path: found for path, found in left.items() if found} == {}


def test_errors_say_nothing_in_english_alone(empty: Site) -> None:
    pages = ("/games/none", "/t/spoiled", "/nothing", "/login/spoiled")
    with spoken_as(marked):
        for path in pages:
            answer = empty.client.get(path, headers={"Accept-Language": "pl"})
            assert answer.status_code >= 400
            assert Leftovers(answer.text, names(*SERVICES)).found == []


PERSONAL = {"i", "l", "p", "s", "sit", "t", "u", "v"}
"""How the addresses begin that only one person is sent."""


@pytest.fixture
def in_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language that sets every sentence in quotes of its own."""
    monkeypatch.setattr(Language, "translate", lambda _self, one, _many="", _count=1: f"«{one}»")


def test_a_map_and_its_options_are_told_of_in_the_language_of_the_reader(site: Site, in_quotes: None) -> None:
    told_of, played = catalog.sheet("age-of-steam", "st_lucia"), site.view().sheet
    pages = unescape(site.client.get("/maps/st_lucia").text + site.client.get(f"/games/{site.game}").text)
    options = [text for option in played.options() for text in (option.title, option.choices[option.default])]
    wanted = [*told_of.rule_texts(), told_of.remark, *options]
    assert len(wanted) > len(options) + 1 > 1
    assert [text for text in wanted if f"«{text}»" not in pages] == []


def test_rulings_and_their_headings_are_read_in_the_language_of_the_reader(empty: Site, in_quotes: None) -> None:
    page = unescape(empty.client.get("/rulings/steam-power").text)
    sections = rulings.sections("steam-power")
    assert [section.title for section in sections if f"«{section.title}»" not in page] == []
    assert page.count("<td>«") == sum(len(ruling.says) for section in sections for ruling in section.rulings)


def test_a_personal_link_of_an_email_opens_a_page_in_the_language_of_that_email(site: Site) -> None:
    known = Known(site)
    with site.office.write() as session:
        session.execute(update(Account).values(language="pl"))
        offer = session.scalars(select(Offer.id)).one()
    stranger = site.app.test_client()
    links = [(rule, path) for rule, path in known.paths("GET") if rule.strip("/").split("/")[0] in PERSONAL]
    assert len(links) >= len(PERSONAL)
    links.append(("/o/<token>", f"/o/{site.office.tokens.make(OfferClaim(offer, site.host))}"))
    for rule, path in links:
        answer = stranger.get(path, base_url=BASE, follow_redirects=True)
        if answer.mimetype == "text/html":
            assert '<html lang="pl">' in answer.text, rule
