"""Locks: one transaction at a time changes a game, one worker takes a letter, and nobody waits in a ring."""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.base import queries
from pbem.service.games import departures, ending, opening, pauses, seat_changes, takeback, views, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters import digests, outbox, talk, webhook_messages
from pbem.service.orders import deadlines, submissions
from pbem.service.people import absences, accounts, bounces, notifications, webhooks
from pbem.service.turns import outages
from pbem.store import restore
from pbem.store.backup import back_up
from pbem.store.database import Database
from pbem.store.tables import Game, Letter, Offer, Vote, WebhookMessage
from tests.databases import Sqlite
from tests.storm.verdict import faults_of
from tests.table import Table

pytestmark = pytest.mark.postgresql  # locks

WAITS = 0.3
"""Seconds after which somebody who is not done is waiting."""
PATIENCE = 60.0


@contextmanager
def held(table: Table, lock: Callable[[Session], object]) -> Iterator[None]:
    """Another connection that has locked something, for the length of the ``with``."""
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        with table.office.write() as session:
            lock(session)
            locked.set()
            done.wait(PATIENCE)

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(PATIENCE)
    try:
        yield
    finally:
        done.set()
        holder.join(PATIENCE)


def on_postgresql(table: Table) -> bool:
    return table.office.database.engine.dialect.name == "postgresql"


WRITERS: dict[str, Callable[[Table], object]] = {
    "submit": lambda t: t.send("pass"),
    "play": lambda t: submissions.play_waiting(t.office, t.game, t.now),
    "deadline": lambda t: deadlines.deadline(t.office, t.game, t.now),
    "ask for a pause": lambda t: votes.ask(t.office, t.game, 0, Pausing(), t.now),
    "end a pause": lambda t: pauses.end(t.office, t.game, 0, t.now),
    "vote": lambda t: votes.answer(t.office, t.game, 1, 0, True, t.now),
    "ask to end": lambda t: votes.ask(t.office, t.game, 0, EndingEarly(), t.now),
    "finish": lambda t: ending.finish(t.office, t.game, t.now),
    "take back": lambda t: takeback.take_back(t.office, t.game, 0, t.now),
    "ask to take back": lambda t: votes.ask(t.office, t.game, 0, TakingBack(), t.now),
    "resign": lambda t: departures.resign(t.office, t.game, 0, t.now),
    "remove": lambda t: departures.remove(t.office, t.game, t.host, 1, t.now),
    "hand over": lambda t: seat_changes.hand_over(t.office, t.game, t.host, 1, t.now),
    "talk": lambda t: talk.post(t.office, t.game, 0, "Hello", t.now),
    "be away": lambda t: absences.add(t.office, t.host, t.now.date(), t.now.date(), t.now),
    "an outage": lambda t: outages.beat(t.office, t.now + timedelta(hours=3)),
}


def all_wait(
    table: Table, lock: Callable[[Session], object], act: Callable[[str], None], names: Sequence[str], ended: list[str]
) -> None:
    """Whoever acts at the same time, one for each name, waits while the lock is held, and comes to an end after it."""
    threads = [threading.Thread(target=act, args=(name,)) for name in names]
    with held(table, lock):
        for thread in threads:
            thread.start()
        time.sleep(WAITS)
        assert ended == []
    for thread in threads:
        thread.join(PATIENCE)


@pytest.mark.parametrize("part", [0, 1])
def test_whoever_changes_a_game_waits_for_whoever_does(dealt: Table, part: int) -> None:
    """In two parts, so that there is a connection for everybody."""
    outages.beat_on(dealt.office, dealt.now)
    ended: list[str] = []

    def act(name: str) -> None:
        with contextlib.suppress(NotNow, NoSuch, BadInput):  # not for now: it had to look to know that
            WRITERS[name](dealt)
        ended.append(name)

    names = sorted(WRITERS)[part::2]
    all_wait(dealt, lambda session: queries.locked(session, dealt.game), act, names, ended)
    assert sorted(ended) == names


def test_a_game_that_is_locked_keeps_nobody_from_other_games_and_from_reading(table: Table) -> None:
    if not on_postgresql(table):
        return  # SQLite has one lock for everything, and readers never wait: tests/runtime/test_hammer.py
    table.start()
    first = table.game
    table.start(title="Another")
    with held(table, lambda session: queries.locked(session, first)):
        assert table.play().status == "played"
        other, table.game = table.game, first
        assert table.view().status == "running"
        table.game = other


def test_letters_can_point_to_a_game_and_an_account_that_are_locked(table: Table) -> None:
    if not on_postgresql(table):
        return  # SQLite has one lock for everything
    table.start()
    for lock in (
        lambda session: queries.locked(session, table.game),
        lambda session: queries.account(session, table.host),
    ):
        with held(table, lock), table.office.write() as session:
            session.execute(text("SET LOCAL lock_timeout = '5s'"))
            row = {"kind": "test", "key": f"{lock}", "account_id": table.host, "game_id": table.game, "data": {}}
            session.add(Letter(**row, next_try_at=table.now, created_at=table.now))


