"""Orders given ahead of time: taken in, kept secret, played at their moment, void, replaced, withdrawn, stuck."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from pbem.engine import BadMove, say
from pbem.engine.record import read_record, verify
from pbem.service import NoSuch
from pbem.service.archive import records
from pbem.service.base import queries
from pbem.service.people import accounts
from pbem.service.turns import audit_log, standing_orders, stuck
from pbem.store.statuses import GameStatus, StandingOrderStatus
from pbem.store.tables import AuditEntry, Game, Move, StandingOrderRow, Submission
from tests.table import NAMES, START, Table


def own(table: Table, seat: str) -> list[str]:
    return [order.orders for order in standing_orders.of_seat(table.office, table.game, seat)]


def moves(table: Table) -> list[Move]:
    return table.rows(select(Move).where(Move.number > 0).order_by(Move.number))


def all_orders(table: Table) -> list[StandingOrderRow]:
    return table.rows(select(StandingOrderRow).order_by(StandingOrderRow.id))


def test_a_standing_order_is_played_when_the_seat_comes_up(table: Table) -> None:
    view = table.start()
    second, third = table.rest()[:2]
    given = table.play("issue 2", seat=second)
    assert (given.status, given.move, given.events) == ("played", None, ())
    assert [(order.orders, str(order.words), order.turn) for order in given.standing_orders] == [
        ("issue 2", "issue_shares", 1)
    ]
    assert table.view().version == 0
    table.play("issue 1", seat=view.waiting_for)
    assert [(move.seat, move.orders, move.cause) for move in moves(table)] == [
        (view.waiting_for, "issue 1", "player"),
        (second, "issue 2", "ahead"),
    ]
    assert table.view().waiting_for == third
    assert own(table, second) == []
    assert [row.status for row in all_orders(table)] == ["played"]


def test_only_who_is_asked_at_the_end_gets_a_letter(dealt: Table) -> None:
    dealt.send_all()
    second, third = dealt.rest()[:2]
    dealt.play("issue 2", seat=second)
    dealt.play("issue 1")
    asked = dealt.letters("your-turn", "waiting")
    seats = {seat.number: seat.seat for seat in dealt.view().seats}
    assert [seats[row.seat_number] for row in asked if row.seat_number is not None] == [third]
    letter = dealt.read(asked[0])
    assert [move.cause for move in letter.moves][-2:] == ["player", "ahead"]


def test_a_planning_order_is_three_orders_each_on_its_own(dealt: Table) -> None:
    second = dealt.rest()[0]
    ranking = "action locomotive > engineer > first-build > first-move"
    dealt.play(f"issue 1\nbid max 0\n{ranking}", seat=second)
    assert own(dealt, second) == ["issue 1", "bid max 0", ranking]
    while dealt.phase() != "build_track":
        dealt.play()
    causes = {(move.phase, move.cause) for move in moves(dealt) if move.seat == second}
    assert causes == {("issue_shares", "ahead"), ("turn_order", "ahead"), ("select_actions", "ahead")}


def test_the_first_line_answers_and_the_others_wait(table: Table) -> None:
    view = table.start()
    played = table.play("issue 1\naction engineer", seat=view.waiting_for)
    assert (played.status, played.move, played.moves) == ("played", 1, 1)
    assert [order.orders for order in played.standing_orders] == ["action engineer"]


@pytest.mark.postgresql
def test_a_line_that_cannot_wait_refuses_the_whole_submission(table: Table) -> None:
    view = table.start()
    refused = table.play("issue 1\naction engineer\nbid 3", seat=view.waiting_for)
    assert (refused.status, refused.line) == ("refused", 3)
    assert table.view().version == 0
    assert all_orders(table) == []


def test_cancel_withdraws_everything_that_waits(dealt: Table) -> None:
    second = dealt.rest()[0]
    dealt.play("issue 2\nalways bid max 0", seat=second)
    answer = dealt.play("cancel", seat=second)
    assert answer.status == "played"
    assert own(dealt, second) == []
    dealt.play("issue 0")
    assert dealt.view().waiting_for == second


def test_a_limit_given_when_asked_bids_at_once_and_goes_on(dealt: Table) -> None:
    for _ in range(4):
        dealt.play("issue 0")
    asked = dealt.view().waiting_for
    answer = dealt.play("bid 2 max 4 then ask")
    assert [(move.orders, move.cause) for move in moves(dealt)[-1:]] == [("bid 2", "player")]
    assert [order.status for order in answer.standing_orders] == ["waiting"]
    dealt.play("bid 3")
    dealt.play("drop")
    dealt.play("drop")
    assert moves(dealt)[-1].orders == "bid 4"
    dealt.play("bid 5")
    view = dealt.view()
    assert view.waiting_for == asked
    (row,) = all_orders(dealt)
    assert (row.status, row.rule) == ("void", "P2")
    letter = dealt.read(dealt.letters("your-turn")[-1])
    assert letter.own.void is not None
    assert "above your limit of $4" in letter.own.void.sentence


@pytest.mark.postgresql
def test_a_void_order_tells_its_owner_why_and_asks(dealt: Table) -> None:
    second, third, fourth = dealt.rest()
    for seat in (second, third, fourth):
        dealt.play("issue 0\nbid max 0", seat=seat)
    dealt.play("action locomotive", seat=second)
    dealt.play("issue 0")
    while dealt.phase() == "turn_order":
        dealt.play("drop")
    while dealt.asked().waiting_for != second:
        free = dealt.view().sheet.legal(dealt.view().state) or ()
        wanted = "action locomotive"
        dealt.play(wanted if wanted in free else free[0])
    assert next(row for row in all_orders(dealt) if row.orders == "action locomotive").status == "void"
    letter = dealt.read(dealt.letters("your-turn")[-1])
    assert letter.seat == second
    assert letter.own.void is not None
    assert letter.own.void.orders == "action locomotive"
    assert "cannot be taken" in letter.own.void.sentence


def test_a_standing_order_dies_with_its_turn_and_a_standing_one_does_not(dealt: Table) -> None:
    second = dealt.rest()[0]
    dealt.play("always issue 0\nproduce any>L1 any>L2", seat=second)
    while dealt.asked().sheet.turn(dealt.asked().state) == 1:
        dealt.play()
    assert [row.status for row in all_orders(dealt)] == ["waiting", "ended"]
    while dealt.asked().sheet.turn(dealt.asked().state) == 2:
        dealt.play()
    issued = [(move.turn, move.cause) for move in moves(dealt) if move.seat == second and move.phase == "issue_shares"]
    assert issued == [(1, "ahead"), (2, "ahead")]


@pytest.mark.postgresql
def test_nothing_shows_an_order_before_it_is_played(dealt: Table) -> None:
    dealt.send_all()
    second = dealt.rest()[0]
    dealt.play("issue 2\nbid max 7\naction urbanization", seat=second)
    view = dealt.view()
    shown = repr(view.log) + repr(view.sheet.position(view.state)) + repr(view)
    assert "bid max 7" not in shown
    assert "urbanization" not in repr(view.log)
    assert "bid max 7" not in repr(records.export(dealt.office, dealt.game))
    for row in dealt.letters():
        assert "bid max 7" not in repr(dealt.read(row))


def test_a_record_marks_what_was_ordered_ahead_and_proves_the_game(dealt: Table) -> None:
    for seat in dealt.rest():
        dealt.play("always issue 0\nalways bid max 0", seat=seat)
    dealt.play_on(1000)
    record = records.export(dealt.office, dealt.game)
    autos = [entry for entry in record["turns"] if entry.get("auto")]
    assert {entry["phase"] for entry in autos} >= {"issue_shares"}
    view = dealt.view()
    assert verify(view.sheet, read_record(json.dumps(record))).faults == ()


def test_standing_orders_of_others_for_a_game_that_is_over_are_refused(dealt: Table) -> None:
    seat = dealt.rest()[0]
    dealt.play("always issue 0", seat=seat)
    dealt.play_on(1000)
    assert dealt.found(Game, dealt.game).status == "over"
    assert own(dealt, seat) == []
    assert dealt.play("always issue 0", seat=seat).status == "refused"


@pytest.mark.postgresql
def test_a_turn_of_steam_power_waits_with_alternatives(table: Table) -> None:
    """P9."""
    view = table.start(game="steam-power", map="ireland", names=NAMES[:3])
    first, second = (seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    given = table.play("draw | cash\ncash", seat=first)
    assert given.status == "played", given.sentence
    assert len(own(table, first)) == 2
    table.play("cash\ncash", seat=view.waiting_for)
    assert [(move.seat, move.cause) for move in moves(table)][-2:] == [(first, "ahead")] * 2
    assert table.view().waiting_for in (second, view.waiting_for)
    assert own(table, first) == []


def test_orders_for_the_next_turn_wait_however_much_of_this_turn_goes_by(dealt: Table) -> None:
    view = dealt.view()
    while view.sheet.phase(view.state) != "build_track":
        dealt.play()
        view = dealt.view()
    later = dealt.rest()[0]
    dealt.play("issue 2", seat=later)
    (order,) = standing_orders.of_seat(dealt.office, dealt.game, later)
    assert order.turn == 2
    dealt.play()
    assert own(dealt, later) == ["issue 2"]


def statuses(table: Table) -> list[str]:
    return [str(row.status) for row in all_orders(table)]


def put(table: Table, number: int, **values: object) -> None:
    table.put(update(StandingOrderRow).where(StandingOrderRow.id == number).values(**values))


def test_orders_are_replaced_by_those_of_the_same_seat_in_the_same_game(dealt: Table) -> None:
    mine, other = dealt.rest()[:2]
    dealt.play("issue 1", seat=mine)
    dealt.play("issue 1", seat=other)
    first = dealt.game
    dealt.start()
    dealt.play("issue 1", seat=mine)
    dealt.game = first
    dealt.play("issue 2", seat=mine)
    assert statuses(dealt) == ["replaced", "waiting", "waiting", "waiting"]
    assert [row.done_at for row in all_orders(dealt)] == [dealt.now, None, None, None]


def test_a_standing_order_is_replaced_by_a_standing_one_of_its_kind_and_by_no_other(dealt: Table) -> None:
    mine = dealt.rest()[0]
    dealt.play("always bid max 1", seat=mine)
    dealt.play("bid max 2", seat=mine)
    assert statuses(dealt) == ["waiting", "waiting"]
    dealt.play("always bid max 3", seat=mine)
    assert statuses(dealt) == ["replaced", "waiting", "waiting"]
    assert own(dealt, mine) == ["bid max 2", "always bid max 3"]


def test_orders_are_kept_with_their_place_and_whether_the_first_was_played(dealt: Table) -> None:
    mine = dealt.rest()[0]
    dealt.play("issue 2\nbid max 0\nalways issue 1", seat=mine)
    assert [(row.place, row.plays, row.submission_id) for row in all_orders(dealt)] == [(0, 0, 1), (1, 0, 1), (2, 0, 1)]
    assert [(row.turn, row.status) for row in all_orders(dealt)] == [(1, "waiting"), (1, "waiting"), (0, "waiting")]
    with dealt.office.read() as session:
        assert [view.orders for view in standing_orders.of_submission(session, 1)] == own(dealt, mine)
        assert standing_orders.of_submission(session, 2) == ()
    moments, nobody = {row.moment for row in all_orders(dealt)}, dealt.rest()[1]
    with dealt.office.game(dealt.game, dealt.now) as work:
        assert standing_orders.covered(work, mine) == moments
        assert standing_orders.covered(work, nobody) == frozenset()
    for number in (1, 2):
        put(dealt, number, turn=2)
    with dealt.office.game(dealt.game, dealt.now) as work:
        assert standing_orders.covered(work, mine) == {all_orders(dealt)[2].moment}


def test_an_order_is_withdrawn_once_by_its_seat_in_its_game(dealt: Table) -> None:
    mine, other = dealt.rest()[:2]
    dealt.play("issue 1", seat=mine)
    for game, seat, number in ((dealt.game, other, 1), ("nowhere", mine, 1), (dealt.game, mine, 2)):
        with pytest.raises(NoSuch):
            standing_orders.withdraw(dealt.office, game, seat, number, dealt.now)
    assert standing_orders.withdraw(dealt.office, dealt.game, mine, 1, dealt.now)
    assert not standing_orders.withdraw(dealt.office, dealt.game, mine, 1, dealt.later(hours=1))
    assert (all_orders(dealt)[0].status, all_orders(dealt)[0].done_at) == (
        "cancelled",
        START,
    )


def test_all_orders_of_a_seat_are_cancelled_and_counted(dealt: Table) -> None:
    mine, other = dealt.rest()[:2]
    dealt.play("issue 1\nbid max 0", seat=mine)
    dealt.play("issue 1", seat=other)
    with dealt.office.game(dealt.game, dealt.now) as work:
        assert standing_orders.cancel_all(work, mine) == 2
    assert statuses(dealt) == ["cancelled", "cancelled", "waiting"]


def test_the_order_that_has_just_become_void_is_the_last_of_the_seat_in_this_unit_of_work(dealt: Table) -> None:
    mine, other = dealt.rest()[:2]
    for seat in (mine, mine, mine, mine, other):
        dealt.play("issue 1\nbid max 1", seat=seat)
    put(dealt, 4, status="void", done_at=dealt.now)
    with dealt.office.game(dealt.game, dealt.now) as work:
        assert standing_orders.void_now(work, mine) is None
        status = {1: "void", 2: "stuck", 3: "ended"}
        for row in work.standing_orders:
            row.status = StandingOrderStatus(status.get(row.id, "void" if row.seat == other else "waiting"))
        assert standing_orders.void_now(work, mine) == 2
        assert standing_orders.void_now(work, dealt.rest()[2]) is None


def test_an_order_that_cannot_be_read_is_void_with_the_sentence_and_no_rule(table: Table) -> None:
    row = StandingOrderRow(status="waiting", rule="")
    standing_orders.void(row, BadMove(say("usage: issue N")), table.now)
    assert (row.status, row.done_at, row.rule) == ("void", table.now, "")
    assert row.reason is not None


def set_stuck(table: Table, *seats: str) -> None:
    """Orders of these seats that were set aside."""
    for seat in seats:
        table.send("issue 1", seat=seat, version=0, source=f"{table.game}{seat}{len(table.submissions())}")
    table.put(update(Submission).where(Submission.game_id == table.game).values(status="stuck", done_at=table.now))


def test_what_is_not_stuck_is_not_set_aside_again_nor_played_again(table: Table) -> None:
    asked = table.start().waiting_for
    set_stuck(table, asked)
    played = table.play("issue 1").id
    stuck.set_aside(table.office, played, table.now)
    assert [row.status for row in table.submissions()] == ["stuck", "played"]
    assert stuck.play_again(table.office, [played, 99], table.now) == {}
    assert [(view.submission, view.answer) for view in stuck.of_all(table.office)] == [(1, False)]


def test_orders_for_no_certain_position_can_be_played_while_the_game_runs(table: Table) -> None:
    asked = table.start().waiting_for
    set_stuck(table, asked)
    table.put(update(Submission).values(version=None))
    assert [view.answer for view in stuck.of_all(table.office)] == [True]
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.STOPPING
    assert [view.answer for view in stuck.of_all(table.office)] == [False]


def test_only_stuck_orders_of_the_seat_in_its_game_are_closed_when_it_changes_hands(table: Table) -> None:
    view = table.start()
    one, two = [seat.seat for seat in view.seats][:2]
    first = table.game
    set_stuck(table, one)
    table.start()
    set_stuck(table, one, two)
    table.game, second = first, table.game
    waiting = table.send("issue 2", seat=one, version=0)
    table.game = second
    with table.office.game(second, table.now) as work:
        stuck.leave(work, work.seat(one))
    assert [(row.status, row.game_id == second) for row in table.submissions()] == [
        ("stuck", False), ("refused", True), ("stuck", True), ("waiting", False),
    ]  # fmt: skip
    assert waiting == 4
    assert table.submissions()[1].done_at == table.now


def test_a_host_who_runs_the_server_is_told_once_as_operator_and_a_sender_who_hosts_not_as_host(dealt: Table) -> None:
    dealt.office = replace(dealt.office, settings=replace(dealt.office.settings, operator="ana@example.org"))
    with dealt.office.game(dealt.game, dealt.now) as work:
        for number in (0, 1, 1):
            stuck.tell(work, work.numbered(number), "order", number)
    found = dealt.letters("submission-stuck")
    assert [(row.account_id, row.seat_number, row.data["how"], row.data["number"]) for row in found] == [
        (1, 0, "operator", 0), (1, 0, "operator", 1),
    ]  # fmt: skip
    dealt.office = replace(dealt.office, settings=replace(dealt.office.settings, operator=""))
    with dealt.office.game(dealt.game, dealt.now) as work:
        for number in (0, 1):
            stuck.tell(work, work.numbered(number), "submission", number)
    assert [(row.account_id, row.data["how"]) for row in dealt.letters("submission-stuck")[2:]] == [(1, "host")]


def entries(table: Table) -> list[AuditEntry]:
    return table.rows(select(AuditEntry).where(AuditEntry.kind == "watch-on").order_by(AuditEntry.id))


def test_an_entry_is_kept_with_who_did_it_be_it_a_seat_an_account_or_nobody(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as work:
        fay = accounts.account(work.session, "fay@example.org", "Fay", dealt.now)
        work.session.flush()
        audit_log.write(work, "watch-on", seat=work.numbered(2))
        audit_log.write(work, "watch-on", account=fay)
        audit_log.write(work, "watch-on")
        with pytest.raises(ValueError, match="no entries of kind"):
            audit_log.write(work, "sings")
        number = fay.id
    assert [(row.account_id, row.seat_number, row.name) for row in entries(dealt)] == [
        (3, 2, "Chloé"), (number, None, "Fay"), (None, None, ""),
    ]  # fmt: skip


def test_entries_of_this_game_are_shown_in_the_colours_of_its_seats(dealt: Table) -> None:
    dealt.start()
    with dealt.office.game(dealt.game, dealt.now) as work:
        audit_log.write(work, "watch-on", seat=work.numbered(0))
        audit_log.write(work, "ends")
    shown = audit_log.of_game(dealt.office, dealt.game)
    assert [entry.seat for entry in shown[-2:]] == [dealt.view().seats[0].seat, ""]
    assert [entry.kind for entry in shown] == ["opened", "accepted", "accepted", "accepted", "watch-on", "ends"]


@pytest.mark.parametrize(
    ("agreed", "words"),
    [
        (0, "Ana took back {orders}."), (1, "Ana took back {orders}; 1 other player agreed."),
        (2, "Ana took back {orders}; 2 other players agreed."),
    ],
)  # fmt: skip
def test_the_log_says_how_many_agreed_that_orders_are_taken_back(agreed: int, words: str) -> None:
    row = AuditEntry(kind="took-back", name="Ana", data={"orders": "pass", "agreed": agreed})
    assert str(audit_log.sentence(row, whole=True)) == words.format(orders="“pass”")
    assert str(audit_log.sentence(row, whole=False)) == words.format(orders="the last orders")
