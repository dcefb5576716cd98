"""Orders that come twice, at once, late, unreadable, illegal, from the wrong seat, or while the database is away."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DataError, InvalidatePoolError, OperationalError, TimeoutError

from pbem.service import BadInput, NoSuch
from pbem.service.games import views
from pbem.service.orders import submissions
from pbem.service.turns import entries
from pbem.store.tables import StandingOrderRow
from tests.service.actors import at_once
from tests.table import Table


@pytest.mark.postgresql
def test_the_same_form_sent_twice_is_one_submission(table: Table) -> None:
    view = table.start()
    order = table.legal()
    first = table.send(order)
    assert table.send(order) == first
    assert submissions.play_waiting(table.office, table.game, table.now) == 1
    assert table.send(order, seat=view.waiting_for, version=0) == first
    assert table.view().version == 1


@pytest.mark.postgresql
def test_the_same_mail_received_twice_is_one_submission(dealt: Table) -> None:
    first = dealt.send(dealt.legal(), via="mail", source="<1@example.org>")
    assert dealt.send(dealt.legal(), via="mail", source="<1@example.org>") == first


def test_the_order_that_was_played_is_answered_as_played(table: Table) -> None:
    view = table.start()
    order = table.legal()
    table.play(order)
    again = table.play(f"{order.upper()}   # the same", seat=view.waiting_for, version=0)
    assert (again.status, again.move) == ("played", 1)
    assert table.view().version == 1


@pytest.mark.postgresql
@pytest.mark.parametrize("text", ["issue 2\nissue 2", "issue 2; issue 2", "Issue 2 shares\n[issue 2]"])
def test_an_order_that_stands_there_twice_is_played_once_and_confirmed(dealt: Table, text: str) -> None:
    for _ in range(4):  # the last of them goes first next turn: nothing of it may wait for that
        seat = dealt.asked().waiting_for
        dealt.send(text, via="mail", source=f"<{seat}@example.org>")
        submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    assert [move.orders for move in dealt.view().log[1:]] == ["issue 2"] * 4
    assert dealt.letters("refused") == []
    assert len(dealt.letters("played")) == 4
    assert dealt.rows(select(StandingOrderRow)) == []


def test_other_orders_that_stand_there_twice_are_judged_as_they_stand(dealt: Table) -> None:
    assert dealt.play("issue 2\nissue 3").status == "refused"
    assert dealt.play("issue 2\nbid max 4\nissue 2").status == "refused"
    assert dealt.play("issue 2\nbid max 4\nbid max 4").status == "played"


def test_another_order_for_an_answered_question_is_refused(table: Table) -> None:
    view = table.start()
    orders = view.sheet.legal(view.state)
    assert orders is not None
    table.play(orders[0])
    late = table.play(orders[1], seat=view.waiting_for, version=0)
    assert late.status == "refused"
    assert orders[0] in str(late.sentence)
    assert table.view().version == 1


def test_orders_for_a_version_that_never_was_asked_of_the_seat_are_refused(table: Table) -> None:
    view = table.start()
    table.play()
    other = next(seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    for version in (0, 7, -3):
        late = table.play("pass", seat=other, version=version)
        assert late.status == "refused"
        assert "another position" in str(late.sentence)


@pytest.mark.postgresql
def test_two_posts_at_once_play_one_order(table: Table) -> None:
    view = table.start()
    orders = view.sheet.legal(view.state)
    assert orders is not None
    at_once([lambda text=text: table.send(text, version=0) for text in orders[:2]])  # type: ignore[misc]
    at_once([lambda: submissions.play_waiting(table.office, table.game, table.now)] * 2)
    assert sorted(row.status for row in table.submissions()) == ["played", "refused"]
    assert table.view().version == 1
    assert len(table.letters("your-turn")) == 2


@pytest.mark.postgresql
def test_the_same_post_from_two_browsers_at_once_is_one_submission(dealt: Table) -> None:
    order = dealt.legal()
    at_once([lambda: dealt.send(order, version=0)] * 4)
    assert len(dealt.submissions()) == 1


def test_illegal_orders_are_refused_with_sentence_and_ruling_and_change_nothing(dealt: Table) -> None:
    refused = dealt.play("issue 99")
    assert (refused.status, refused.rule) == ("refused", "R10")
    assert refused.sentence is not None
    assert dealt.view().version == 0
    assert dealt.play().status == "played"


def test_unreadable_orders_are_refused_with_what_was_expected(dealt: Table) -> None:
    for text in ("", "hello", "issue", "issue two", "\0\ud800", "=" * 5000, "issue 1\nissue 0", "<script>"):
        refused = dealt.play(text)
        assert refused.status == "refused", text
        assert str(refused.sentence), text
    assert dealt.view().version == 0


def test_orders_out_of_turn_that_cannot_wait_are_refused(table: Table) -> None:
    view = table.start()
    other = next(seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    refused = table.play("bid 1", seat=other)
    assert refused.status == "refused"
    assert "cannot be given ahead" in str(refused.sentence)
    assert table.view().version == 0


def test_orders_for_a_finished_game_are_refused(dealt: Table) -> None:
    view = dealt.play_on(1000)
    refused = dealt.play("pass", seat=view.seats[0].seat)
    assert (refused.status, str(refused.sentence)) == ("refused", "The game is over.")


def test_orders_for_no_game_or_no_seat_are_told_so(dealt: Table) -> None:
    with pytest.raises(NoSuch):
        dealt.send("pass", seat="mauve")
    with pytest.raises(NoSuch):
        submissions.submit(dealt.office, "nowhere", submissions.NewSubmission("blue", "pass", 0, "page"), dealt.now)
    with pytest.raises(NoSuch):
        views.submission(dealt.office, 12345)


def test_orders_of_a_megabyte_are_not_taken_in(dealt: Table) -> None:
    with pytest.raises(BadInput, match="longer than"):
        dealt.send("pass\n" * 200_000)
    assert dealt.submissions() == []


def test_a_refusal_by_mail_is_answeredat_once(dealt: Table) -> None:
    dealt.play("issue 99", via="mail")
    (row,) = dealt.letters("refused")
    letter = dealt.read(row)
    assert row.next_try_at == dealt.now
    assert letter.own.text == "issue 99"
    assert "(R10)." in letter.own.sentence
    assert letter.asked is not None


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "error", [TimeoutError("no connection is free"), InvalidatePoolError(), OperationalError("", {}, Exception("gone"))]
)
def test_orders_wait_when_the_database_fails(dealt: Table, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    number = dealt.send(dealt.legal())
    with monkeypatch.context() as patch:
        patch.setattr(entries, "add", _raising(error))
        with pytest.raises(type(error)):
            submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    assert [row.status for row in dealt.submissions() if row.id == number] == ["waiting"]
    submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    assert [row.status for row in dealt.submissions() if row.id == number] == ["played"]


@pytest.mark.postgresql
def test_orders_the_database_cannot_hold_block_no_game(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.send(dealt.legal())
    monkeypatch.setattr(entries, "add", _raising(DataError("", {}, Exception("value too long"))))
    assert submissions.play_waiting(dealt.office, dealt.game, dealt.now) == 1
    assert dealt.submissions()[-1].status == "stuck"


def _raising(error: Exception) -> object:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail
