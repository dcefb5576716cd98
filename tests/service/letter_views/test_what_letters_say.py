"""What a letter holds beside its question: links, threads, the news of clocks, and whom it is about."""

import re
from datetime import UTC, date, datetime, timedelta

from msgspec.structs import asdict
from sqlalchemy import update

from pbem.service.base import NewLetter, queries
from pbem.service.base.queries import LogPart
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import takeback, views
from pbem.service.letter_views import correspondence
from pbem.service.letters.kinds.accounts import AccountDeleted, DeliveryTest
from pbem.service.letters.kinds.clocks import Away, Paused, Resumed
from pbem.service.letters.kinds.declaration import LAST
from pbem.service.letters.kinds.orders import Played
from pbem.service.orders import deadlines
from pbem.service.people import accounts
from pbem.store.tables import Letter, Move, Submission
from pbem.views.letters import LetterView, Links
from tests.table import Table


def one(table: Table, kind: str, account: int = 0) -> Letter:
    """The last letter of a kind, to an account or to anybody."""
    return [row for row in table.letters(kind) if account in (0, row.account_id)][-1]


def said(table: Table, kind: str, account: int = 0) -> LetterView:
    return table.read(one(table, kind, account))


def test_a_letter_is_named_after_its_game_position_seat_and_kind(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    row = one(dealt, "your-turn")
    seat = dealt.number(dealt.view().waiting_for)
    about = re.escape(f"{dealt.game}.v1.p{seat}.your-turn")
    assert re.fullmatch(rf"<{about}\.[a-z2-7]{{16}}@play\.example\.org>", dealt.read(row).envelope.message_id)


def test_a_letter_about_a_game_hangs_on_the_first_that_was_sent_to_its_reader_about_it(table: Table) -> None:
    table.open()
    assert said(table, "invitation", 2).envelope.thread_id == ""
    table.send_all()
    for number in range(1, 4):
        table.answer(number)
    table.send_all()
    table.play()
    firsts = {row.account_id: row for row in reversed(table.letters(status="sent"))}
    assert {row.kind for row in firsts.values()} == {"invitation", "game-started"}
    for row in table.letters():
        first = firsts[row.account_id]
        assert table.read(row).envelope.thread_id == ("" if row.id == first.id else first.message_id)


def test_no_letter_hangs_on_one_that_was_never_sent(table: Table) -> None:
    table.open()
    for number in range(1, 4):
        table.answer(number)
    assert {row.kind for row in table.letters(status="waiting")} == {"invitation", "game-started", "your-turn"}
    assert {table.read(row).envelope.thread_id for row in table.letters()} == {""}


def test_a_letter_without_a_game_is_named_after_its_kind_and_answers_no_other(table: Table) -> None:
    accounts.ask_login(table.office, "ana@example.org", table.now)
    with table.office.work(table.now) as work:
        work.write(NewLetter(DeliveryTest(), "a test", 1))
    for kind in ("login", "test"):
        row = one(table, kind)
        assert re.fullmatch(rf"<{kind}\.[a-z2-7]{{16}}@play\.example\.org>", table.read(row).envelope.message_id)
        assert table.read(row).envelope.thread_id == ""


def test_an_invitation_has_links_to_accept_and_to_decline_and_no_other_letter_has(table: Table) -> None:
    table.open()
    row, to = one(table, "invitation", 3), table.office.addresses
    assert table.read(row).own.host == "Ana"
    assert table.read(row).envelope.name == "Chloé"
    assert table.read(row).links == Links(
        game=to.game(table.game),
        map=to.map("rust_belt"),
        rulings=to.rulings("age-of-steam"),
        seat=to.seat(table.game, 2),
        account=to.account(),
        unsubscribe=to.unsubscribe(3, table.game, "invitation"),
    )
    accept, decline = (to.invitation(table.game, 2, answer) for answer in ("accept", "decline"))
    first_game = (
        f"https://play.example.org/first-game?invitation={table.office.tokens.make(InvitationClaim(table.game, 2))}"
    )
    own = table.read(row).own
    assert (own.host, own.accept, own.decline, own.first_game) == ("Ana", accept, decline, first_game)
    for number in range(1, 4):
        table.answer(number)
    assert said(table, "game-started", 3).links == Links(
        game=to.game(table.game),
        map=to.map("rust_belt"),
        rulings=to.rulings("age-of-steam"),
        seat=to.seat(table.game, 2),
        account=to.account(),
        unsubscribe=to.unsubscribe(3, table.game, "game-started"),
    )


def test_a_host_who_does_not_play_is_named_as_the_account_is(table: Table) -> None:
    table.open()
    assert said(table, "invitation", 2).own.host == "Ana"
    with table.office.write() as session:
        other = accounts.account(session, "fay@example.org", "Fay", table.now)
        session.flush()
        queries.locked(session, table.game).host_id = other.id
    assert said(table, "invitation", 2).own.host == "Fay"
    with table.office.write() as session:
        queries.locked(session, table.game).host_id = None
    assert said(table, "invitation", 2).own.host == ""


def test_a_letter_about_no_orders_tells_of_none(dealt: Table) -> None:
    assert said(dealt, "your-turn").own.void is None


def test_refused_orders_are_told_with_their_line_and_reason(dealt: Table) -> None:
    dealt.play("issue 1\nno such order", via="mail")
    letter = said(dealt, "refused")
    assert (letter.own.text, letter.own.line, letter.own.more) == ("issue 1\nno such order", 2, 0)
    assert letter.own.sentence.endswith(".")


def test_the_picture_of_a_letter_shows_what_has_changed_since_the_position_before(dealt: Table) -> None:
    assert correspondence.letter(dealt.office, one(dealt, "your-turn").id, dealt.now).before is None
    first = dealt.view()
    dealt.play()
    before = correspondence.letter(dealt.office, one(dealt, "your-turn").id, dealt.now).before
    assert first.sheet.encode(before) == first.sheet.encode(first.state)


def test_a_letter_tells_what_the_readers_last_own_orders_brought_about_and_what_happened_since(dealt: Table) -> None:
    asked = []
    for _ in range(6):
        asked.append((dealt.view().waiting_for, dealt.view().version))
        dealt.play()
    reader = dealt.view().waiting_for
    last = max((version + 1 for seat, version in asked if seat == reader), default=0)
    assert [move.number for move in said(dealt, "your-turn").moves] == list(range(last, 7))


def test_the_default_that_was_played_is_news_also_to_whom_it_was_played_for(dealt: Table) -> None:
    asked = dealt.view().waiting_for
    assert deadlines.deadline(dealt.office, dealt.game, dealt.later(hours=72))
    letter = said(dealt, "default-played")
    assert letter.seat == asked
    assert letter.own.orders == dealt.view().log[-1].orders
    assert letter.own.at == dealt.view().log[-1].at
    assert [move.cause for move in letter.moves if move.seat == asked] == ["deadline"]


def test_news_of_the_clocks_are_read_as_days_and_moments(dealt: Table) -> None:
    away = Away("Ben", date(2026, 12, 1), date(2026, 12, 9), before=datetime(2026, 11, 21, 18, tzinfo=UTC))
    paused = Paused("Ben", until=datetime(2026, 12, 10, 18, tzinfo=UTC))
    with dealt.office.game(dealt.game, dealt.now) as work:
        for told in (away, paused, Resumed("")):
            work.write(NewLetter(told, f"{told.kind} now", 1, game=work.game, version=0))
    assert vars(said(dealt, "away").own) == asdict(away)
    assert vars(said(dealt, "paused").own) == asdict(paused)
    assert vars(said(dealt, "resumed").own) == asdict(Resumed(""))


def test_a_part_of_the_log_is_what_the_whole_log_ends_with(table: Table) -> None:
    table.start(grace=timedelta(minutes=10))
    for number in range(9):
        asked, at = table.view().waiting_for, table.view().version
        table.play()
        if number == 4:
            takeback.take_back(table.office, table.game, table.number(asked), table.now, only=at + 1)
    with table.office.read() as session:
        for version in range(table.view().version + 1):
            whole = views.game_view(session, table.game, version).log
            for seat in (seat.seat for seat in table.view().seats):
                before = (move for move in whole if move.seat == seat and move.cause == "player")
                own = [move.number for move in before if move.counts]
                after = views.game_view(session, table.game, version, part=LogPart(since_orders_of=seat)).log
                assert after == whole[own[-1] if own else 0 :]
            assert views.game_view(session, table.game, version, part=LogPart(first=3)).log == whole[min(3, version) :]
            assert views.game_view(session, table.game, version, part=LAST).log == whole[-1:]
        assert any(move.taken_back for move in whole)


def last(table: Table, kind: str) -> LetterView:
    return table.read(table.letters(kind)[-1])


def numbers(letter: LetterView) -> list[int]:
    return [move.number for move in letter.moves]


def test_a_reminder_asks_what_the_question_asked(table: Table) -> None:
    view = table.start()
    assert deadlines.remind(table.office, table.game, table.later(hours=48))
    asked = last(table, "reminder").asked
    assert asked is not None
    assert asked.question == view.sheet.question(view.state)


def test_the_first_question_tells_the_deal_and_the_next_what_the_reader_brought_about(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    assert numbers(last(table, "your-turn")) == [0]
    asked = table.view().waiting_for
    table.play("cash")
    assert table.view().waiting_for == asked
    assert numbers(last(table, "your-turn")) == [1]


def test_orders_that_were_taken_back_are_not_the_readers_last(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    table.play("cash")
    table.put(update(Move).where(Move.number == 1).values(taken_back_by=1))
    assert numbers(last(table, "your-turn")) == [0, 1]


def test_the_confirmation_of_orders_tells_them_and_what_waits_of_them(dealt: Table) -> None:
    dealt.play("issue 1")
    dealt.play("issue 2\nbid max 1", via="mail")
    letter = last(dealt, "played")
    assert numbers(letter) == [2]
    assert ["bid max 1" in str(words) for words in letter.own.kept] == [True]


def test_the_confirmation_of_orders_that_all_wait_tells_nothing_that_happened(dealt: Table) -> None:
    dealt.play("issue 1")
    with dealt.office.game(dealt.game, dealt.now) as work:
        work.session.execute(update(Submission).values(move_number=None))
        seat = work.seats[0]
        work.write(NewLetter(Played(1), "x", 1, game=work.game, seat=seat, version=work.game.version))
    assert numbers(last(dealt, "played")) == []


def test_orders_about_which_nothing_is_said_are_refused_without_a_sentence(dealt: Table) -> None:
    dealt.play("issue 99", via="mail")
    dealt.put(update(Submission).values(sentence=None))
    own = last(dealt, "refused").own
    assert (own.text, own.sentence) == ("issue 99", "")


def test_who_declines_is_named(table: Table) -> None:
    table.open()
    table.answer(2, accept=False)
    assert last(table, "declined").own.name == "Chloé"


def test_the_last_letter_to_an_account_hangs_with_no_other(table: Table) -> None:
    table.open()
    with table.office.work(table.now) as work:
        work.write(NewLetter(AccountDeleted("ben@example.org", "Ben"), "the last", 2))
    envelope = last(table, "account-deleted").envelope
    assert (envelope.to, envelope.name, envelope.thread_id) == ("ben@example.org", "Ben", "")
    assert envelope.message_id.startswith("<account-deleted.")
