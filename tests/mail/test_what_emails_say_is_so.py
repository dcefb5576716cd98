"""Emails say what is so: who ordered what ahead, which night a time ends in, what a picture shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pbem.mail.writing import write
from pbem.store.statuses import MoveCause
from pbem.views.letters import LetterView
from tests.mail.game import SHEET, moments
from tests.mail.views import addressed, your_turn

PICTURE = "board.0123456789abcdef@pbem"
GLOW = "yellow glow"


def _lines(view: LetterView) -> tuple[str, ...]:
    """The lines of both parts, each bullet and each row of a table in one."""
    written = write(view, PICTURE)
    assert written.html is not None
    text = written.text.replace("\n  ", " ").splitlines()
    return (*text, *written.html.replace("\n", " ").split("</tr>"))


def _first_of_turn_three() -> LetterView:
    """The first question of turn 3; the order that ended turn 2 was a standing order."""
    moment = next(moment for moment in moments() if SHEET.turn(moment.state) == 3)
    *_, last = moment.log
    moves = (replace(last, cause=MoveCause.STANDING_ORDER),)
    return replace(your_turn("issue_shares"), moves=moves)


def test_only_the_order_itself_is_called_a_standing_order_and_not_the_income_dice_and_turn_that_follow() -> None:
    lines = _lines(_first_of_turn_three())
    marked = [line for line in lines if "(standing order)" in line]
    assert ["moved nothing." in line for line in marked] == [True, True]  # the text, and the HTML
    for followed in ("Income: ", "Dice of the light half: ", "Turn 3 begins."):
        assert len([line for line in lines if followed in line]) == 2
        assert not [line for line in marked if followed in line]


def test_a_deadline_at_midnight_ends_the_day_before_in_the_subject_and_in_both_parts() -> None:
    view = your_turn("issue_shares")
    assert view.game is not None
    night = replace(view.game, deadline=datetime(2026, 11, 26, tzinfo=UTC))
    written = write(addressed(replace(view, game=night), zone="Europe/Lisbon"), PICTURE)
    assert written.subject.startswith("Issue shares, by Wed 23:59 ")
    for part in (written.text, written.html or ""):
        assert "Wednesday 25 November, 23:59" in part
        assert "00:00" not in part
        assert "24:00" not in part


def test_no_email_promises_a_glow_on_a_picture_that_may_have_none() -> None:
    view = your_turn("issue_shares")
    page = write(view, PICTURE).html or ""
    assert f"A {GLOW}, if there is one, marks the last order." in page
    assert page.count(GLOW) == 1
    for unpictured in (write(view, "").html or "", write(view, PICTURE).text):
        assert GLOW not in unpictured
