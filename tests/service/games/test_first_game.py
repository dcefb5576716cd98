"""The first game: played to its end by emails alone, rightly and wrongly."""

import json
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.engine import catalog
from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.record import digest, read_record, verify
from pbem.service.archive import archive, records
from pbem.service.base import NotNow
from pbem.service.base.task_hints import Hint
from pbem.service.base.tokens import ConfirmClaim, InvitationClaim
from pbem.service.email_in import replies
from pbem.service.games import account_deletion, guests
from pbem.service.letters.kinds.lessons import LessonTurn
from pbem.service.orders import deadlines, submissions
from pbem.service.turns import lessons
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Game, Letter
from pbem.store.time_controls import TimeControl
from pbem.transport import broker
from pbem.views.games import GameView
from pbem.views.lessons import TOPICS
from tests.table import Table

NEVER = SeededChance(NO_SEED, "tried")
MOST = 30
"""Letters of a first game, at the most: a bid that is topped is asked for again."""


def ana(table: Table) -> int:
    """Somebody with an account who has never played."""
    return table.account("Ana")


def begin(table: Table) -> None:
    table.game = guests.begin_first_game(table.office, ana(table), table.now)


def newest(table: Table, kind: str = "lesson") -> Letter:
    """The one letter that waits to be sent, which then leaves."""
    table.robots_answer()
    rows = table.letters(kind, "waiting")
    assert table.send_all() == [kind]
    return rows[0]


def reply(table: Table, letter: Letter, text: str) -> str:
    """Answer a letter by email; returns what became of it."""
    named = f"<{letter.id}.{text}@example.org>"
    done = replies.take(table.office, replies.sender(table.office, letter.id, named, named), text, table.now)
    submissions.play_waiting(table.office, table.game, table.now)
    return next(row.status for row in table.submissions() if done == f"submission {row.id}")


def told_in(table: Table, letter: Letter) -> Any:
    assert letter.kind == LessonTurn.kind
    return table.read(letter).own


def play_through(table: Table, choose: Callable[[Any], str]) -> tuple[list[Any], Letter]:
    """Answer every letter by email until the game is over; returns what the letters said, and the last one."""
    begin(table)
    told: list[Any] = []
    while table.view().status == GameStatus.RUNNING:
        letter = newest(table)
        told.append(told_in(table, letter))
        assert reply(table, letter, choose(told[-1])) == "played"
        assert len(told) < MOST
        table.robots_answer()
    return told, newest(table, "game-over")


def points(table: Table) -> int:
    """What Ana has at the end."""
    seat = table.view().seats[0].seat
    return next(line.score for line in table.view().standings if line.seat == seat) or 0


@pytest.mark.postgresql
def test_seven_emails_lead_to_a_finished_game_in_the_archive_that_can_be_verified(table: Table) -> None:
    told, last = play_through(table, lambda letter: letter.answers[0].typed)
    assert [letter.topic for letter in told if not letter.again] == list(TOPICS)
    assert [letter.number for letter in told if not letter.again] == [1, 2, 3, 4, 5, 6, 7]
    over = table.read(last).own
    assert over.back.topic == TOPICS[-1]
    assert over.next["new_game"] == "https://play.example.org/new"
    assert [line.id for line in archive.page(table.office, archive.Wanted(text="Ana")).games] == [table.game]
    record = read_record(json.dumps(records.export(table.office, table.game)))
    assert verify(catalog.sheet(record.game, record.map), record).faults == ()
    (change,) = record.substitutes
    assert (change["from"], change["to"], change["entry"]) == ("a robot", "Ana", len(lessons.opening("first")))


def test_whoever_takes_the_worst_answers_has_fewer_points_and_is_told_what_each_one_cost(table: Table) -> None:
    told, _ = play_through(table, lambda letter: letter.answers[-1].order)
    worst = points(table)
    for before, after in pairwise(told):
        assert after.back is not None
        assert after.back.chosen.order == before.answers[-1].order
        assert after.back.chosen.less == before.answers[-1].less
        assert after.back.best.order == before.answers[0].order
    assert max(letter.answers[-1].less for letter in told) > 0
    assert worst < (told[0].answers[0].ending.points or 0)


def played(view: GameView, orders: str) -> bytes:
    moves = view.sheet.parse(view.state, orders, {})
    return view.sheet.encode(view.sheet.play(view.state, view.waiting_for, moves, NEVER).state)


def test_every_letter_compares_legal_answers_and_links_to_each(table: Table) -> None:
    begin(table)
    assert table.hints[-1] == Hint(broker.TEACH, table.letters("lesson")[0].id)
    view, letter = table.view(), newest(table)
    told = told_in(table, letter)
    assert len(told.answers) == 3
    assert [answer.less for answer in told.answers] == sorted(answer.less for answer in told.answers)
    assert told.answers[0].less == 0
    for answer in told.answers:
        listed, typed = (played(view, orders) for orders in (answer.order, answer.typed))
        assert listed == typed
        assert answer.link == table.office.addresses.turn(table.game, view.waiting_for, view.version, answer.order)
    assert told.guide == "https://play.example.org/how-to-play/age-of-steam#move_goods"


