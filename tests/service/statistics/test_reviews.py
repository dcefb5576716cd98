"""Reviews: entered at the end of a game, worked on in the background, stored bit by bit, kept out by who wants it."""

from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image

from pbem.robot import review
from pbem.robot.review import comparisons, doubts
from pbem.service import NotNow
from pbem.service.base import NoSuch
from pbem.service.letter_views import correspondence
from pbem.service.people import accounts
from pbem.service.statistics import counting, reviews
from pbem.service.statistics.reviews import ReviewView
from pbem.store.statuses import ReviewStatus
from pbem.store.tables import ReviewRow, Seat
from tests.service.actors import resign, take
from tests.table import NAMES, Table
from workers import pictures, reviewing, work

PAIRS = 2


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews of a few orders and pairs."""
    monkeypatch.setattr(doubts, "DOUBTFUL", 2)
    monkeypatch.setattr(doubts, "PROMISING", 2)
    monkeypatch.setattr(review, "SEAT_PAIRS", 0)
    monkeypatch.setattr(comparisons, "FIRST_PAIRS", PAIRS)


@pytest.fixture
def over(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of two on St. Lucia that is over and counted."""
    monkeypatch.setattr(work, "now", lambda: table.now)
    table.start(names=NAMES[:2], map="st_lucia")
    table.play_on(1000)
    counting.count(table.office, table.game, table.later(minutes=1))
    return table


def seen(table: Table) -> ReviewView:
    view = reviews.of_game(table.office, table.game)
    assert view is not None
    return view


def test_a_game_is_entered_when_it_is_over(over: Table) -> None:
    assert reviews.waits(over.office, over.now)
    view = seen(over)
    assert (view.status, view.part, view.left, view.decisions) == (ReviewStatus.WAITING, 0, None, ())


def test_a_game_of_one_has_a_review_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "now", lambda: table.now)
    table.start(names=NAMES[:1], map="barbados")
    table.play_on(1000)
    counting.count(table.office, table.game, table.later(minutes=1))
    reviewing.work_off(table.office)
    assert (seen(table).status, seen(table).part) == (ReviewStatus.DONE, 100)


@pytest.mark.postgresql
def test_a_review_is_worked_off_and_says_what_was_played_on(over: Table) -> None:
    reviewing.work_off(over.office)
    assert not reviews.waits(over.office, over.later(days=1))
    view = seen(over)
    assert (view.status, view.part) == (ReviewStatus.DONE, 100)
    assert [len(one.pairs) for one in view.decisions] == [PAIRS] * len(view.decisions)
    log = {move.number: move for move in over.view().log}
    assert all((log[one.number].seat, log[one.number].orders) == (one.player, one.played) for one in view.decisions)


def test_players_are_told_once_what_was_clear(over: Table) -> None:
    reviewing.work_off(over.office)
    clear = {one.player for one in seen(over).decisions if one.clear}
    assert clear
    letters = over.letters("review")
    assert {seat.seat for seat in over.view().seats for letter in letters if seat.number == letter.seat_number} == clear
    told = over.read(letters[0])
    assert told.own.dearest or told.own.best
    assert told.own.url == f"https://play.example.org/archive/{over.game}/review"
    assert (told.own.mine[0], told.own.mine[-1]) in ((50, 100), (50, 0), (50, 50))
    assert told.own.turned in (0, *range(3, len(told.own.mine)))
    picture = pictures.picture(correspondence.letter(over.office, letters[0].id, over.now))
    assert picture is not None
    assert Image.open(BytesIO(picture)).size == (700, 300)


def test_who_wants_no_own_orders_listed_gets_no_letter(over: Table) -> None:
    for account in {letter.account_id for letter in over.letters("game-over")}:
        accounts.want(over.office, account, "reviewed", False)
    reviewing.work_off(over.office)
    assert over.letters("review") == []


def test_one_that_is_ended_at_every_unit_comes_to_the_same(over: Table) -> None:
    job = reviews.claim(over.office, over.now)
    assert job is not None
    steps = 0
    while not (begun := reviews.opened(over.office, job)).done:
        begun.step()
        reviews.keep(over.office, job, begun, 1.5, over.later(seconds=2))
        steps += 1
        if steps == 60:
            assert seen(over).status == ReviewStatus.WORKING
            assert seen(over).left == pytest.approx(90 * (100 - seen(over).part) / seen(over).part)
    straight = reviews.opened(over.office, job).restored(None)
    straight.read, straight.compared = 0, []
    while not straight.done:
        straight.step()
    assert straight.to_json() == reviews.opened(over.office, job).to_json()


def test_nobody_works_on_a_review_twice_at_once_and_a_lost_one_is_gone_on_with(over: Table) -> None:
    first = reviews.claim(over.office, over.now)
    assert reviews.claim(over.office, over.now) is None
    for _ in range(reviews.TRIES - 1):
        assert reviews.claim(over.office, over.later(minutes=2)) == first
    assert reviews.claim(over.office, over.later(minutes=2)) is None
    assert seen(over).status == ReviewStatus.FAILED


