"""Somebody who has never played: issues nothing, spends the last dollar on track, and delivers nothing."""

import re
from urllib.parse import urlencode

import pytest

from pbem.robot.links import proposals
from pbem.views.games import GameView, SubmissionView
from tests.table import NAMES
from tests.web.reading import Page
from tests.web.site import Site

MONEY = re.compile(r'<p class="money( bad)?" id="money" role="(\w+)">')
FILLED = re.compile(r'class="[^"]*\bmain\b[^"]*"')
MOST = 200
"""Orders of all players after which the newcomer should be out of the game."""


@pytest.mark.parametrize("map", ["rust_belt", "germany", "switzerland"])
def test_who_cannot_pay_the_bill_is_warned_at_every_step_until_bankrupt(empty: Site, map: str) -> None:
    empty.start(names=NAMES[:3], map=map)
    seat = empty.view().seats[0].seat
    warned: list[bool] = []
    sent: SubmissionView | None = None
    for _ in range(MOST):
        view = empty.view()
        if _is_out(view, seat):
            break
        if view.waiting_for != seat:
            empty.play()
            continue
        query, order, price = thoughtless(view, seat)
        warned.append(_warned(empty.get(empty.turn() + query), view, seat, price))
        sent = empty.play(order)
    assert _is_out(empty.view(), seat)
    assert warned[-1], "it is said in the last decision before"
    page = empty.get(empty.path(empty.office.addresses.seat(empty.game, empty.view().seats[0].number)))
    assert "Your company is out of the game." in page.text
    assert "Play again" in page.text
    assert sent is not None
    result = empty.get(empty.result(sent.id))
    assert '<div class="note bad" role="status">' in result.html
    assert "Play again" in result.text


def thoughtless(view: GameView, seat: str) -> tuple[str, str, int]:
    """A draft in the address of the page, the order, and the dollars of the draft."""
    question = view.sheet.question(view.state)
    if question.form == "build":
        links = proposals(view.sheet, view.state, seat)
        if not links:
            return "", "build nothing", 0
        dearest = max(links, key=lambda link: link.price)
        return "?" + urlencode({"steps": ";".join(dearest.steps)}), dearest.order, dearest.price
    orders = [choice.order for choice in question.choices]
    return "", next((order for order in orders if order in ("issue 0", "drop", "pass")), orders[0]), 0


def _is_out(view: GameView, seat: str) -> bool:
    return any(row.out for row in view.sheet.rows(view.state) if row.seat == seat)


def _warned(page: Page, view: GameView, seat: str, price: int) -> bool:
    """Whether the money is red; it is exactly when the bill would not be paid, and then nothing is filled."""
    found = MONEY.search(page.html)
    assert found is not None
    balance = view.sheet.balance(view.state, seat, price)
    short = balance is not None and balance.short
    assert (found[1] is not None) == (found[2] == "alert") == short
    if short:
        pick = page.html[page.html.index('id="pick"') :]
        assert not FILLED.search(pick[: pick.index('class="folds"')])
        assert "short: " in page.text
    return short
