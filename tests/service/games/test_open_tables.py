"""Tables that anybody can join: who gets a seat, who does not, and what happens on the date."""

from dataclasses import replace
from datetime import time, timedelta
from functools import partial

import pytest
from sqlalchemy import insert, update

from pbem.service import BadInput, BadToken, NotNow, Office
from pbem.service.base import rate_limits
from pbem.service.base.tokens import JoinClaim, SitClaim
from pbem.service.email_in import incoming
from pbem.service.games import account_deletion, open_tables, opening, table_news
from pbem.service.games import listed_tables as lists
from pbem.service.games.open_tables import Visitor
from pbem.service.games.terms import Terms
from pbem.service.people import blocks, notifications
from pbem.store.statuses import GameStatus, SeatsLeft, SeatStatus
from pbem.store.tables import Block, Game, OpenTable, Seat, Stop
from tests.service.actors import at_once, kinds
from tests.service.email_in.test_digest_replies import text_with_reply
from tests.table import START, Table
from workers import clock

DATE = START + timedelta(days=7)


def open_table(table: Table, seats: int = 2, **changes: object) -> str:
    """Ana opens a table for anybody."""
    wished = {"seats": seats, "fill_at": DATE, **changes}
    return table.open(names=("Ana",), open_to=Terms(**wished))  # type: ignore[arg-type]


def join(table: Table, name: str, key: str = "") -> int:
    account = table.account(name)
    open_tables.join(table.office, table.game, account, table.now, key)
    return account


def key_of(table: Table) -> str:
    return table.found(OpenTable, table.game).link_key


def names(table: Table) -> list[str]:
    return [seat.name for seat in table.view().seats]


def refused(table: Table, name: str, key: str = "") -> str:
    with pytest.raises(NotNow) as caught:
        join(table, name, key)
    return str(caught.value.sentence)


@pytest.mark.postgresql
def test_the_last_to_join_starts_the_game_and_all_who_sit_are_told_but_nobody_takes_two_seats(table: Table) -> None:
    open_table(table)
    for _ in range(2):
        join(table, "Fay")
    assert (names(table), table.view().status) == (["Ana", "Fay", ""], GameStatus.OPEN)
    join(table, "Gus")
    assert table.view().status == GameStatus.RUNNING
    assert names(table) == ["Ana", "Fay", "Gus"]
    assert len(table.letters("game-started")) == 3
    assert kinds(table) == ["opened", "joined", "joined"]
    assert lists.listed(table.office, None) == ()


@pytest.mark.postgresql
def test_of_two_who_join_the_last_seat_at_once_one_gets_it(table: Table) -> None:
    open_table(table)
    join(table, "Fay")
    rivals, told = [table.account("Gus"), table.account("Hal")], []

    def hurry(account: int) -> None:
        try:
            open_tables.join(table.office, table.game, account, table.now)
        except NotNow as late:
            told.append(str(late.sentence))

    at_once([partial(hurry, account) for account in rivals])
    assert told == ["The last seat has just been taken, and the game has started."]
    assert sorted(names(table)[2:]) in (["Gus"], ["Hal"])


def test_a_table_that_is_not_listed_is_joined_by_its_link_alone(table: Table) -> None:
    open_table(table, listed=False)
    assert lists.listed(table.office, None) == ()
    assert refused(table, "Fay") == "This table is no longer open to anybody."
    join(table, "Fay", key_of(table))
    assert names(table) == ["Ana", "Fay", ""]


def test_a_renewed_link_makes_the_old_one_void_and_a_revoked_one_is_none(table: Table) -> None:
    open_table(table, listed=False)
    old = key_of(table)
    open_tables.new_link(table.office, table.game, table.host, table.now)
    assert key_of(table) not in ("", old)
    with pytest.raises(BadToken):
        open_tables.linked(table.office, JoinClaim(table.game, old))
    assert open_tables.linked(table.office, JoinClaim(table.game, key_of(table))) == table.game
    open_tables.revoke_link(table.office, table.game, table.host, table.now)
    with pytest.raises(BadToken):
        open_tables.linked(table.office, JoinClaim(table.game, ""))
    assert refused(table, "Fay", old) == "This table is no longer open to anybody."


