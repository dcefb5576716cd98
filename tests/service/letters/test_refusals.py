"""Orders that were not played: several are told in one letter, a few letters an hour, and no ring of answers."""

from datetime import timedelta

import pytest

from pbem.engine import Place, Typed, catalog, say
from pbem.engine.chance import SeededChance
from pbem.robot import trying
from pbem.service.base.task_hints import send_hint
from pbem.service.letters import given_up as given_up_letters
from pbem.service.letters import outbox, refusals
from pbem.service.letters.kinds import similar
from pbem.service.letters.kinds.orders import Tried
from pbem.service.orders import submissions
from tests.mail.game import SHEET, asked
from tests.table import Table


@pytest.fixture(autouse=True)
def game(dealt: Table) -> None:
    """A game that has begun, with nothing left to be sent."""
    dealt.send_all()


def refuse(table: Table, number: int = 1, via: str = "api") -> list[int]:
    """So many orders of the seat that is asked, none of which can be played."""
    first = len(table.submissions())
    made = [table.send(f"issue {99 + first + n}", via=via) for n in range(number)]
    submissions.play_waiting(table.office, table.game, table.now)
    return made


def test_eighty_orders_that_were_refused_are_told_in_one_letter(table: Table) -> None:
    refuse(table, 80)
    assert table.send_all() == []
    table.later(minutes=1)
    (row,) = table.letters("refused")
    said = table.read(row)
    assert (said.own.text, said.own.more, said.own.last) == ("issue 178", 79, False)
    assert table.send_all() == ["refused"]


def test_what_a_page_has_shown_is_told_by_no_letter(table: Table) -> None:
    first, second, third = refuse(table, 3)
    (row,) = table.letters("refused")
    submissions.seen(table.office, third, table.now)
    said = table.read(row)
    assert (said.own.text, said.own.more) == ("issue 100", 1)
    submissions.seen(table.office, first, table.now)
    submissions.seen(table.office, second, table.now)
    assert not outbox.claim(table.office, row.id, table.later(minutes=1))
    assert table.letters("refused")[0].status == "withdrawn"


@pytest.mark.parametrize("given_up", [False, True])
def test_a_letter_that_was_tried_says_the_same_when_it_is_tried_again(table: Table, given_up: bool) -> None:
    """Whoever tried it may have been killed after the mail server had taken it."""
    (first,) = refuse(table)
    (row,) = table.letters("refused")
    assert outbox.claim(table.office, row.id, table.later(minutes=1))
    if given_up:
        outbox.failed(table.office, row.id, "550 no", table.now, for_good=True)
        assert given_up_letters.send_again(table.office, table.now) == 1
    table.later(minutes=3)
    before, seat = table.read(row).envelope.message_id, table.view().waiting_for
    table.play()
    second = table.send("issue 98", seat=seat)
    submissions.play_waiting(table.office, table.game, table.now)
    assert [row.data["all"] for row in table.letters("refused")] == [[first], [second]]
    assert outbox.claim(table.office, row.id, table.now)
    assert table.read(row).envelope.message_id == before
    assert table.letters("refused")[0].version == row.version


def test_what_may_have_been_answered_is_not_answered_anew_in_the_same_letter(table: Table) -> None:
    seat = table.view().waiting_for
    for text in ("issue 1", "issue 2"):
        with table.office.game(table.game, table.now) as work:
            refusals.tell_asked(work, work.seat(seat), Tried(text, text), f"tried:{text}")
        if text == "issue 1":
            assert outbox.claim(table.office, table.letters("tried")[0].id, table.now)
            table.later(minutes=3)
    assert [row.data["text"] for row in table.letters("tried")] == ["issue 1", "issue 2"]


def test_a_letter_remembers_fifty_orders_and_the_number_of_all(table: Table) -> None:
    numbers = refuse(table, refusals.NAMED + 10)
    (row,) = table.letters("refused")
    assert row.data["all"] == numbers[10:]
    assert table.read(row).own.more == refusals.NAMED + 9


def answer(table: Table, played: str = "") -> list[str]:
    """A mail comes in; which letters go out for it."""
    if played:
        table.play(played, via="mail")
    else:
        refuse(table, via="mail")
    return table.send_all()


def test_a_ring_of_mails_ends_after_three_answers(table: Table) -> None:
    assert [answer(table) for _ in range(5)] == [["refused"]] * 3 + [[]] * 2
    assert [table.read(row).own.last for row in table.letters("refused")] == [False, False, True]
    assert answer(table) == []
    table.later(days=1)
    assert answer(table) == ["refused"]
    assert table.read(table.letters("refused")[-1]).own.last
    assert answer(table) == []


def test_orders_that_are_played_end_the_silence(table: Table) -> None:
    for _ in range(4):
        answer(table)
    seat = table.view().waiting_for
    table.play(table.legal(), via="page")
    while table.asked().waiting_for != seat:
        table.play()
    table.send_all()
    table.later(hours=1)
    assert answer(table) == ["refused"]
    assert not table.read(table.letters("refused")[-1]).own.last


def test_a_mail_is_answered_at_once_with_what_waited_to_be_told(table: Table) -> None:
    refuse(table)
    (row,) = table.letters("refused")
    assert row.next_try_at == table.now + refusals.PAGE_TELLS
    table.hints.clear()
    refuse(table, via="mail")
    assert send_hint(row.id) in table.hints
    assert table.send_all() == ["refused"]
    assert table.now - timedelta(seconds=1) < table.letters("refused")[0].created_at


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
def test_suggestions_are_legal_and_like_it(phase: str, text: str, place: tuple[int, int], first: str) -> None:
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
