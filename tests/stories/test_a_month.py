"""A month of a game: Ben vanishes, Cleo is on holiday, mails to Davi come back, the server is away for two days.

It is one test because it is one story; each chapter is a function that tells what happens and checks what everybody
was told of it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.service.people import absences, bounces
from pbem.service.turns import caretaker
from tests.databases import Sqlite
from tests.stories.world import TELLS, World
from tests.table import Table


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Four people; it is Friday, 20 November 2026."""
    table = Table(Sqlite(tmp_path).fresh(), tmp_path)
    yield World(table, monkeypatch, "Ana", "Ben", "Cleo", "Davi")
    table.close()


def test_a_month_in_which_everything_happens_ends_with_a_finished_game_and_nobody_surprised(world: World) -> None:
    ana_invites_her_friends(world)
    they_play_for_some_days(world)
    ben_vanishes_and_a_caretaker_plays_for_him(world)
    cleo_goes_on_holiday_and_everybody_knows(world)
    the_server_is_away_for_two_days(world)
    mails_to_davi_come_back_and_ana_is_told(world)
    davi_hears_of_it_and_is_back(world)
    the_game_comes_to_its_end(world)
    nobody_was_surprised(world)


def ana_invites_her_friends(world: World) -> None:
    table = world.table
    table.open(
        ["Ana", "Ben", "Cleo", "Davi"],
        turn_time=timedelta(days=1),
        bank=timedelta(days=1),
        at_zero="caretaker",
    )
    world.hour()
    assert [person.kinds() for person in world.people[1:]] == [["invitation"]] * 3
    for number in (1, 2, 3):
        table.answer(number)
    world.hour()
    assert all({"game-started", "your-turn"} & set(person.kinds()) for person in world.people)


def they_play_for_some_days(world: World) -> None:
    world.until(lambda: world.game().version >= 30, world.soon)
    assert {move.cause for move in world.view().log[1:]} == {"player"}
    assert world.changes == []


def ben_vanishes_and_a_caretaker_plays_for_him(world: World) -> None:
    """Nobody is told that Ben has gone, he just does not answer; he is asked, reminded, and played for."""
    ben = world.people[1]
    ben.reads = False
    world.until(lambda: "caretaker" in ben.kinds())
    asked = [kind for kind in ben.kinds() if kind in ("your-turn", "reminder", "caretaker")][-3:]
    assert asked == ["your-turn", "reminder", "caretaker"]
    assert [move.cause for move in world.view().log if move.seat == world.seat(ben).colour][-1] == "caretaker"
    before = len(ben.letters)
    world.until(lambda: sum(move.cause == "caretaker" for move in world.view().log) >= 5)
    assert len(ben.letters) == before, "a caretaker’s player is told once, not with every order"


def cleo_goes_on_holiday_and_everybody_knows(world: World) -> None:
    """She is away for a week; whoever waits for her knows until when, and why."""
    table, cleo = world.table, world.people[2]
    first = (table.now + timedelta(days=1)).date()
    last = first + timedelta(days=6)
    absences.add(table.office, world.seat(cleo).account_id or 0, first, last, table.now)
    world.note()
    world.until(lambda: table.now.date() >= first)
    cleo.reads = False
    assert all("away" in world.people[number].kinds() for number in (0, 1, 3))
    world.until(lambda: world.person_asked() is cleo)
    deadline = world.view().deadline
    assert deadline is not None
    assert deadline.date() > last
    assert world.view().clocks[_clock(world, 2)].away(table.now) == last
    world.until(lambda: table.now.date() > last)
    cleo.reads = True
    assert world.person_asked() is cleo, "nothing was played for her while she was away"
    world.until(lambda: world.person_asked() is not cleo)
    assert world.view().log[-1].cause in ("player", "caretaker")


def the_server_is_away_for_two_days(world: World) -> None:
    """Davi is asked when it happens; he loses no minute, and everybody hears why nothing came."""
    davi, table = world.people[3], world.table
    world.until(lambda: world.person_asked() is davi)
    davi.reads = False
    world.until(lambda: world.game().version in davi.told)
    before = world.view().deadline
    assert before is not None
    table.later(days=2)
    world.hour()
    after = world.view().deadline
    assert after is not None
    assert after - before == timedelta(days=2, minutes=10)
    assert davi.told[world.view().version] == after
    for person in world.people:
        assert person.kinds().count("clocks-moved") == 1
    davi.reads = True
    world.until(lambda: world.person_asked() is not davi)
    assert [move.cause for move in world.view().log if move.seat == world.seat(davi).colour][-1] == "player"


def mails_to_davi_come_back_and_ana_is_told(world: World) -> None:
    """His mailbox is closed. The mails stop, Ana hears of it, and in the end a caretaker plays for him."""
    ana, davi = world.people[0], world.people[3]
    davi.mail = False
    world.until(lambda: "mail-returned" in ana.kinds())
    assert bounces.unreachable(world.table.office, world.seat(davi).account_id or 0) is not None
    world.until(lambda: world.seat(davi).caretaker_since is not None)
    tries = [row for row in world.letters_by_person()[3] if row.status == "failed"]
    assert len(tries) <= 2, "no more is sent to a mailbox that is not there"


def davi_hears_of_it_and_is_back(world: World) -> None:
    """Ana calls him. He opens the page of the game, has his mails sent again and says that he is back."""
    davi, table = world.people[3], world.table
    davi.mail = True
    account = world.seat(davi).account_id or 0
    assert bounces.switch_on(table.office, account, table.now)
    assert caretaker.back(table.office, table.game, account, table.now)
    world.note()
    asked = len(davi.letters)
    world.until(lambda: any(letter.envelope.kind == "your-turn" for letter in davi.letters[asked:]))
    played = world.view().version
    world.until(
        lambda: any(m.seat == world.seat(davi).colour and m.cause == "player" for m in world.view().log[played:])
    )


def the_game_comes_to_its_end(world: World) -> None:
    world.until(lambda: world.game().status == "over", world.soon)
    world.hour()
    view = world.view()
    assert view.sheet.over(view.state)
    assert len(view.standings) == 4
    assert all(person.kinds()[-1] == "game-over" for person in world.people)
    assert world.table.now < datetime(2026, 12, 31, tzinfo=UTC), "it took not much more than a month"


def nobody_was_surprised(world: World) -> None:
    """Every change of a deadline was told by a letter, and no time ended before the moment its player had been told."""
    written = world.letters_by_person()
    for change in world.changes:
        kinds = {row.kind for row in written[change.number] if abs(row.created_at - change.at) <= timedelta(minutes=10)}
        assert kinds & TELLS, f"nobody told {world.people[change.number].name} of {change}"
    assert world.changes
    view, cared = world.view(), set[str]()
    for move in view.log[1:]:
        person = next(person for person in world.people if world.seat(person).colour == move.seat)
        if move.cause == "caretaker" and move.seat not in cared and move.number - 1 not in world.unreached:
            assert person.told[move.number - 1] <= move.at
        if move.cause == "caretaker":
            cared.add(move.seat)
        else:
            cared.discard(move.seat)
    assert {move.cause for move in view.log[1:]} == {"player", "caretaker"}


def _clock(world: World, number: int) -> int:
    """Where the clock of a person stands among the clocks."""
    colour = world.seat(world.people[number]).colour
    return next(n for n, clock in enumerate(world.view().clocks) if clock.seat == colour)
