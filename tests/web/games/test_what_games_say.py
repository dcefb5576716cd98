"""What pages of games say at moments that were told wrongly once."""

import re
from datetime import timedelta

from sqlalchemy import update

from pbem.mail.writing import write
from pbem.service.letter_views import correspondence
from pbem.store.tables import Game
from tests.mail.golden import GOLDEN
from tests.web.conftest import Played
from tests.web.site import Site

GRACE = timedelta(minutes=10)


def _lobby(site: Site, number: int) -> str:
    site.client = site.app.test_client()
    site.log_in(number)
    return site.client.get("/", base_url=site.office.settings.public_url).text


def test_who_has_ordered_ahead_is_told_when_it_is_played_and_is_not_asked_meanwhile(empty: Site) -> None:
    view = empty.start(grace=GRACE)
    first, second = (row.seat for row in view.sheet.rows(view.state)[:2])
    number = {seat.seat: seat.number for seat in view.seats}
    empty.play("issue 2", seat=second)
    empty.play("issue 1", seat=first)
    assert empty.view().waiting_for == second
    words = "Your standing order is played"
    lobby, page = _lobby(empty, number[second]), empty.get(f"/games/{empty.game}").text
    assert words in lobby
    assert "Your turn: 0 games" in lobby
    assert words not in page
    page = empty.get(empty.path(empty.office.addresses.seat(empty.game, number[second]))).text
    assert words in page
    assert "Friday 20 November, 18:10" in page
    assert "Answer now" not in page
    assert words not in _lobby(empty, number[first])
    assert words not in empty.get(empty.path(empty.office.addresses.seat(empty.game, number[first]))).text


def test_nobody_is_waited_for_while_a_game_is_paused(site: Site) -> None:
    with site.office.write() as session:
        session.execute(update(Game).values(paused_at=site.now))
    asked = next(seat for seat in site.view().seats if seat.seat == site.view().waiting_for)
    other = next(seat for seat in site.view().seats if seat.number != asked.number)
    page, lobby = site.get(f"/games/{site.game}").text, _lobby(site, other.number)
    assert f"The game is paused. It is {asked.name} ’s turn, but no clock runs." in page
    assert f"Paused; it is {asked.name}’s turn." in lobby
    assert "Waiting for" not in page
    assert f"Waiting for {asked.name}" not in lobby


def test_no_button_of_an_auction_stands_out(played: Played) -> None:
    site = played("started")
    while site.view().sheet.phase(site.view().state) != "turn_order":
        site.play()
    page = site.get(site.turn())
    assert ("orders", "drop") in page.form.buttons
    assert re.findall(r'<button class="main[^>]*name="orders"', page.html) == []
    view = correspondence.letter(site.office, site.letters("your-turn")[-1].id, site.now).view
    buttons = re.findall(r'<a [^>]*style="([^"]*)"[^>]*>(Drop|Bid)', write(view, "board@pbem").html)
    assert {word for _, word in buttons} == {"Drop", "Bid"}
    assert len({style for style, _ in buttons}) == 1


def test_bills_are_called_so_in_the_log_of_pages_and_emails(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}")
    assert "Bills: " in page.text
    assert "Expenses" not in page.text
    every = " ".join(file.read_text("utf-8") for file in GOLDEN.iterdir())
    assert "Bills: " in every
    assert "Expenses" not in every
    assert site.get("/how-to-play/age-of-steam").text.count("the rulebook says “expenses”") == 1


def test_a_game_is_found_in_the_archive_by_its_name(played: Played) -> None:
    site = played("over")
    assert site.get("/archive?q=COAL+by").link(f"/games/{site.game}")
    assert f"/games/{site.game}" not in " ".join(site.get("/archive?q=coal+mine").links)
