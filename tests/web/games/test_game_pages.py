"""The page of a game: running, not started, cancelled and over; for players and for guests."""

import json
import re
from datetime import timedelta
from html import unescape
from urllib.parse import urljoin

import pytest
from sqlalchemy import update

from pbem.engine.record import write_record
from pbem.mail.writing import write
from pbem.render.palette import PLAYERS
from pbem.service.archive import records
from pbem.service.base import queries
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.letters import webhook_messages
from pbem.service.people import feeds
from pbem.settings.paths import templates_folder
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Move, Webhook, WebhookMessage
from tests.every_page.decisions import kept, stops
from tests.mail.golden import GOLDEN
from tests.turns_and_rounds import GAMES, WORDS, numbered, strange
from tests.web.conftest import Played
from tests.web.site import Site
from tests.web.turns.test_plan_page import plan_path


def test_a_guest_sees_who_is_waited_for_and_no_button(site: Site) -> None:
    page = site.get(f"/games/{site.game}")
    assert page.headings[0] == "Coal by post"
    assert "Waiting for" in page.text
    assert page.posts == []
    assert not [link for link in page.links if "/t/" in link]


def test_who_is_out_of_the_game_is_told_and_can_begin_another(empty: Site) -> None:
    record = kept("hungary-3-one-survivor-reduction_table=first_edition")
    next(stops(empty, record, {24: ("over", "")}))  # after which yellow is out, and the game goes on
    numbers = {seat.seat: seat.number for seat in empty.view().seats}
    for seat in empty.view().waiting_for, "yellow":
        page = empty.get(empty.path(empty.office.addresses.seat(empty.game, numbers[seat])))
        assert ("Your company is out of the game." in page.text) is (seat == "yellow")
    assert "/new" in page.links


def test_the_player_who_is_asked_is_led_to_the_question(site: Site) -> None:
    number = site.number_asked()
    site.log_in(number)
    page = site.client.get(f"/games/{site.game}", base_url="https://play.example.org")
    assert "Answer now" in page.text


def test_the_private_link_opens_the_game_as_its_player(site: Site) -> None:
    path = site.path(site.office.addresses.seat(site.game, 0))
    page = site.get(path)
    assert "You are Ana" in page.text
    assert path in [form.action for form in page.posts]
    assert site.client.get("/", base_url="https://play.example.org").text.count("Log in") > 0


def test_the_log_tells_what_happened_and_leads_to_the_picture_of_every_order(site: Site) -> None:
    site.play("issue 2")
    page = site.get(f"/games/{site.game}")
    assert "issued 2 shares" in page.text
    earlier = site.get(f"/games/{site.game}?at=0")
    assert "after order 0 of 1" in earlier.text


def test_a_game_that_waits_for_players_says_for_whom(empty: Site) -> None:
    empty.open()
    page = empty.get(f"/games/{empty.game}")
    assert "Waiting for Ben, Chloé and Davi." in page.text
    assert empty.get(f"/games/{empty.game}?at=3").headings == page.headings


def test_only_the_host_can_cancel_and_only_with_the_form_of_this_browser(empty: Site) -> None:
    empty.open()
    url = "https://play.example.org"
    path = f"/games/{empty.game}/cancel"
    assert empty.client.post(path, data={"mark": ""}, base_url=url).headers["Location"].startswith("/login")
    empty.log_in(1)
    assert "Cancel this game" not in empty.client.get(f"/games/{empty.game}", base_url=url).text
    empty.log_in(0)
    assert empty.client.post(path, data={"mark": "x"}, base_url=url).status_code == 403
    page = empty.client.get(f"/games/{empty.game}", base_url=url).text
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    assert empty.client.post(path, data={"mark": mark, "sure": "yes"}, base_url=url).status_code == 303
    assert empty.view().status == "cancelled"
    assert "cancelled" in empty.get(f"/games/{empty.game}").text


def test_a_finished_game_can_be_stepped_through(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}?at=3")
    assert "Order 3 of" in page.text
    assert site.get(page.link("at=4")).text.count("Order 4 of") == 1
    assert site.get(page.link("at=2")).text.count("Order 2 of") == 1
    assert "Final table" in page.headings
    assert site.client.get(page.pictures[0]["src"]).mimetype == "image/png"


