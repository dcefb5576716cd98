"""Orders that are suggested to somebody who wrote others are legal, and like those."""

from __future__ import annotations

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.text import Place, Typed, say
from pbem.robot import trying
from pbem.service.letters.kinds import similar
from tests.mail.game import SHEET, asked


@pytest.mark.parametrize(
    ("phase", "text", "place", "first"),
    [
        ("issue_shares", "issue 99", (0, 0), "issue 9"),
        ("issue_shares", "# well\nisue 3", (2, 0), "issue 3"),
        ("turn_order", "bid 99", (0, 0), "bid 13"),
        ("select_actions", "action prodction", (1, 0), "action production"),
        ("build_track", "build K10 SW-NE; J11 SW-NE", (0, 2), "build K10"),
        ("build_track", "buld K10 SW-NE", (1, 0), "build K10"),
        ("build_track", "build K10 SW-N; I10 NE-S", (0, 2), "build K10 SW-N; I10"),
        ("build_track", "build S10 SW-NE", (0, 1), "build R9"),
        ("build_track", "build nothing more", (1, 0), "build nothing"),
    ],
)
def test_what_is_suggested_is_legal_and_like_what_was_written(
    phase: str, text: str, place: tuple[int, int], first: str
) -> None:
    moment = asked(phase, "pink")
    orders = similar.like(SHEET, moment.state, {}, text, place)
    assert orders[0].startswith(first)
    assert len(orders) <= similar.MOST
    for order in orders:
        assert trying.after(SHEET, moment.state, "pink", order) is not None, order


@pytest.mark.parametrize(("text", "line"), [("Thanks!", 1), ("", 0), ("# only a remark", 0), ("issue 2\nbid 99", 2)])
def test_nothing_is_suggested_for_what_is_about_nothing_that_is_asked(text: str, line: int) -> None:
    assert similar.like(SHEET, asked("issue_shares", "pink").state, {}, text, (line, 0)) == ()


def test_every_example_of_every_question_can_be_played() -> None:
    for phase in ("issue_shares", "turn_order", "select_actions", "build_track", "move_goods"):
        moment = asked(phase, "pink" if phase != "move_goods" else "brown")
        orders = similar.examples(SHEET, moment.state, moment.question, 30)
        assert orders
        for order in orders:
            assert trying.after(SHEET, moment.state, moment.question.seat, order) is not None, order


def test_examples_of_the_other_game_can_be_played() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = sheet.start(sheet.colours[:3], SeededChance(b"x", "deal"), {}).state
    question = sheet.question(state)
    orders = similar.examples(sheet, state, question, 30)
    assert orders
    for order in orders:
        assert trying.after(sheet, state, question.seat, order) is not None, order
    failed = next(order for order in sheet.placements(state))
    assert similar.like(sheet, state, {}, failed.rsplit(" ", 1)[0] + " N-N", (1, 0))


def test_a_step_that_a_hex_does_not_allow_is_told_with_what_the_hex_allows() -> None:
    moment = asked("build_track", "pink")
    why = say("Not so.")
    told = similar.with_what_is_allowed(why, SHEET, moment.state, "build K10 SW-NE; J11 SW-NE", (0, 1))
    assert told.values["hex"] == Place("K10")
    there = told.values["ways"]
    assert isinstance(there, Typed)
    ways = there.order.split("; ")
    assert 1 <= len(ways) <= similar.MOST
    for way in ways:
        assert way.startswith("K10 ")
        assert trying.after(SHEET, moment.state, "pink", f"build {way}") is not None
    for text in ("build nothing", "issue 2", "", "build A99 SW-NE"):
        assert similar.with_what_is_allowed(why, SHEET, moment.state, text, (0, 0)) is why
