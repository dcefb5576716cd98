"""People with whom somebody plays or has played are invited by their names; their addresses are told to nobody."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from pbem.service import BadInput, NotNow
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import companions, invitations, opening
from pbem.service.games.opening import Invited
from pbem.service.games.terms import Terms
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Account, Block, Game
from tests.table import Table


def offered(table: Table, name: str = "Ana", game: str = "") -> list[str]:
    return [one.name for one in companions.recent(table.office, table.account(name), game)]


def known(table: Table, *names: str) -> tuple[Invited, ...]:
    return tuple(Invited(account=table.account(name)) for name in names)


def started(table: Table, *names: str) -> None:
    """A game of Ana with these people, later than all before it."""
    table.now += timedelta(hours=1)
    table.open(names=("Ana", *names))
    for number in range(1, len(names) + 1):
        table.answer(number)


@pytest.mark.postgresql
def test_people_of_games_that_were_dealt_are_offered_those_of_the_latest_first(table: Table) -> None:
    started(table, "Ben", "Chloé")
    started(table, "Eva", "Ben")
    table.open(names=("Ana", "Fay", "Gus"))
    assert offered(table) == ["Eva", "Ben", "Chloé"]
    assert offered(table, "Ben") == ["Ana", "Eva", "Chloé"]
    table.put(update(Game).values(status=GameStatus.CANCELLED).where(Game.id == table.game))
    assert offered(table, "Fay") == []


def test_who_sits_at_the_table_already_is_not_offered_for_it(table: Table) -> None:
    started(table, "Ben", "Chloé")
    table.open(names=("Ana", "Ben", "Fay"))
    assert offered(table, game=table.game) == ["Chloé"]


@pytest.mark.postgresql
@pytest.mark.parametrize("by_ana", [True, False])
def test_nobody_is_offered_of_whom_one_has_blocked_the_other(table: Table, by_ana: bool) -> None:
    started(table, "Ben", "Chloé")
    ana, ben = table.account("Ana"), table.account("Ben")
    pair = (ana, ben) if by_ana else (ben, ana)
    table.put(insert(Block).values(account_id=pair[0], blocked_id=pair[1], name="x", since=table.now))
    assert offered(table) == ["Chloé"]
    with pytest.raises(BadInput, match="with whom you play"):
        table.open(names=("Ana",), players=known(table, "Ben", "Chloé"))


def test_whose_account_is_barred_or_deleted_is_not_offered(table: Table) -> None:
    started(table, "Ben", "Chloé", "Eva")
    for name, change in (("Ben", {"barred_at": table.now}), ("Eva", {"deleted_at": table.now})):
        table.put(update(Account).where(Account.id == table.account(name)).values(**change))
    assert offered(table) == ["Chloé"]


@pytest.mark.postgresql
def test_who_is_invited_by_name_gets_the_email_and_is_called_as_the_host_knows_them(table: Table) -> None:
    started(table, "Ben", "Chloé")
    table.open(names=("Ana",), players=(Invited("fay@example.org"), *known(table, "Ben")))
    assert [(seat.name, seat.status) for seat in table.view().seats] == [
        ("Ana", SeatStatus.ACCEPTED), ("Fay", SeatStatus.INVITED), ("Ben", SeatStatus.INVITED),
    ]  # fmt: skip
    letters = [letter for letter in table.letters("invitation") if letter.game_id == table.game]
    assert [letter.account_id for letter in letters] == [table.account("Fay"), table.account("Ben")]


def test_strangers_cannot_be_invited_by_the_numbers_of_their_accounts(table: Table) -> None:
    started(table, "Ben", "Chloé")
    table.account("Zoe")
    for players in (known(table, "Ben", "Zoe"), (Invited(account=999), *known(table, "Ben"))):
        with pytest.raises(BadInput, match="with whom you play"):
            table.open(names=("Ana",), players=players)


def test_no_problem_tells_the_address_of_who_was_invited_by_name(table: Table) -> None:
    started(table, "Ben", "Chloé")
    with pytest.raises(BadInput) as caught:
        table.open(names=("Ana",), players=(*known(table, "Ben"), *known(table, "Ben")))
    (problem,) = caught.value.problems
    assert (problem.field, str(problem.sentence)) == ("known", "Ben is listed twice.")


@pytest.mark.postgresql
def test_a_free_seat_of_a_table_is_offered_to_somebody_by_name(table: Table) -> None:
    started(table, "Ben", "Chloé")
    table.open(names=("Ana",), open_to=Terms(2, table.now + timedelta(days=7)))
    invite = invitations.invite_companion
    invite(table.office, table.game, table.host, 1, table.account("Ben"), table.now)
    assert [seat.name for seat in table.view().seats] == ["Ana", "Ben", ""]
    with pytest.raises(NotNow, match="Ben is invited already, or plays"):
        invite(table.office, table.game, table.host, 2, table.account("Ben"), table.now)
    with pytest.raises(NotNow, match="with whom you play"):
        invite(table.office, table.game, table.host, 2, table.account("Zoe"), table.now)
    opening.answer(table.office, _claim(table, 1), True, table.now)
    assert table.view().seats[1].status == SeatStatus.ACCEPTED


def _claim(table: Table, number: int) -> InvitationClaim:
    return InvitationClaim(table.game, number, table.view().seats[number].holder)