def test_orders_that_wait_for_a_worker_come_first(over: Table) -> None:
    assert not reviews.orders_wait(over.office, over.now)
    over.start(names=NAMES[:2], map="st_lucia")
    over.send(over.asked().default())
    assert reviews.orders_wait(over.office, over.now)
    assert not reviews.orders_wait(over.office, over.now - timedelta(minutes=1))


def test_who_wants_no_own_orders_listed_is_kept_out(over: Table) -> None:
    reviewing.work_off(over.office)
    assert seen(over).kept_out == frozenset()
    player = next(iter(seen(over).decisions)).player
    with over.office.read() as session:
        account = next(seat.account_id for seat in session.query(Seat) if seat.colour == player)
    assert account is not None
    accounts.want(over.office, account, "reviewed", False)
    assert seen(over).kept_out == {player}
    assert player not in {one.player for one in seen(over).decisions}


def test_own_mistakes_stand_beside_those_of_players_of_similar_rating(
    over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewing.work_off(over.office)
    with over.office.read() as session:
        me, other = session.query(Seat).order_by(Seat.number)
        assert me.account_id is not None
        assert other.account_id is not None

    def beside() -> tuple[bool, int, set[str]]:
        found = reviews.of_account(over.office, me.account_id or 0)
        assert {one.player for game in found.games for one in game.mistakes} <= {me.colour}
        return found.alike, found.others, {one.player for one in found.theirs}

    theirs = {one.player for one in seen(over).decisions if one.mistake} - {me.colour}
    assert theirs
    assert beside() == (False, 1, theirs)
    monkeypatch.setattr(reviews, "ENOUGH", 1)
    monkeypatch.setattr(reviews, "ALIKE", 30_000_000)
    assert beside() == (True, 1, theirs)
    monkeypatch.setattr(reviews, "ALIKE", 0)
    assert beside() == (False, 1, theirs)
    accounts.want(over.office, other.account_id, "reviewed", False)
    assert beside() == (False, 0, set())


def test_whoever_takes_a_seat_has_no_review_of_what_was_ordered_before(table: Table) -> None:
    first = table.start(names=NAMES[:2], map="st_lucia").waiting_for
    table.play_on(4)
    table.later(minutes=1)
    resign(table, table.number(first))
    at = table.view().version
    take(table)
    table.later(minutes=1)
    table.play_on(1000)
    counting.count(table.office, table.game, table.now)
    given = reviews.opened(table.office, table.game).played.given
    assert {order.player for order in given} == {seat.seat for seat in table.view().seats}
    assert min(order.number for order in given if order.player == first) > at
    assert min(order.number for order in given if order.player != first) < at


def test_what_is_asked_for_is_a_finished_game(table: Table) -> None:
    table.start(names=NAMES[:2], map="st_lucia")
    with pytest.raises(NotNow, match="has no review"):
        reviews.ask(table.office, table.game, table.host, table.now)
    with pytest.raises(NoSuch):
        reviews.ask(table.office, "nowhere", table.host, table.now)
    assert reviews.of_game(table.office, table.game) is None


def test_old_games_that_never_had_a_review_enter_after_all_others(over: Table) -> None:
    with over.office.write() as session:
        session.delete(session.get_one(ReviewRow, over.game))
    assert not reviews.waits(over.office, over.now)
    for _ in range(2):
        reviews.enter_old(over.office)
        with over.office.read() as session:
            assert [(row.game_id, row.rank) for row in session.query(ReviewRow)] == [(over.game, reviews.OLD)]
    reviewing.work_off(over.office)
    assert over.letters("review") == []


@pytest.mark.postgresql
def test_a_review_by_another_method_is_begun_again(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewing.work_off(over.office)
    reviews.enter_old(over.office)
    assert seen(over).status == ReviewStatus.DONE
    monkeypatch.setattr(review, "METHOD", review.METHOD + 1)
    reviews.enter_old(over.office)
    assert (seen(over).status, seen(over).part, seen(over).decisions) == (ReviewStatus.WAITING, 0, ())
    reviewing.work_off(over.office)
    assert (seen(over).status, seen(over).part) == (ReviewStatus.DONE, 100)


def test_games_that_have_just_ended_come_before_those_asked_for_and_old_ones(over: Table) -> None:
    with over.office.write() as session:
        row = session.query(ReviewRow).one()
        row.rank = 2
    reviews.ask(over.office, over.game, over.host, over.now)
    ended = over.game
    over.start(names=NAMES[:2], map="st_lucia")
    over.play_on(1000)
    counting.count(over.office, over.game, over.now)
    first = reviews.claim(over.office, over.now)
    second = reviews.claim(over.office, over.now)
    assert (first, second) == (over.game, ended)