def test_a_finished_game_shows_its_seed_and_how_to_check_it(played: Played) -> None:
    site = played("over")
    page = site.get(f"/games/{site.game}")
    view = site.view()
    assert view.seed in page.text
    assert view.commitment in page.text
    assert "pbem verify" in page.text


def test_a_running_game_keeps_its_seed(site: Site) -> None:
    record = site.client.get(f"/games/{site.game}/record.json")
    assert "seed" not in json.loads(record.data)
    assert b"73656564" not in record.data
    assert b"73656564" not in site.client.get(f"/games/{site.game}").data


def test_search_engines_stay_away_from_the_positions_of_games(empty: Site) -> None:
    answer = empty.client.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    assert "Disallow: /games/" in answer.text


def test_a_log_that_is_kept_follows_names_and_what_is_taken_back(site: Site) -> None:
    view, seat = site.view(), site.view().waiting_for
    site.play("issue 2")
    assert f"{view.names[seat]} issued 2 shares" in site.get(f"/games/{site.game}").text
    with site.office.write() as session:
        queries.seat(session, site.game, seat).name = "Anabel"
    number = next(one.number for one in view.seats if one.seat == seat)
    pages = site.path(site.office.addresses.seat(site.game, number)), f"/games/{site.game}"
    assert "Anabel issued 2 shares" in site.get(pages[1]).text
    site.put(update(Move).where(Move.number == 1).values(taken_back_by=1))
    assert "Taken back: it no longer counts." in site.get(pages[0]).text
    assert "issued 2 shares" not in site.get(pages[1]).text


def test_a_log_that_is_kept_leads_on_by_the_link_of_its_reader(site: Site) -> None:
    site.play("issue 2")
    sender = site.view().log[-1].seat  # own orders are no news
    others = [seat.number for seat in site.view().seats if seat.seat != sender]
    own, another = (site.path(site.office.addresses.seat(site.game, number)) for number in others[:2])
    for path in (f"/games/{site.game}", own, another):
        leads_on = [link for link in site.get(path).links if link.endswith("at=1") and ".png" not in link]
        assert leads_on
        assert all(urljoin(path, link) == f"{path}?at=1" for link in leads_on)


def test_the_log_of_an_earlier_turn_is_a_link_away(played: Played) -> None:
    site = played("started")
    site.play_on(45)
    assert site.view().log[-1].turn > 1
    page = site.get(f"/games/{site.game}")
    first = next(move for move in site.view().log if move.number == 1)
    assert "Log: turn 1" not in page.headings
    earlier = site.get(page.link("log=1"))
    assert "Log: turn 1" in earlier.headings
    assert f"at={first.number}" in " ".join(earlier.links)


def test_every_colour_of_a_player_has_its_mark_before_the_name() -> None:
    style = (templates_folder() / "static" / "marks.css").read_text("utf-8")
    assert re.findall(r"\.who\.(\w+)::before .*url\(\.\./marks/(\w+)\.svg\)", style) == [(s, s) for s in PLAYERS]


def test_the_final_table_has_cash_and_engine_and_the_sum_of_the_winner(site: Site) -> None:
    record = json.dumps(write_record(kept("rust_belt-4-one-survivor")))
    view = views.game(site.office, records.import_record(site.office, record, site.now))
    page, best = site.get(f"/games/{view.id}"), view.standings[0]
    player = view.state.players[best.seat]
    assert f'data-head="Cash">${player.cash}</td><td class="num" data-head="Engine">{player.engine}<' in page.html
    income, *rest = (points for _, points in best.parts)
    signed = "".join(f" {'−' if points < 0 else '+'} {abs(points)}" for points in rest)
    assert f": {income}{signed} = {best.score}.".replace("-", "−") in page.text


