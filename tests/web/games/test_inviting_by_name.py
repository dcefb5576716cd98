"""People one plays with are invited with one press, on the page of a new game and at a table that waits for people."""

from datetime import timedelta

from pbem.service.games.terms import Terms
from tests.web.games.test_tables import Browser, form_of
from tests.web.site import Site

MAP = {"map": "age-of-steam/rust_belt"}


def test_a_tick_on_the_page_of_a_new_game_invites_somebody_whose_address_is_nowhere(site: Site) -> None:
    ana = Browser(site, "Ana")
    page = ana.get("/new")
    assert "Invite people you play with" in page.text
    ben, chloe = (site.account(seat.name) for seat in site.view().seats[1:3])
    sent = ana.send(form_of(page), more={**MAP, f"known.{ben}": "1", f"known.{chloe}": "1"})
    assert [f"{seat.name}@example.org".lower() in page.text for seat in site.view().seats[1:]] == [False] * 3
    assert "invited" in sent.text


def test_what_was_ticked_stays_when_something_else_is_wrong(site: Site) -> None:
    ana, ben = Browser(site, "Ana"), site.account(site.view().seats[1].name)
    page = ana.send(form_of(ana.get("/new")), 400, more={**MAP, f"known.{ben}": "1"}, players="nonsense")
    assert form_of(page).fields[f"known.{ben}"] == "1"


def test_a_number_of_a_stranger_is_refused_with_a_sentence(site: Site) -> None:
    ana = Browser(site, "Ana")
    for number in (site.account("Zoe"), "7" * 40, "x", "-1"):
        page = ana.send(form_of(ana.get("/new")), 400, more={**MAP, f"known.{number}": "1"})
        assert "Rust Belt is for 3 to 6 players" in page.text or "with whom you play" in page.text


def test_a_free_seat_of_a_table_has_a_button_for_each(site: Site) -> None:
    names = [seat.name for seat in site.view().seats[1:]]
    site.open(names=("Ana",), open_to=Terms(2, site.now + timedelta(days=7)))
    ana, here = Browser(site, "Ana"), f"/games/{site.game}/people"
    (form,) = [form for form in ana.get(here).posts if form.fields.get("do") == "invite-known"]
    assert len([name for name, _ in form.buttons if name == "known"]) == len(names)
    page = ana.send(form, known=form.buttons[0][1])
    assert "The invitation is on its way." in page.text
    assert site.view().seats[1].name == names[0]
