"""Orders are taken back within their grace time, or when all others agree; nothing is deleted."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine import replace
from pbem.engine.record import read_record, verify
from pbem.rails.scene import Marks
from pbem.service import NotNow
from pbem.service.archive import records
from pbem.service.base.tokens import BadToken, VoteClaim
from pbem.service.games import departures, takeback, views, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.turns import audit_log
from pbem.store.tables import Move, StandingOrderRow
from pbem.views.games import GameView
from pbem.views.log import log_lines
from tests.table import Table

GRACE = timedelta(minutes=10)


def started(table: Table, grace: timedelta = GRACE) -> Table:
    """A game in which somebody has just issued two shares, and the next has not been told."""
    table.start(grace=grace)
    table.send_all()
    table.play("issue 2")
    return table


def sender(table: Table) -> int:
    """The seat number of who sent the last orders."""
    colour = table.view().log[-1].seat
    return next(seat.number for seat in table.view().seats if seat.seat == colour)


def take_back(table: Table) -> int:
    return takeback.take_back(table.office, table.game, sender(table), table.now)


def ask(table: Table) -> int:
    vote = votes.ask(table.office, table.game, sender(table), TakingBack(), table.now)
    assert vote is not None
    return vote


def others(table: Table, number: int) -> list[int]:
    return [seat.number for seat in table.view().seats if seat.number != number]


def answer(table: Table, vote: int, number: int, agrees: bool = True) -> None:
    votes.answer(table.office, table.game, vote, number, agrees, table.now)


@pytest.mark.postgresql
def test_the_next_player_is_told_when_the_grace_time_is_over(table: Table) -> None:
    started(table)
    assert "your-turn" not in table.send_all()
    deadline = table.view().deadline
    assert deadline == table.now + GRACE + table.view().turn_time
    table.later(minutes=10)
    assert table.send_all() == ["your-turn"]


def test_a_fast_table_has_no_grace_time(table: Table) -> None:
    started(table, timedelta(0))
    assert table.send_all() == ["your-turn"]
    with pytest.raises(NotNow, match="all others have to agree"):
        take_back(table)


@pytest.mark.postgresql
def test_orders_are_taken_back_within_the_grace_time_and_nothing_is_deleted(table: Table) -> None:
    before = started(table).view(at=table.view().version - 1)
    number = sender(table)
    assert take_back(table) == 2
    view = table.view()
    assert view.version == 2
    assert view.sheet.encode(view.state) == view.sheet.encode(before.state)
    assert [(move.number, move.cause, move.taken_back) for move in view.log] == [
        (0, "start", False), (1, "player", True), (2, "taken-back", False),
    ]  # fmt: skip
    assert table.number_asked() == number
    assert table.submissions()[0].status == "taken-back"


def test_what_was_ordered_ahead_with_them_is_taken_back_with_them(table: Table) -> None:
    table.start(grace=GRACE)
    assert table.play("issue 1\nbid max 3").status == "played"
    assert waiting(table) == ["bid max 3"]
    take_back(table)
    assert waiting(table) == []


def waiting(table: Table) -> list[str]:
    """Orders ahead that wait."""
    return table.rows(select(StandingOrderRow.orders).where(StandingOrderRow.status == "waiting"))


def said(view: GameView) -> list[str]:
    """The lines of the log but the deal."""
    return [" ".join(part.read(view.voice) for part in line.sentences) for line in log_lines(view.log[1:])]


def test_the_log_says_who_took_something_back_and_to_nobody_else_what(table: Table) -> None:
    started(table)
    take_back(table)
    own = table.view().log[-1].seat
    name = next(seat.name for seat in table.view().seats if seat.seat == own)
    mine = views.game(table.office, table.game, viewer=own)
    assert said(mine) == [f"{name} issued 2 shares and has $20.", f"{name} took back “issue 2”"]
    assert log_lines(mine.log)[-2].taken_back
    for other in ("", *(seat.seat for seat in table.view().seats if seat.seat != own)):
        view = views.game(table.office, table.game, viewer=other)
        assert said(view) == [f"{name} took back the last orders"]
        assert said(replace(mine, log=mine.seen_by(other).log)) == said(view)
        assert "issue 2" not in repr(view.log)


def test_the_position_after_orders_that_were_taken_back_is_shown_to_nobody_while_the_game_runs(table: Table) -> None:
    before = started(table).view(at=0)
    after = table.view()
    take_back(table)
    own = table.view().log[-1].seat
    table.play("issue 3")
    for viewer in ("", own):
        shown = views.game(table.office, table.game, 1, viewer)
        assert (shown.version, shown.state) == (1, before.state)
        assert views.scene(table.office, table.view(at=2)).marks == Marks()
    table.play_on(1000)
    assert table.view().status == "over"
    assert table.view(at=1).state == after.state
    assert "issued 2 shares" in said(table.view())[0]


@pytest.mark.postgresql
def test_a_position_between_orders_and_their_taking_back_is_not_shown_either(table: Table) -> None:
    """Somebody else takes the seat that is asked, which is a note of the log, before all agree."""
    started(table)
    number, next_seat = sender(table), table.number_asked()
    departures.resign(table.office, table.game, next_seat, table.later(minutes=20))
    assert table.view().log[-1].cause == "seat"
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.now)
    for other in others(table, number):
        if other != next_seat:
            answer(table, vote, other)
    assert table.view().log[-1].cause == "taken-back"
    dealt = table.view(at=0).state
    for at in range(table.view().version + 1):
        assert table.view(at=at).state == dealt


def test_what_was_taken_back_is_told_when_the_game_is_over(table: Table) -> None:
    started(table)
    table.later(hours=1)
    number, vote = sender(table), ask(table)
    for other in others(table, number):
        answer(table, vote, other)
    ben, somebody = table.view().seats[number].name, others(table, number)[0]
    own = [
        f"{ben} asks all others to agree to take back “issue 2”.",
        f"{ben} took back “issue 2”; 3 other players agreed.",
    ]
    hidden = [
        f"{ben} asks all others to agree to take back the last orders.",
        f"{ben} took back the last orders; 3 other players agreed.",
    ]
    assert about_taking_back(table, number) == own
    assert about_taking_back(table, None) == about_taking_back(table, somebody) == hidden
    _, voted = votes.vote_of(table.office, VoteClaim(vote, somebody, 0), table.now)
    assert "issue 2" not in str(voted.words)
    table.play_on(1000)
    assert about_taking_back(table, None) == own


def about_taking_back(table: Table, number: int | None) -> list[str]:
    """What the player of a seat reads of it among what people did."""
    done = audit_log.of_game(table.office, table.game, number)
    return [str(one.sentence) for one in done if one.kind in ("asks-take-back", "took-back")]


def test_the_player_who_was_not_told_never_hears_of_it(table: Table) -> None:
    started(table)
    take_back(table)
    table.later(minutes=30)
    assert table.send_all() == ["your-turn"]
    assert table.letters("taken-back") == []
    withdrawn = table.letters("your-turn", "withdrawn")
    assert [letter.version for letter in withdrawn] == [1]


def test_a_link_to_the_withdrawn_question_is_stale(table: Table) -> None:
    started(table)
    next_seat, version = table.view().waiting_for, table.view().version
    take_back(table)
    refused = table.play("issue 1", seat=next_seat, version=version)
    assert refused.status == "refused"
    again = table.play("issue 2", seat=table.view().waiting_for, version=0, source="another mail")
    assert "taken back" in again.sentence.one if again.sentence else False


def test_a_game_with_orders_taken_back_is_proved_to_its_end(table: Table) -> None:
    table.start(grace=GRACE)
    taken = 0
    while not table.asked().over:
        table.play()
        asked = table.asked()
        if asked.version % 3 == 1 and not asked.over:
            try:
                take_back(table)
                taken += 1
            except NotNow:
                pass
            table.play()
    assert taken > 20
    record = read_record(json.dumps(records.export(table.office, table.game)))
    assert verify(table.view().sheet, record).faults == ()
    assert len(record.turns) == table.view().version - 2 * taken


def test_time_is_neither_won_nor_lost_by_taking_back(table: Table) -> None:
    table.start(grace=GRACE)
    asked_at, deadline = table.now, table.view().deadline
    table.later(hours=20)
    table.play("issue 2")
    table.later(minutes=5)
    take_back(table)
    assert asked_at
    assert table.view().deadline == (deadline or table.now) + timedelta(minutes=5)


def test_orders_after_which_dice_were_rolled_stand_whoever_agrees(table: Table) -> None:
    table.start(grace=GRACE)
    while not table.view().log[-1].events or not _rolled(table):
        table.play()
    assert table.view().status == "running"
    with pytest.raises(NotNow, match="die was rolled"):
        takeback.take_back(table.office, table.game, sender(table), table.now)
    with pytest.raises(NotNow, match="die was rolled"):
        ask(table)
    assert "your-turn" in table.send_all()


def _rolled(table: Table) -> bool:
    with table.office.read() as session:
        move = session.get(Move, (table.game, table.view().version))
        return move is not None and bool(move.chance) and move.number > 0


def test_only_the_sender_takes_back_and_only_the_last_orders(table: Table) -> None:
    started(table)
    with pytest.raises(NotNow, match="not yours"):
        takeback.take_back(table.office, table.game, table.number_asked(), table.now)
    first = sender(table)
    table.play("issue 1")
    with pytest.raises(NotNow, match="not yours"):
        takeback.take_back(table.office, table.game, first, table.now)


@pytest.mark.postgresql
def test_an_answer_that_waits_to_be_played_ends_the_grace_time(table: Table) -> None:
    started(table)
    table.send("issue 1")
    with pytest.raises(NotNow, match="already answered"):
        take_back(table)


@pytest.mark.postgresql
def test_all_others_agree_and_the_orders_are_taken_back(table: Table) -> None:
    started(table)
    table.later(hours=1)
    table.send_all()
    number = sender(table)
    vote = ask(table)
    assert table.send_all() == ["consent-asked"] * 3
    for other in others(table, number)[:-1]:
        answer(table, vote, other)
        assert table.view().version == 1
    answer(table, vote, others(table, number)[-1])
    assert table.view().log[-1].cause == "taken-back"
    assert sorted(table.send_all()) == ["taken-back", "your-turn"]


def test_one_refusal_is_enough_and_the_sender_is_told(table: Table) -> None:
    started(table)
    table.later(hours=1)
    vote = ask(table)
    answer(table, vote, others(table, sender(table))[0], agrees=False)
    table.send_all()
    told = table.letters("not-agreed", "sent")
    assert len(told) == 1
    with pytest.raises(NotNow, match="already been decided"):
        answer(table, vote, others(table, sender(table))[1])
    with pytest.raises(NotNow, match="have refused this"):
        ask(table)


def test_play_goes_on_while_the_others_are_asked_and_the_question_dies_with_it(table: Table) -> None:
    started(table)
    table.later(hours=1)
    number, vote = sender(table), ask(table)
    assert table.play("issue 1").status == "played"
    with pytest.raises(NotNow, match="moved on"):
        answer(table, vote, others(table, number)[0])
    assert "consent-asked" not in table.send_all()


def test_the_same_answer_twice_counts_once_and_the_sender_has_no_vote(table: Table) -> None:
    started(table)
    table.later(hours=1)
    number, vote = sender(table), ask(table)
    answer(table, vote, others(table, number)[0])
    answer(table, vote, others(table, number)[0])
    with pytest.raises(NotNow, match="Only the other players"):
        answer(table, vote, number)
    _, shown = votes.vote_of(table.office, VoteClaim(vote, number, 0), table.now)
    assert (len(shown.agreed), len(shown.missing), shown.needed) == (1, 2, 3)


def test_a_link_to_vote_dies_with_its_holder(table: Table) -> None:
    started(table)
    table.later(hours=1)
    vote = ask(table)
    with pytest.raises(BadToken):
        votes.answer_by_link(table.office, VoteClaim(vote, 1, holder=1), True, table.now)


@pytest.mark.postgresql
def test_everything_is_in_the_audit_trail(table: Table) -> None:
    started(table)
    table.later(hours=1)
    number, vote = sender(table), ask(table)
    for other in others(table, number):
        answer(table, vote, other)
    kinds = [done.kind for done in audit_log.of_game(table.office, table.game)]
    assert kinds == [
        "opened", "accepted", "accepted", "accepted", "asks-take-back", "agrees", "agrees", "agrees", "took-back",
    ]  # fmt: skip
    assert "3 other players agreed" in str(audit_log.of_game(table.office, table.game)[-1].sentence)
