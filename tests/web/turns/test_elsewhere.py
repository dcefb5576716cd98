"""After an answer the page leads to the other game that waits for its reader."""

import pytest

from tests.web.site import Site

BASE = "https://play.example.org"


@pytest.fixture
def two(empty: Site) -> Site:
    """Ana is asked in a game alone on Barbados, and is logged in; the game of four comes after it."""
    empty.open(("Ana",), map="barbados", title="Alone")
    empty.log_in(0)
    empty.start_anew(map="rust_belt")
    return empty


def _answered(site: Site) -> str:
    """Ana answers in the game of four; returns the page of what became of it."""
    while site.view().seats[0].seat != site.asked().waiting_for:
        site.play()
    return site.result(site.play().id)


def test_the_page_after_an_answer_leads_to_the_other_game_of_who_is_logged_in(two: Site) -> None:
    text = two.client.get(_answered(two), base_url=BASE).text
    assert "It is also your turn in" in text
    assert "Alone" in text


def test_a_reader_who_is_not_logged_in_is_told_of_no_other_game(two: Site) -> None:
    assert "It is also your turn in" not in two.app.test_client().get(_answered(two), base_url=BASE).text


def test_the_game_whose_question_is_still_open_is_not_offered_as_another_one(two: Site) -> None:
    """Ana only plans ahead and is still asked here; what else waits for her is the other game alone."""
    while two.view().seats[0].seat != two.asked().waiting_for:
        two.play()
    number = two.send("always auto-pass")
    page = two.client.get(f"{two.turn()}/sent/{number}", base_url=BASE).text
    assert '<h2 id="elsewhere">Alone</h2>' in page