def test_an_outage_takes_the_games_by_id_however_they_lie_on_the_disk(table: Table) -> None:
    if not on_postgresql(table):
        return  # SQLite has one lock for everything
    table.start()
    first = table.game
    table.start(title="Another")
    low, high = sorted((first, table.game))
    outages.beat_on(table.office, table.now)
    with table.office.write() as session:  # a row that is written again lies behind the others
        session.execute(update(Game).where(Game.id == low).values(title="Written last"))
    beat = threading.Thread(target=outages.beat, args=(table.office, table.now + timedelta(hours=3)))
    with held(table, lambda session: queries.locked(session, low)):
        beat.start()
        time.sleep(WAITS)
        assert beat.is_alive()
        with table.office.write() as session:
            free = select(Game.id).where(Game.id == high).with_for_update(nowait=True, key_share=True)
            assert session.scalar(free) == high
    beat.join(PATIENCE)
    assert not beat.is_alive()


def test_a_letter_in_the_hands_of_one_worker_is_passed_over_by_the_next(dealt: Table) -> None:
    """On PostgreSQL at once; on SQLite there is one writer at a time, and the second finds the letter taken."""
    row = next(row for row in dealt.letters(status="waiting") if row.kind == "your-turn")
    for other in dealt.letters(status="waiting"):
        if other.id < row.id:
            outbox.claim(dealt.office, other.id, dealt.now)
            outbox.sent(dealt.office, other.id, dealt.now)
    if on_postgresql(dealt):
        lock = select(Letter).where(Letter.id == row.id).with_for_update()
        with held(dealt, lambda session: session.scalar(lock)):
            began = time.monotonic()
            assert outbox.claim(dealt.office, row.id, dealt.now) is None
            assert time.monotonic() - began < PATIENCE / 2, "it waited for the other instead of passing the letter over"
    taken: list[bool] = []
    workers = [
        threading.Thread(target=lambda: taken.append(bool(outbox.claim(dealt.office, row.id, dealt.now))))
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(taken) == [False, False, False, True]


def test_two_wishes_about_the_emails_of_a_game_wait_for_each_other(dealt: Table) -> None:
    """There is no row of the game's own yet, so it is the account's that they wait for."""
    wishes = ("mute", "digest")
    ended: list[str] = []

    def act(wish: str) -> None:
        notifications.differ(dealt.office, dealt.host, dealt.game, wish)
        ended.append(wish)

    all_wait(dealt, lambda session: queries.account(session, dealt.host), act, wishes, ended)
    assert sorted(ended) == sorted(wishes)
    (kept,) = (one.mails for one in notifications.games(dealt.office, dealt.host) if one.game == dealt.game)
    assert kept in wishes


def test_a_message_to_a_webhook_in_other_hands_is_passed_over(dealt: Table) -> None:
    webhooks.add(dealt.office, dealt.host, "discord", "https://discord.com/api/webhooks/1/x", "", dealt.now)
    webhook = webhooks.mine(dealt.office, dealt.host)[0].id
    webhooks.test(dealt.office, dealt.host, webhook, dealt.now)
    (message,) = dealt.rows(select(WebhookMessage.id))
    if on_postgresql(dealt):
        lock = select(WebhookMessage).where(WebhookMessage.id == message).with_for_update()
        with held(dealt, lambda session: session.scalar(lock)):
            assert webhook_messages.claim(dealt.office, message, dealt.now) is None
    assert webhook_messages.claim(dealt.office, message, dealt.now) is not None
    assert webhook_messages.claim(dealt.office, message, dealt.now) is None


def replayed(session: Session) -> None:
    """Every position is the one its orders lead to."""
    for game in session.scalars(select(Game).where(Game.started_at.is_not(None))):
        assert list(faults_of(session, game)) == []


class ManyPlayers:
    """People who do everything to the same two games at the same time, each in a thread."""

    def __init__(self, table: Table, seconds: float) -> None:
        self.table, self.until = table, time.monotonic() + seconds
        self.games: list[str] = []
        self.broken: list[BaseException] = []
        self.done = 0
        for title in ("First", "Second"):
            table.start(title=title, grace=timedelta(minutes=10))
            self.games.append(table.game)
        outages.beat_on(table.office, table.now)
        with table.office.read() as session:
            self.people = [seat.account_id or 0 for seat in queries.seats(session, table.game)]

    def run(self, threads: int, least: int) -> None:
        """Let them, until the time is over and each has done ``least`` things."""
        started = [threading.Thread(target=self._live, args=(seed, least)) for seed in range(threads)]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()

    def _live(self, seed: int, least: int) -> None:
        luck = random.Random(seed)
        acts = list(self._acts(luck).values())
        number = 0
        try:
            while not self.broken and (time.monotonic() < self.until or number < least):
                number += 1
                with contextlib.suppress(NotNow, NoSuch, BadInput):
                    luck.choice(acts)()
                self.done += 1
        except BaseException as error:
            self.broken.append(error)
            raise

    def _acts(self, luck: random.Random) -> dict[str, Callable[[], object]]:
        office, table = self.table.office, self.table

        def game() -> str:
            return luck.choice(self.games)

        def seat() -> int:
            return luck.randrange(4)

        def person() -> int:
            return luck.choice(self.people)

        def answer() -> None:
            view = views.game(office, game())
            order = str(view.sheet.default(view.state))
            submissions.submit(
                office,
                view.id,
                submissions.NewSubmission(view.waiting_for or "red", order, view.version, "api"),
                table.now,
            )
            submissions.play_waiting(office, view.id, table.now)

        def vote() -> None:
            with office.read() as session:
                found = session.scalars(select(Vote).where(Vote.status == "open")).all()
            if found:
                asked = luck.choice(found)
                votes.answer(office, asked.game_id, asked.id, seat(), luck.random() < 0.5, table.now)

        def sit() -> None:
            with office.read() as session:
                found = session.scalars(select(Offer.id).where(Offer.closed_at.is_(None))).all()
            if found:
                seat_changes.take(office, luck.choice(found), person(), table.now)

        def post() -> None:
            with office.read() as session:
                found = session.scalars(select(Letter.id).where(Letter.status == "waiting")).all()
            if found and outbox.claim(office, number := luck.choice(found), table.now):
                if luck.random() < 0.5:
                    outbox.sent(office, number, table.now)
                    bounces.returned(office, number, "5.1.1", "no such mailbox", table.now)
                else:
                    outbox.failed(office, number, "450 later", table.now)

        def rest() -> None:
            day = date(2026, 12, 1) + timedelta(days=luck.randrange(300))
            absences.add(office, person(), day, day, table.now)
            for absence in absences.of(office, (who := person()), table.now):
                absences.remove(office, who, absence.id, table.now)

        def invite() -> None:
            new = [opening.Invited(f"new{luck.randrange(6)}@example.org") for _ in range(3)]
            guests = tuple({guest.address: guest for guest in new}.values())
            opening.open_game(office, person(), opening.NewGame("More", "age-of-steam", "rust_belt", guests), table.now)

        return {
            "answer": answer, "vote": vote, "sit": sit, "post": post, "rest": rest, "invite": invite,
            "deadline": lambda: deadlines.deadline(office, game(), table.now + timedelta(days=30)),
            "remind": lambda: deadlines.remind(office, game(), table.now + timedelta(days=2)),
            "pause": lambda: votes.ask(office, game(), seat(), Pausing(), table.now),
            "go on": lambda: pauses.end(office, game(), seat(), table.now),
            "take back": lambda: takeback.take_back(office, game(), seat(), table.now),
            "ask to take back": lambda: votes.ask(office, game(), seat(), TakingBack(), table.now),
            "resign": lambda: departures.resign(office, game(), seat(), table.now) if luck.random() < 0.2 else None,
            "talk": lambda: talk.post(office, game(), seat(), "Hello", table.now),
            "outage": lambda: outages.beat(office, table.now + timedelta(hours=luck.randrange(100))),
            "digest": lambda: digests.make(office, person(), table.now + timedelta(days=2)),
            "works again": lambda: bounces.switch_on(office, person(), table.now),
            "differ": lambda: notifications.differ(office, person(), game(), luck.choice(("mute", "digest", ""))),
            "rename": lambda: accounts.rename(office, person(), f"Name {luck.randrange(9)}"),
            "want seats": lambda: accounts.want(office, person(), "substitute", True),
            "log in": lambda: accounts.ask_login(office, f"new{luck.randrange(6)}@example.org", table.now),
        }  # fmt: skip


def test_whatever_people_do_nobody_waits_in_a_ring(table: Table, sqlite: Sqlite, tmp_path: Path) -> None:
    """And what is backed up meanwhile is a state that was."""
    players = ManyPlayers(table, seconds=3)
    others = threading.Thread(target=players.run, args=(6, 25))
    others.start()
    while players.done < 10 and others.is_alive():
        time.sleep(0.01)
    back_up(table.office.database.engine, tmp_path / "file", "key", table.now)
    others.join()
    assert players.broken == []
    with table.office.read() as session:
        replayed(session)
    copy = Database(sqlite.fresh())
    with copy.write() as session:
        restore.put(session.connection(), tmp_path / "file", ("key",))
        replayed(session)
    copy.close()
    if on_postgresql(table):
        with table.office.database.engine.connect() as connection:
            found = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
            assert connection.scalar(text(found)) == 0