def test_who_leaves_gives_the_seat_back_and_an_old_link_to_it_is_void(table: Table) -> None:
    open_table(table)
    fay = join(table, "Fay")
    before = table.view().seats[1].holder
    open_tables.leave(table.office, table.game, fay, table.now)
    assert names(table) == ["Ana", "", ""]
    assert table.view().seats[1].holder > before
    join(table, "Gus")
    assert names(table)[1] == "Gus"
    assert kinds(table) == ["opened", "joined", "left-table", "joined"]


def test_the_host_does_not_leave_and_nobody_leaves_a_running_game(table: Table) -> None:
    open_table(table)
    with pytest.raises(NotNow, match="You are the host"):
        open_tables.leave(table.office, table.game, table.host, table.now)
    fay = join(table, "Fay")
    join(table, "Gus")
    with pytest.raises(NotNow, match="before the game starts"):
        open_tables.leave(table.office, table.game, fay, table.now)


@pytest.mark.parametrize("by_host", [True, False])
def test_people_who_blocked_each_other_do_not_sit_together_or_see_the_table(table: Table, by_host: bool) -> None:
    open_table(table)
    fay = table.account("Fay")
    pair = (table.host, fay) if by_host else (fay, table.host)
    with table.office.write() as session:
        session.add(Block(account_id=pair[0], blocked_id=pair[1], name="?", since=table.now))
    assert lists.listed(table.office, fay) == ()
    assert refused(table, "Fay") == "You cannot take a seat at this table."
    blocks.unblock(table.office, *pair)
    join(table, "Fay")


@pytest.mark.postgresql
def test_on_its_date_robots_take_the_free_seats_and_the_game_starts(table: Table) -> None:
    open_table(table)
    join(table, "Fay")
    table.awake(days=6)
    clock.tick(table.office, table.now, lambda *_: None)
    assert table.view().status == GameStatus.OPEN
    table.awake(days=1)
    clock.tick(table.office, table.now, lambda *_: None)
    assert table.view().status == GameStatus.RUNNING
    assert names(table) == ["Ana", "Fay", "Robot Marta"]
    assert len(table.letters("game-started")) == 2
    assert open_tables.due(table.office, table.now) == []


def test_a_table_that_waits_is_put_off_by_a_week_and_all_who_sit_are_told(table: Table) -> None:
    open_table(table, if_free=SeatsLeft.WAIT)
    join(table, "Fay")
    table.now = DATE
    assert open_tables.come_to_date(table.office, table.game, table.now)
    assert not open_tables.come_to_date(table.office, table.game, table.now)
    assert lists.table(table.office, table.game, None).fill_at == DATE + timedelta(days=7)
    assert [letter.kind for letter in table.letters("put-off")] == ["put-off"] * 2


def test_a_table_does_not_wait_for_ever(table: Table) -> None:
    open_table(table, if_free=SeatsLeft.WAIT)
    for week in range(1, 13):
        table.now = START + timedelta(days=7 * week)
        assert open_tables.come_to_date(table.office, table.game, table.now)
    assert table.view().status == GameStatus.CANCELLED


def test_a_table_is_called_off_on_its_date_where_its_host_chose_that(table: Table) -> None:
    open_table(table, if_free=SeatsLeft.OFF)
    join(table, "Fay")
    table.now = DATE
    open_tables.come_to_date(table.office, table.game, table.now)
    assert table.view().status == GameStatus.CANCELLED
    assert [letter.kind for letter in table.letters("called-off")] == ["called-off"] * 2
    assert refused(table, "Gus") == "This game was called off."


def test_robots_do_not_play_without_people(table: Table) -> None:
    new = opening.NewGame("Empty", "age-of-steam", "rust_belt", (), open_to=Terms(3, DATE))
    table.game = opening.open_game(table.office, None, new, table.now)
    table.now = DATE
    open_tables.come_to_date(table.office, table.game, table.now)
    assert table.view().status == GameStatus.CANCELLED


def test_the_host_fills_the_table_with_robots_at_once_and_plays_without_grace_time(table: Table) -> None:
    wished = Terms(3, DATE)
    table.open(names=("Ana",), open_to=wished, grace=timedelta(minutes=10))
    with pytest.raises(NotNow, match="Only the host"):
        open_tables.fill_now(table.office, table.game, table.account("Fay"), table.now)
    open_tables.fill_now(table.office, table.game, table.host, table.now)
    view = table.view()
    assert view.status == GameStatus.RUNNING
    assert names(table) == ["Ana", "Robot Marta", "Robot Clara", "Robot Rufus"]
    assert view.grace == timedelta(0)


