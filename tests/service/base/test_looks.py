"""In one look nothing is read twice, and what was written meanwhile is read anew."""

from __future__ import annotations

import pytest

from pbem.service.games import answering, members, views
from pbem.service.letters import talk
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from tests.table import Table


def look_around(table: Table) -> tuple[object, ...]:
    """Everything that the page of a game asks, by the first player."""
    office, game = table.office, table.game
    return (
        views.game(office, game),
        views.seat_of(office, game, table.host),
        members.company(office, game, 0, table.host, table.now),
        talk.said(office, game),
        talk.note(office, game, table.host),
        audit_log.of_game(office, game),
        accounts.of_seat(office, game, 0),
        accounts.how_a_seat_reads(office, game, 0),
    )


@pytest.fixture
def game(table: Table) -> Table:
    """Orders were played, missed and taken back; people talk, vote and are away."""
    table.start()
    table.play()
    talk.post(table.office, table.game, 1, "Nice link!", table.now)
    talk.write_note(table.office, table.game, table.host, "Buy shares.", table.now)
    return table


def test_one_look_tells_the_same_as_many(game: Table) -> None:
    many = look_around(game)
    with game.office.one_look():
        assert look_around(game) == many


def test_what_is_written_in_a_look_is_read_anew(game: Table) -> None:
    with game.office.one_look():
        assert talk.note(game.office, game.game, game.host) == "Buy shares."
        talk.write_note(game.office, game.game, game.host, "Sell.", game.now)
        assert talk.note(game.office, game.game, game.host) == "Sell."


def test_a_look_that_has_ended_is_over(game: Table) -> None:
    with game.office.one_look():
        before = views.game(game.office, game.game)
    game.play()
    assert views.game(game.office, game.game).version == before.version + 1
    with game.office.one_look():
        assert views.game(game.office, game.game).version == before.version + 1


def test_a_single_question_in_one_look_sees_its_state(game: Table) -> None:
    office, version = game.office, game.view().version
    seat = game.view().waiting_for
    with office.one_look():
        before = answering.player(office, game.game, seat).game.version
    assert before == version
    game.play()
    assert answering.player(office, game.game, seat).game.version == game.view().version > version