def test_a_turn_is_told_in_its_order_and_the_goods_display_says_where_new_cities_are(empty: Site) -> None:
    for _ in stops(empty, kept("rust_belt-5-to-the-last-turn-2"), {80: ("", "")}):
        break
    log = empty.get(f"/games/{empty.game}?log=1").html.partition('id="log"')[2]
    told = [int(number) for number in re.findall(r'aria-label="Order (\d+)"', log)]
    assert len(told) > 4
    assert told == sorted(told)
    auction = log[log.index("<strong>Turn order:</strong>") :]
    assert auction.index(" bid $") < auction.index(". Turn order: ")  # the result stands after the bids
    scene = empty.view().sheet.scene(empty.view().state)
    placed = {city.letter: city.name for city in scene.cities if city.letter}
    assert placed
    page = empty.get(f"/games/{empty.game}").html
    assert all(f"<td>{letter} {name}</td>" in page for letter, name in placed.items())


# what games say ----------------------------------------------------------------------------------------------


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
    site.put(update(Game).values(paused_at=site.now))
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


# turns and rounds --------------------------------------------------------------------------------------------


def speak(site: Site, code: str) -> None:
    """Everybody reads this language."""
    site.put(update(Account).values(language=code))


def read(site: Site, *paths: str, code: str) -> dict[str, str]:
    """Pages with all that stands in their attributes."""
    found = {}
    for path in paths:
        answer = site.client.get(path, headers={"Accept-Language": code}, base_url=site.office.settings.public_url)
        assert answer.status_code == 200, path
        found[path] = unescape(answer.text)
    return found


def judge(found: dict[str, str], game: str, code: str) -> None:
    """No text numbers with the other game's word, and all with that of the game."""
    assert [(where, words) for where, text in found.items() if (words := strange(text, game, code))] == []
    assert [where for where, text in found.items() if not numbered(text, game, code)] == []


def running(site: Site, game: str) -> None:
    """A game in its third round, or turn."""
    if game == "steam-power":
        site.start(names=("Ana", "Ben", "Chloé"), game=game, map="ireland")
    else:
        site.start()
    while site.asked().sheet.turn(site.asked().state) < 3:
        site.play()


@pytest.mark.parametrize("code", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_pages_of_a_running_game_number_in_the_word_of_the_game(empty: Site, game: str, code: str) -> None:
    running(empty, game)
    speak(empty, code)
    view = empty.view()
    plan = plan_path(empty, next(seat.seat for seat in view.seats if seat.seat != view.waiting_for))
    found = read(empty, f"/games/{empty.game}", f"/games/{empty.game}?log=2", empty.turn(), plan, code=code)
    judge(found, game, code)


@pytest.mark.parametrize("code", WORDS)
@pytest.mark.parametrize("game", GAMES)
def test_lists_feeds_and_webhooks_number_in_the_word_of_the_game(empty: Site, game: str, code: str) -> None:
    running(empty, game)
    speak(empty, code)
    empty.log_in()
    seat = next(seat for seat in empty.view().seats if seat.seat == empty.view().waiting_for)
    feed = empty.path(feeds.renew(empty.office, seat.number + 1, empty.now).atom)
    found = read(empty, "/", feed, code=code)
    with empty.office.read() as session:
        row = session.get_one(Game, empty.game)
        for kind in ("turn", "reminder"):
            for of_game in (None, row.id):
                webhook = Webhook(account_id=seat.number + 1, game_id=of_game, kind="slack")
                message = WebhookMessage(kind=kind, game_id=row.id, seat_number=seat.number)
                text = webhook_messages.message_of(empty.office, session, webhook, message, row).sentence
                assert text[0].isupper()
                found[f"{kind} to {of_game}"] = text
    judge(found, game, code)


def finished(site: Site, game: str) -> None:
    """Look at a finished game in every language."""
    page = f"/games/{site.game}"
    for code in WORDS:
        judge(read(site, page, f"{page}?at=9", f"{page}/beside?with={site.game}&turn=2", code=code), game, code)


def test_pages_of_a_finished_game_of_age_of_steam_number_turns(played: Played) -> None:
    finished(played("over"), "age-of-steam")


def test_pages_of_a_finished_game_of_steam_power_number_rounds(empty: Site) -> None:
    empty.start(names=("Ana",), game="steam-power", map="ireland_solo")
    empty.play_on(200)
    assert empty.view().status == GameStatus.OVER
    finished(empty, "steam-power")
