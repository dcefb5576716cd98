"""Robots of the demo know how to read a letter and a page, and order something in any case."""

import random
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pbem.demo.browser import PageReader
from pbem.demo.player import Links, Onlooker, Player, links
from pbem.demo.replier import answers
from pbem.engine import catalog
from pbem.engine.chance import SeededChance


def test_links_of_a_letter_are_found_by_order() -> None:
    letter = EmailMessage()
    letter.set_content("Issue shares\n\nhttp://h/t/a\nThe game: http://h/games/g\n")
    letter.add_alternative(
        '<a href="http://h/t/a?order=issue+0&amp;x=1">none</a> <a href="http://h/t/a">page</a>', "html"
    )
    found = links(letter)
    assert found.page == "http://h/t/a"
    assert found.orders == {"issue 0": "http://h/t/a?order=issue+0&x=1"}


def test_answers_of_a_letter_are_found_with_their_numbers() -> None:
    text = "Issue shares\n\nReply:\n1. Issue none. Bill: 8: issue 0\n2. A way:\n  move red A1 >\n  B2\nOr: p\n\n1. A: 3"
    assert list(answers(text)) == [(1, "issue 0"), (2, "move red A1 > B2")]
    assert list(answers("Nothing: is asked")) == []


@pytest.mark.parametrize(
    "page",
    ["", "<form method=post id=other></form>", '<form id="play" method="get"></form>', "<form><input type=hidden>"],
)
def test_a_page_without_a_form_to_play_has_none(page: str) -> None:
    assert PageReader(page.encode()).form is None


def test_the_hidden_fields_of_the_form_are_all_that_is_sent() -> None:
    form = PageReader(
        b'<input type="hidden" name="x" value="1"><form id="play" method="post" action="/t/a">'
        b'<input type="hidden" name="orders" value="bid 1"><input type="text" name="typed"></form>'
        b'<input type="hidden" name="y" value="2">'
    ).form
    assert form is not None
    assert (form.action, form.fields) == ("/t/a", {"orders": "bid 1"})


def test_the_next_question_and_a_page_that_looks_again_are_found() -> None:
    page = PageReader(
        b'<meta http-equiv="refresh" content="3"><a href="/x">x</a><a rel="next" href="/t/b">Answer now</a>'
    )
    assert (page.next, page.again) == ("/t/b", True)
    page = PageReader(b'<a href="/x">x</a>')
    assert (page.next, page.again) == ("", False)


def test_who_cannot_imagine_the_position_and_is_offered_nothing_orders_what_is_played_when_time_ends() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = sheet.start(sheet.colours[:3], SeededChance(bytes(32), "deal"), {}).state
    onlooker = cast("Onlooker", SimpleNamespace(sheet=sheet, state=state, imagine=lambda _: None))
    player = Player("Ana", "ana@example.org", "http://127.0.0.1:9", random.Random(1))
    asked: dict[str, Any] = {"legal": None, "seat": sheet.colours[0]}
    assert player._order(asked, onlooker, Links("", {}), ahead=False) == str(sheet.default(state))
    assert player._order(asked, onlooker, Links("", {"cash": "x"}), ahead=False) == "cash"
    player.close()
