"""What is numbered in Steam Power is a round, in Age of Steam a turn: one word for each on all that a person reads."""

from html import unescape

import pytest
from sqlalchemy import update

from pbem.service.letters import webhook_texts
from pbem.service.people import feeds
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Webhook, WebhookMessage
from tests.turns_and_rounds import GAMES, WORDS, numbered, strange
from tests.web.conftest import Played
from tests.web.site import Site
from tests.web.turns.test_plan_page import plan_path


def speak(site: Site, code: str) -> None:
    """Everybody reads this language."""
    with site.office.write() as session:
        session.execute(update(Account).values(language=code))


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
                text = webhook_texts.message(empty.office, session, webhook, message, row).sentence
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
