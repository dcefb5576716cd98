"""Texts that stand in tables and files are read in the reader's language as the sentences of pages are."""

from html import unescape

import pytest
from sqlalchemy import select, update

from pbem.engine import catalog
from pbem.language import Language, rulings
from pbem.service.base.tokens import OfferClaim
from pbem.store.tables import Account, Offer
from tests.web.addresses import BASE, Known
from tests.web.site import Site

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