def test_the_host_changes_seats_and_terms_and_what_people_have_stays(table: Table) -> None:
    open_table(table)
    join(table, "Fay")
    wished = Terms(4, DATE + timedelta(days=1), SeatsLeft.OFF, ("de", "fr"), "beginners", listed=True)
    open_tables.change(table.office, table.game, table.host, wished, table.now)
    shown = lists.table(table.office, table.game, table.host)
    spoken = tuple(map(str, shown.spoken))
    assert (shown.free, spoken, str(shown.expected)) == (4, ("German", "French"), "Beginners welcome")
    assert names(table)[:2] == ["Ana", "Fay"]
    open_tables.change(table.office, table.game, table.host, Terms(1, DATE), table.now)
    assert names(table) == ["Ana", "Fay", ""]


def test_what_is_wrong_with_terms_is_told_at_once(table: Table) -> None:
    with pytest.raises(BadInput) as caught:
        open_table(table, 9, fill_at=START, languages=(), experience="none")
    assert [problem.field for problem in caught.value.problems] == ["fill_at", "languages", "experience", "players"]


def test_a_seat_that_was_removed_and_added_again_does_not_fit_links_of_its_former_holder(table: Table) -> None:
    open_table(table)
    fay = join(table, "Fay")
    held = table.view().seats[1].holder
    open_tables.leave(table.office, table.game, fay, table.now)
    join(table, "Gus")
    join_at = next(seat for seat in table.view().seats if seat.name == "Gus")
    assert join_at.holder > held
    open_tables.change(table.office, table.game, table.host, Terms(3, DATE), table.now)
    open_tables.change(table.office, table.game, table.host, Terms(1, DATE), table.now)
    open_tables.change(table.office, table.game, table.host, Terms(3, DATE), table.now)
    with table.office.read() as session:
        free = [seat for seat in session.query(Seat).where(Seat.game_id == table.game) if not seat.name]
    assert all(seat.holder > held for seat in free if seat.number > 2)


def test_an_invitation_that_was_declined_frees_a_seat_of_an_open_table_and_is_void(table: Table) -> None:
    table.open(names=("Ana", "Ben"), open_to=Terms(1, DATE))
    table.answer(1, accept=False)
    assert lists.table(table.office, table.game, None).free == 2
    join(table, "Fay")
    with pytest.raises(NotNow, match="no longer valid"):
        table.answer(1, accept=False)
    assert "Fay" in names(table)
    assert table.view().seats[1].status == SeatStatus.ACCEPTED


def test_who_is_invited_and_joins_takes_the_seat_of_the_invitation(table: Table) -> None:
    table.open(names=("Ana", "Ben"), open_to=Terms(1, DATE))
    join(table, "Ben")
    assert names(table) == ["Ana", "Ben", ""]


def test_who_is_not_logged_in_gets_an_email_and_has_the_seat_when_its_link_is_used(table: Table) -> None:
    open_table(table)
    open_tables.ask_for_seat(table.office, table.game, Visitor("Zoe", "zoe@example.org"), table.now)
    assert names(table) == ["Ana", "", ""]
    letter = table.letters("seat-at-table")[0]
    claim = SitClaim(table.game, letter.account_id, "")
    assert open_tables.sit(table.office, claim, table.now)
    assert names(table) == ["Ana", "Zoe", ""]


def test_who_is_not_logged_in_sits_down_by_a_reply_that_says_yes(table: Table) -> None:
    open_table(table)
    open_tables.ask_for_seat(table.office, table.game, Visitor("Zoe", "zoe@example.org"), table.now)
    letter = table.letters("seat-at-table")[0]
    assert "Or reply to this email with the word yes." in text_with_reply(table, letter)
    for text, done in (("Who is this?", incoming.NOTHING), ("no", "not taken"), ("Yes, gladly", "seat taken")):
        mail = incoming.Mail(text, "zoe@example.org", f"<{text[0]}@example.org>", text)
        assert names(table) == ["Ana", "", ""]
        assert incoming.take(table.office, letter.id, mail, table.now) == done
    assert names(table) == ["Ana", "Zoe", ""]
    assert table.read(table.letters("done")[-1]).own.what == "accepted"


