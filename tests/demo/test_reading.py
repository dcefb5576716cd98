"""Robots of the demo know how to read a letter and a page."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from pbem.demo.browser import FormReader
from pbem.demo.player import links


def test_links_of_a_letter_are_found_by_order() -> None:
    letter = EmailMessage()
    letter.set_content(
        "Issue shares\n\n[issue 0] http://h/t/a?order=issue+0\n[issue 1] http://h/b\nBoard: http://h/t/a\n"
    )
    found = links(letter)
    assert found.page == "http://h/t/a"
    assert found.orders == {"issue 0": "http://h/t/a?order=issue+0", "issue 1": "http://h/b"}


@pytest.mark.parametrize(
    "page",
    ["", "<form method=post id=other></form>", '<form id="play" method="get"></form>', "<form><input type=hidden>"],
)
def test_a_page_without_a_form_to_play_has_none(page: str) -> None:
    reader = FormReader()
    reader.feed(page)
    assert reader.form is None


def test_the_hidden_fields_of_the_form_are_all_that_is_sent() -> None:
    reader = FormReader()
    reader.feed(
        '<input type="hidden" name="x" value="1"><form id="play" method="post" action="/t/a">'
        '<input type="hidden" name="orders" value="bid 1"><input type="text" name="typed"></form>'
        '<input type="hidden" name="y" value="2">'
    )
    assert reader.form is not None
    assert (reader.form.action, reader.form.fields) == ("/t/a", {"orders": "bid 1"})
