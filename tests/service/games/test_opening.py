"""What a host may fill in, and what is told when it will not do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.language import reading
from pbem.mail.compose import compose
from pbem.service import BadInput
from pbem.service.games.new_games import Invited
from pbem.service.letter_views import correspondence
from pbem.service.people import accounts
from pbem.store.tables import Account
from tests.mail.arriving import arrived
from tests.speaking import angled, spoken_as
from tests.table import Table


def problems(table: Table, **changes: object) -> list[str]:
    with pytest.raises(BadInput) as caught:
        table.open(**changes)  # type: ignore[arg-type]
    assert table.letters() == []
    return [problem.field for problem in caught.value.problems]


def test_a_title_has_a_sensible_length(table: Table) -> None:
    assert problems(table, title="x" * 10_000) == ["title"]


@pytest.mark.parametrize("title", ["", "  \n"])
def test_a_game_without_a_title_is_called_by_its_map(table: Table, title: str) -> None:
    table.open(title=title)
    assert table.view().title == table.view().sheet.name


def test_markup_and_line_breaks_in_names_are_kept_as_harmless_text(table: Table) -> None:
    table.open(title="<b>Coal</b>\nby\tpost", players=(Invited("b@x", "<i>Ben</i>\r\nBcc: all"), Invited("c@x")))
    assert table.view().title == "<b>Coal</b> by post"
    assert [seat.name for seat in table.view().seats] == ["Ana", "<i>Ben</i> Bcc: all", "C"]


def test_all_that_is_wrong_is_told_at_once(table: Table) -> None:
    players = (Invited("nonsense"), Invited("b@x", "n" * 99), Invited("B@X"))
    assert problems(table, title="x" * 99, players=players, turn_time=timedelta(seconds=1)) == [
        "title", "turn_time", "players.0", "players.1", "players.2",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [0, 1, 6, 300])
def test_too_few_and_too_many_players_are_told(table: Table, number: int) -> None:
    assert problems(table, players=tuple(Invited(f"p{n}@example.org") for n in range(number))) == ["players"]


def test_an_unknown_map_is_told(table: Table) -> None:
    assert problems(table, map="atlantis") == ["map"]


def test_an_unknown_choice_is_told(table: Table) -> None:
    assert problems(table, options={"colour": "mauve"}) == ["options.colour"]


def test_the_host_cannot_be_invited(table: Table) -> None:
    players = (Invited("b@x"), Invited("Ana@example.org"))
    assert problems(table, players=players) == ["players.1"]


def test_two_players_of_one_name_can_be_told_apart(table: Table) -> None:
    table.open(players=(Invited("a@x", "ana"), Invited("b@x", "Ana")))
    assert [seat.name for seat in table.view().seats] == ["Ana", "ana 2", "Ana 3"]


@pytest.mark.postgresql
def test_ids_of_games_are_short_and_lower_case(table: Table) -> None:
    ids = {table.open() for _ in range(20)}
    assert len(ids) == 20
    assert all(len(name) == 7 and name == name.lower() and name.isalnum() for name in ids)


@pytest.mark.postgresql
def test_who_is_invited_by_the_address_alone_is_not_named_before_accepting(table: Table) -> None:
    with table.office.write() as session:
        known = accounts.account(session, "zoe.x@example.org", "Zoe Secret", table.now).id
    addresses = ("zoe.x@example.org", "new.x@example.org", "zoe.x@example.com")
    table.open(players=tuple(Invited(address) for address in addresses))
    assert names_of(table) == ["Ana", "Zoe.x", "New.x", "Zoe.x 2"]
    accounts.rename(table.office, known, "Zoe Known")
    table.answer(2, accept=False)
    table.answer(1)
    table.answer(3)
    assert names_of(table) == ["Ana", "Zoe Known", "New.x", "Zoe.x 2"]


def test_a_name_that_the_host_has_typed_stays(table: Table) -> None:
    with table.office.write() as session:
        accounts.account(session, "zoe@example.org", "Zoe Secret", table.now)
    table.open(players=(Invited("zoe@example.org", "My neighbour"), Invited("ben@example.org", "Ben")))
    table.answer(1)
    assert names_of(table) == ["Ana", "My neighbour", "Ben"]


def names_of(table: Table) -> list[str]:
    return [seat.name for seat in table.view().seats]


def test_an_invitation_is_in_the_language_of_the_host_or_the_one_that_the_host_names(table: Table) -> None:
    with spoken_as(angled), spoken_as(angled, "es"), reading("pl"):
        table.open(players=(Invited("a.x@example.org"), Invited("b.x@example.org", language="es")))
        with table.office.write() as session:
            again = accounts.account(session, "b.x@example.org", "", table.now)
        assert again.language == "es"
    with table.office.read() as session:
        chosen = {row.address: row.language for row in session.scalars(select(Account))}
    assert (chosen["a.x@example.org"], chosen["b.x@example.org"]) == ("pl", "es")
    with spoken_as(angled):
        draft = correspondence.letter(table.office, table.letters("invitation")[0].id, table.now)
        email = arrived(compose(draft.view, None))
    assert "«" in str(email["Subject"])
    assert '<html lang="pl">' in email.get_body(("html",)).get_content()  # type: ignore[union-attr]