def test_the_list_leaves_out_tables_of_the_reader(table: Table) -> None:
    open_table(table)
    fay = join(table, "Fay")
    assert lists.listed(table.office, fay) == ()
    assert [one.game for one in lists.own(table.office, fay)] == [table.game]
    assert [one.game for one in lists.own(table.office, table.host)] == [table.game]
    assert lists.own(table.office, fay)[0].link == ""
    assert lists.own(table.office, table.host)[0].link.startswith("https://play.example.org/j/")


def limited(table: Table) -> Office:
    return replace(table.office, settings=replace(table.office.settings, rate_limits=True))


def test_seats_asked_for_without_an_account_are_limited_for_a_network_and_for_a_mailbox(table: Table) -> None:
    open_table(table)
    office = limited(table)
    for number in range(rate_limits.GUEST_JOINS.most):
        open_tables.ask_for_seat(office, table.game, Visitor("Zoe", f"zoe{number}@example.org", "net"), table.now)
    with pytest.raises(rate_limits.TooMuch):
        open_tables.ask_for_seat(office, table.game, Visitor("Zoe", "zoe@example.org", "net"), table.now)
    before = len(table.letters("seat-at-table"))
    for number in range(rate_limits.LOGIN_LETTERS_TO.most + 3):
        table.later(seconds=1)
        open_tables.ask_for_seat(office, table.game, Visitor("Zoe", "zoe@example.org", f"net {number}"), table.now)
    assert len(table.letters("seat-at-table")) == before + rate_limits.LOGIN_LETTERS_TO.most


def test_who_joins_and_leaves_again_and_again_comes_to_a_limit(table: Table) -> None:
    open_table(table)
    office, fay = limited(table), table.account("Fay")
    for _ in range(rate_limits.JOINS.most):
        open_tables.join(office, table.game, fay, table.now)
        open_tables.leave(office, table.game, fay, table.now)
    with pytest.raises(rate_limits.TooMuch):
        open_tables.join(office, table.game, fay, table.now)
    assert names(table) == ["Ana", "", ""]


def test_who_deletes_the_account_leaves_the_table_and_a_host_who_does_calls_it_off(table: Table) -> None:
    open_table(table)
    fay = join(table, "Fay")
    account_deletion.delete(table.office, fay, "fay@example.org", table.now)
    assert names(table) == ["Ana", "", ""]
    join(table, "Gus")
    account_deletion.delete(table.office, table.host, "ana@example.org", table.now)
    assert table.view().status == GameStatus.CANCELLED
    assert lists.listed(table.office, None) == ()
    assert refused(table, "Hal") == "This game was called off."


def news(table: Table) -> list[str]:
    """What each email of news tells the host, without the rest."""
    told = [table.read(letter) for letter in table.letters("table-news")]
    return ["; ".join(f"{kind} {person}" for kind, person in letter.own.news) for letter in told]


@pytest.mark.postgresql
def test_who_sits_down_asks_or_leaves_is_told_the_host_in_one_email_for_all_of_ten_minutes(table: Table) -> None:
    open_table(table, 4)
    fay = join(table, "Fay")
    open_tables.ask_for_seat(table.office, table.game, Visitor("Gus", "gus@example.net"), table.now)
    open_tables.leave(table.office, table.game, fay, table.now)
    (letter,) = table.letters("table-news")
    assert letter.account_id == table.host
    assert table.now < letter.next_try_at <= table.now + table_news.GATHERED + table_news.LATE
    assert news(table) == ["joined Fay; asks-seat Gus; left-table Fay"]
    table.now += table_news.GATHERED
    join(table, "Hal")
    assert news(table) == ["joined Fay; asks-seat Gus; left-table Fay", "joined Hal"]


def test_who_asks_and_sits_down_is_told_once(table: Table) -> None:
    open_table(table, 4)
    open_tables.ask_for_seat(table.office, table.game, Visitor("Gus", "gus@example.net"), table.now)
    (letter,) = table.letters("seat-at-table")
    open_tables.sit(table.office, SitClaim(table.game, letter.account_id, ""), table.now)
    assert news(table) == ["joined Gus"]


def test_news_of_a_night_are_one_email_in_the_morning(table: Table) -> None:
    open_table(table, 4)
    notifications.live(table.office, table.host, "UTC", (time(22), time(7)))
    table.now = START.replace(hour=23)
    join(table, "Fay")
    table.now += timedelta(hours=5)
    join(table, "Gus")
    (letter,) = table.letters("table-news")
    assert (letter.next_try_at.hour, letter.next_try_at.minute) == (7, 11)
    assert news(table) == ["joined Fay; joined Gus"]


