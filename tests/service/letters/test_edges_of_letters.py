"""What letters hold beside their question, kind by kind: news, plans, refusals, what was taken in, and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import select, update

from pbem.service.base import queries
from pbem.service.base.work import NewLetter
from pbem.service.table import deadlines
from pbem.statuses import GameStatus
from pbem.store.tables import Letter, Move, StandingOrderRow, Submission
from pbem.views import LetterView
from tests.table import Table


def written(table: Table, kind: str, data: Mapping[str, Any], number: int = 0) -> LetterView:
    """A letter of a kind to the player of a seat, about the position there is."""
    with table.office.game(table.game, table.now) as work:
        seat = work.numbered(number)
        account, version = seat.account_id or 0, work.game.version
        work.write(NewLetter(kind, f"{kind} now", account, game=work.game, seat=seat, version=version, data=data))
    return table.read(table.letters(kind)[-1])


def numbers(letter: LetterView) -> list[int]:
    return [move.number for move in letter.since]


DAYS = {"first": "2026-12-01", "last": "2026-12-09", "before": "2026-11-21T18:00:00+00:00"}
NEWS: Mapping[str, Mapping[str, Any]] = {
    "away": DAYS, "back": DAYS, "paused": {}, "resumed": {}, "seat-offered": {"until": "2026-11-21T18:00:00+00:00"},
}  # fmt: skip


@pytest.mark.parametrize("kind", NEWS)
def test_news_of_the_clocks_name_who_they_are_about(table: Table, kind: str) -> None:
    table.start()
    news = written(table, kind, {"person": "Ben", **NEWS[kind]}).news
    assert news is not None
    assert news.person == "Ben"


def test_a_reminder_asks_what_the_question_asked(table: Table) -> None:
    view = table.start()
    assert deadlines.remind(table.office, table.game, table.later(hours=48))
    (row,) = table.letters("reminder")
    assert table.read(row).question == view.sheet.question(view.state)


def test_the_first_question_tells_the_deal_and_the_next_ones_nothing_of_what_the_reader_did(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    assert numbers(table.read(table.letters("your-turn")[-1])) == [0]
    asked = table.view().waiting_for
    table.play("cash")
    assert table.view().waiting_for == asked
    assert numbers(table.read(table.letters("your-turn")[-1])) == []


def test_orders_that_were_taken_back_are_not_the_readers_last(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    table.play("cash")
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Move).where(Move.number == 1).values(taken_back_by=1))
    assert numbers(table.read(table.letters("your-turn")[-1])) == [0, 1]


def test_the_confirmation_of_orders_tells_them_and_what_came_of_them(table: Table) -> None:
    table.start()
    table.play("issue 1")
    table.play("issue 2\nbid max 1", via="mail")
    letter = table.read(table.letters("played")[-1])
    assert numbers(letter) == [2]
    assert ["bid max 1" in str(words) for words in letter.kept] == [True]


def test_the_confirmation_of_orders_that_all_wait_tells_nothing_that_happened(table: Table) -> None:
    view = table.start()
    other = next(seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    table.play("issue 1", seat=other, version=None, via="mail", source="<1>")
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Submission).values(move_number=None))
    assert numbers(written(table, "played", {"submission": 1})) == []


def test_a_planning_letter_asks_for_what_is_not_ordered_yet(table: Table) -> None:
    table.start(planning=True)
    row = table.letters("planning")[0]
    plan = table.read(row).plan
    assert plan is not None
    moments = [part.moment for part in plan.parts]
    assert row.data["phases"] == moments
    with table.office.write() as session:
        letter = session.get_one(Letter, row.id)
        letter.data = {**letter.data, "phases": moments[1:]}
    plan = table.read(row).plan
    assert plan is not None
    assert [part.moment for part in plan.parts] == moments[1:]


def test_an_order_that_could_not_be_played_is_told_with_the_reason_where_there_is_one(table: Table) -> None:
    table.start()
    table.play("issue 1\nbid max 1")
    with table.office.write() as session:
        queries.locked(session, table.game)
        order = session.scalars(select(StandingOrderRow.id)).one()
    void = written(table, "your-turn", {"void": order}).void
    assert void is not None
    assert (void.orders, void.sentence) == ("bid max 1", "")


def test_orders_about_which_nothing_is_said_are_refused_without_a_sentence(table: Table) -> None:
    table.start()
    table.play("issue 99", via="mail")
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Submission).values(sentence=None))
    letter = table.read(table.letters("refused")[-1])
    assert (letter.text, letter.sentence) == ("issue 99", "")


def test_who_declines_is_named(table: Table) -> None:
    table.open()
    table.answer(2, accept=False)
    assert table.read(table.letters("declined")[-1]).text == "Chloé"


def test_the_record_is_linked_when_the_game_is_over_and_not_before(table: Table) -> None:
    table.start()
    to = table.office.addresses
    assert table.read(table.letters("your-turn")[-1]).links.record == ""
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.OVER
    assert written(table, "game-over", {}).links.record == to.record(table.game)