def test_the_first_letter_tells_nothing_of_what_robots_played_before(table: Table) -> None:
    begin(table)
    letter = newest(table)
    assert table.read(letter).moves == ()
    assert told_in(table, letter).back is None
    assert reply(table, letter, told_in(table, letter).answers[0].order) == "played"
    following = table.read(newest(table))
    assert following.moves[0].number == len(lessons.opening("first")) + 1  # what the reader has just ordered


def test_wrong_replies_are_answered_with_what_to_write_and_change_nothing(table: Table) -> None:
    begin(table)
    letter, before = newest(table), table.view()
    orders = [answer.typed for answer in told_in(table, letter).answers]
    for text in ("What am I supposed to do?", "bid 3", "move red Z99 > Q4"):
        assert reply(table, letter, text) == "refused"
        refused = table.read(newest(table, "refused"))
        assert list(refused.own.examples) == orders
        assert refused.own.sentence
    assert table.view().version == before.version
    assert reply(table, letter, orders[0]) == "played"
    assert told_in(table, newest(table)).topic == TOPICS[1]


def test_an_old_letter_cannot_be_answered_twice(table: Table) -> None:
    begin(table)
    letter = newest(table)
    first, second, _ = (answer.order for answer in told_in(table, letter).answers)
    assert reply(table, letter, first) == "played"
    assert reply(table, letter, second) == "refused"


def test_the_first_game_waits_for_an_answer_however_long(table: Table) -> None:
    begin(table)
    version = table.view().version
    table.awake(days=60)
    assert not deadlines.deadline(table.office, table.game, table.now)
    assert table.view().version == version
    letter = newest(table)
    assert reply(table, letter, told_in(table, letter).answers[0].order) == "played"


def test_in_one_that_began_when_it_had_an_end_of_time_a_caretaker_plays_on(table: Table) -> None:
    begin(table)
    with table.office.game(table.game, table.now) as work:
        work.game.time_control = TimeControl(timedelta(days=3), at_zero="caretaker")
        work.game.deadline_at = table.now + timedelta(days=3)
    newest(table)
    table.awake(days=3)
    assert deadlines.deadline(table.office, table.game, table.now)
    assert "caretaker" in table.send_all()
    while table.view().status == GameStatus.RUNNING:
        table.robots_answer()
        table.awake(days=3)
        deadlines.deadline(table.office, table.game, table.now)
    last = table.read(newest(table, "game-over")).own
    assert not last.back.own
    causes = {move.cause for move in table.view().log if move.seat == table.view().seats[0].seat}
    assert causes == {MoveCause.ROBOT, MoveCause.CARETAKER}


def test_a_letter_that_follows_an_answer_on_a_page_is_not_held_back(table: Table) -> None:
    begin(table)
    order = told_in(table, newest(table)).answers[0].order
    table.play(order, via="page")
    assert told_in(table, newest(table)).topic == TOPICS[1]


def test_a_first_game_that_is_not_over_is_gone_on_with(table: Table) -> None:
    begin(table)
    game = table.game
    begin(table)
    assert table.game == game
    assert len(table.letters("lesson")) == 1


def test_without_an_account_the_letters_begin_when_the_address_is_confirmed(table: Table) -> None:
    claim = guests.start(table.office, lessons.FIRST, "Ana", "ana@example.org", table.now)
    table.game = claim.game
    (asks,) = table.letters()
    assert table.read(asks).own.lesson
    assert table.view().unlisted
    for _ in range(2):
        guests.confirm(table.office, ConfirmClaim(claim.game, claim.number, asks.account_id), table.now)
    assert [row.kind for row in table.letters()] == ["guest-game", "lesson"]
    assert not table.view().unlisted


def test_whoever_was_invited_begins_with_the_invitation(table: Table) -> None:
    table.open()
    account = guests.invited(table.office, InvitationClaim(table.game, 2))
    assert account.name == "Chloé"
    guests.begin_first_game(table.office, account.id, table.now)
    assert [row.account_id for row in table.letters("lesson")] == [account.id]
    account_deletion.delete(table.office, account.id, account.address, table.now)
    with pytest.raises(NotNow, match="no longer has an account"):
        guests.invited(table.office, InvitationClaim(table.game, 2))


def test_every_other_game_is_no_lesson(dealt: Table) -> None:
    with dealt.office.read() as session:
        assert session.scalar(select(func.count()).select_from(Game).where(Game.lesson != "")) == 0
    assert {row.kind for row in dealt.letters(status="waiting")} == {"game-started", "your-turn"}


def test_the_kept_opening_is_played_by_the_rules_of_today_to_the_position_it_was_kept_with() -> None:
    told, played = lessons.lesson(lessons.FIRST), lessons.opening(lessons.FIRST)
    assert told.record.turns[-1].digest == digest(told.sheet, played[-1].state)
    assert told.sheet.to_act(played[-1].state) == told.record.players[0] == told.sheet.colours[0]
    assert len(told.robots) == len(told.record.players) - 1