def test_the_email_of_the_start_tells_a_host_who_plays_who_sits_there(table: Table) -> None:
    open_table(table)
    join(table, "Fay")
    join(table, "Gus")
    table.now += timedelta(minutes=11)
    table.send_all()
    (letter,) = table.letters("table-news")
    assert (letter.status, letter.last_error) == ("withdrawn", "the game has started or was called off")


def test_news_of_a_table_can_be_stopped_and_a_game_for_invited_people_has_none(table: Table) -> None:
    open_table(table, 4)
    join(table, "Fay")
    table.put(insert(Stop).values(account_id=table.host, game_id="", kind="table-news", since=table.now))
    table.now += timedelta(minutes=11)
    table.send_all()
    (letter,) = table.letters("table-news")
    assert letter.status == "withdrawn"
    table.open()
    table.answer(1)
    assert len(table.letters("table-news")) == 1


def test_the_page_of_a_game_names_nobody_who_only_asked(table: Table) -> None:
    open_table(table)
    open_tables.ask_for_seat(table.office, table.game, Visitor("Gus", "gus@example.net"), table.now)
    assert kinds(table) == ["opened"]


def finish(table: Table, name: str, games: int) -> None:
    """Somebody has finished so many games; the table at hand stays."""
    here = table.game
    for _ in range(games):
        table.open(names=("Ana", name, "Hal"))
        table.put(update(Game).where(Game.id == table.game).values(status=GameStatus.OVER))
    table.game = here


TOO_NEW = "To sit here you must have finished 3 games. You have finished {}, so {} missing."


@pytest.mark.postgresql
def test_who_has_finished_too_few_games_is_refused_and_told_by_how_much(table: Table) -> None:
    open_table(table, experience="some")
    assert refused(table, "Fay") == TOO_NEW.format(0, "3 are")
    finish(table, "Fay", 2)
    assert refused(table, "Fay") == TOO_NEW.format(2, "1 is")
    finish(table, "Fay", 1)
    join(table, "Fay")
    assert names(table) == ["Ana", "Fay", ""]


def test_the_terms_bind_who_comes_by_the_link_of_the_host_the_link_of_an_email_or_a_reply(table: Table) -> None:
    open_table(table, experience="much", listed=False)
    key, sentence = key_of(table), TOO_NEW.replace("3", "10").format(0, "10 are")
    assert refused(table, "Fay", key) == sentence
    open_tables.ask_for_seat(table.office, table.game, Visitor("Zoe", "zoe@example.org"), table.now, key)
    (letter,) = table.letters("seat-at-table")
    with pytest.raises(NotNow) as caught:
        open_tables.sit(table.office, SitClaim(table.game, letter.account_id, key), table.now)
    assert str(caught.value.sentence) == sentence
    mail = incoming.Mail("yes", "zoe@example.org", "<1@example.org>", "yes")
    assert incoming.take(table.office, letter.id, mail, table.now) == incoming.NOTHING
    assert names(table) == ["Ana", "", ""]


@pytest.mark.parametrize("experience", ["any", "beginners"])
def test_where_no_games_are_asked_for_everybody_sits_down(table: Table, experience: str) -> None:
    open_table(table, experience=experience)
    join(table, "Fay")
    assert names(table) == ["Ana", "Fay", ""]


def test_who_is_invited_sits_down_whatever_others_must_have_played(table: Table) -> None:
    table.open(names=("Ana", "Fay"), open_to=Terms(1, DATE, experience="much"))
    assert lists.table(table.office, table.game, table.account("Fay")).too_new is None
    join(table, "Fay")
    assert names(table) == ["Ana", "Fay", ""]


def test_the_list_leaves_out_what_is_not_for_its_reader_and_the_page_says_why(table: Table) -> None:
    open_table(table, experience="some")
    fay = table.account("Fay")
    assert lists.listed(table.office, fay) == ()
    assert str(lists.table(table.office, table.game, fay).too_new) == TOO_NEW.format(0, "3 are")
    assert len(lists.listed(table.office, None)) == 1
    finish(table, "Fay", 3)
    assert len(lists.listed(table.office, fay)) == 1
