"""Whatever a page says to people goes through the catalogue of their language."""

from sqlalchemy import update

from pbem.language.catalogues import LIMIT_WEEKDAYS
from pbem.store.tables import Account
from tests.leftovers import Leftovers, marked, names
from tests.speaking import spoken_as
from tests.web.addresses import BASE, Known
from tests.web.conftest import Played
from tests.web.site import Site

PEOPLE = ("Ana", "Ben", "Chloé", "Davi", "Coal by post", "Four winters", "Winter", "Former player", "ana@example.org",
          "John Bohrer")  # fmt: skip
SERVICES = ("hooks.example.org", "Slack", "Discord", "Mattermost", "Rocket.Chat", "JSON", "UTC", "pbem", "Robot")
ORDERS = ("build nothing", "NE", "SE", "SW", "NW")
DAYS = ("piątek", "poniedziałek", "listopada", "grudnia", "stycznia", "lutego", *LIMIT_WEEKDAYS["pl"])
"""What Babel writes of the days that pages of these games speak of."""


def _left(site: Site, paths: list[str]) -> dict[str, list[str]]:
    """What pages say that is no translated sentence, by path."""
    with site.office.write() as session:
        session.execute(update(Account).values(language="pl"))
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
