"""A game is opened, people are invited and accept, and it is dealt; what is told when something will not do."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote_plus

import pytest
from sqlalchemy import select

from pbem.language import reading
from pbem.mail.compose import compose
from pbem.service import BadInput, NotNow
from pbem.service.base.rate_limits import TooMuch
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import guests, invitations, opening
from pbem.service.games.new_games import Invited
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.people import accounts
from pbem.store.statuses import SeatStatus
from pbem.store.tables import Account
from tests.mail.arriving import arrived
from tests.service.actors import kinds
from tests.speaking import angled, spoken_as
from tests.table import Table


def problems(table: Table, **changes: object) -> list[str]:
    with pytest.raises(BadInput) as caught:
        table.open(**changes)  # type: ignore[arg-type]
    assert table.letters() == []
    return [problem.field for problem in caught.value.problems]


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


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"map": "atlantis"}, "map"),
        ({"options": {"colour": "mauve"}}, "options.colour"),
        ({"players": (Invited("b@x"), Invited("Ana@example.org"))}, "players.1"),  # the host
        *(
            ({"players": tuple(Invited(f"p{n}@example.org") for n in range(many))}, "players")
            for many in (0, 1, 6, 300)
        ),
    ],
)
def test_a_game_that_cannot_be_is_refused_at_its_field(table: Table, wrong: dict[str, object], field: str) -> None:
    assert problems(table, **wrong) == [field]


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
    known = table.account("Zoe Secret", "zoe.x@example.org")
    addresses = ("zoe.x@example.org", "new.x@example.org", "zoe.x@example.com")
    table.open(players=tuple(Invited(address) for address in addresses))
    assert names_of(table) == ["Ana", "Zoe.x", "New.x", "Zoe.x 2"]
    accounts.rename(table.office, known, "Zoe Known")
    table.answer(2, accept=False)
    table.answer(1)
    table.answer(3)
    assert names_of(table) == ["Ana", "Zoe Known", "New.x", "Zoe.x 2"]


def test_a_name_that_the_host_has_typed_stays(table: Table) -> None:
    table.account("Zoe Secret", "zoe@example.org")
    table.open(players=(Invited("zoe@example.org", "My neighbour"), Invited("ben@example.org", "Ben")))
    table.answer(1)
    assert names_of(table) == ["Ana", "My neighbour", "Ben"]


def names_of(table: Table) -> list[str]:
    return [seat.name for seat in table.view().seats]


def test_an_invitation_is_in_the_language_of_the_host_or_the_one_that_the_host_names(table: Table) -> None:
    with spoken_as(angled), spoken_as(angled, "es"), reading("pl"):
        table.open(players=(Invited("a.x@example.org"), Invited("b.x@example.org", language="es")))
        table.account("", "b.x@example.org")
    chosen = {row.address: row.language for row in table.rows(select(Account))}
    assert (chosen["a.x@example.org"], chosen["b.x@example.org"]) == ("pl", "es")
    with spoken_as(angled):
        draft = correspondence.letter(table.office, table.letters("invitation")[0].id, table.now)
        email = arrived(compose(draft.view, None))
    assert "«" in str(email["Subject"])
    assert '<html lang="pl">' in email.get_body(("html",)).get_content()  # type: ignore[union-attr]


def test_everybody_but_the_host_is_invited(table: Table) -> None:
    table.open()
    assert [table.read(row).envelope.name for row in table.letters("invitation")] == ["Ben", "Chloé", "Davi"]
    assert [seat.status for seat in table.view().seats] == ["accepted", "invited", "invited", "invited"]
    assert table.view().state is None


@pytest.mark.postgresql
def test_the_last_acceptance_deals_the_game(table: Table) -> None:
    view = table.start()
    assert (view.status, view.version, len(view.log)) == ("running", 0, 1)
    assert sorted(seat.seat for seat in view.seats) == sorted(view.sheet.colours[:4])
    assert view.log[0].cause == "start"
    assert len(table.letters("game-started")) == 4


def test_the_first_question_goes_to_the_seat_that_is_asked(table: Table) -> None:
    view = table.start()
    (row,) = table.letters("your-turn")
    letter = table.read(row)
    assert letter.seat == view.waiting_for
    assert letter.envelope.name == view.names[view.waiting_for]
    assert letter.asked is not None
    assert letter.asked.question == view.sheet.question(view.state)
    order = letter.asked.question.choices[0].order
    (address, *_) = (link.url for link in letter.asked.links({}))
    assert address == f"{letter.links.turn}?order={quote_plus(order)}"
    assert letter.links.turn.startswith("https://play.example.org/t/")


def test_every_position_of_the_game_can_be_looked_at(dealt: Table) -> None:
    dealt.play_on(3)
    latest = dealt.view()
    for number in range(4):
        view = dealt.view(number)
        assert (view.version, view.latest, len(view.log)) == (number, 3, number + 1)
    assert latest.sheet.position(dealt.view(3).state) == latest.sheet.position(latest.state)


def test_the_commitment_is_public_and_the_seed_is_not(table: Table) -> None:
    view = table.start()
    assert view.commitment == hashlib.sha256(b"seed of the tests").hexdigest()
    assert view.seed == ""


@pytest.mark.postgresql
def test_who_declines_stops_the_start_and_the_host_is_told_until_who_declined_thinks_again(table: Table) -> None:
    table.open()
    table.answer(1, accept=False)
    table.answer(2)
    table.answer(3)
    assert table.view().status == "open"
    (row,) = table.letters("declined")
    assert (table.read(row).envelope.name, table.read(row).own.name) == ("Ana", "Ben")
    table.answer(1)
    assert table.view().status == "running"


def test_the_same_answer_twice_has_the_effect_of_once(dealt: Table) -> None:
    dealt.answer(1)
    assert len(dealt.letters("game-started")) == 4
    with pytest.raises(NotNow, match="started"):
        dealt.answer(1, accept=False)


@pytest.mark.postgresql
def test_the_host_can_cancel_before_the_start_and_the_others_are_told(table: Table) -> None:
    table.open()
    table.answer(2, accept=False)
    opening.cancel(table.office, table.game, table.host, table.now)
    assert table.view().status == "cancelled"
    assert [table.read(row).envelope.name for row in table.letters("cancelled")] == ["Ben", "Davi"]
    with pytest.raises(NotNow, match="cancelled"):
        table.answer(1)
    invitation = table.letters("invitation")[0]
    assert not outbox.claim(table.office, invitation.id, table.now)


def test_only_the_host_can_cancel_and_only_before_the_start(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="Only the host"):
        opening.cancel(table.office, table.game, table.host + 1, table.now)
    for number in (1, 2, 3):
        table.answer(number)
    with pytest.raises(NotNow, match="has started"):
        opening.cancel(table.office, table.game, table.host, table.now)


@pytest.mark.postgresql
def test_a_whole_game_ends_with_a_letter_to_everybody_and_the_seed(dealt: Table) -> None:
    view = dealt.play_on(1000)
    assert view.status == "over"
    assert bytes.fromhex(view.seed) == b"seed of the tests"
    assert view.deadline is None
    assert [standing.place for standing in view.standings]
    over = dealt.letters("game-over")
    assert [dealt.read(row).envelope.name for row in over] == ["Ana", "Ben", "Chloé", "Davi"]
    assert dealt.read(over[0]).own.record == f"https://play.example.org/games/{view.id}/record.json"


@pytest.mark.postgresql
def test_somebody_else_is_invited_in_the_place_of_a_mistyped_address(table: Table) -> None:
    table.open()
    invitations.invite(table.office, table.game, table.host, 1, "benedict@example.org", table.now)
    seat = table.view().seats[1]
    assert (seat.status, seat.name, seat.holder) == (SeatStatus.INVITED, "Benedict", 1)
    with pytest.raises(NotNow, match="no longer valid"):
        opening.answer(table.office, InvitationClaim(table.game, 1), True, table.now)
    with pytest.raises(NotNow):
        guests.invited(table.office, InvitationClaim(table.game, 1))
    table.send_all()
    told = [(letter.seat_number, letter.status) for letter in table.letters("invitation")]
    assert sorted(told) == [(1, "sent"), (1, "withdrawn"), (2, "sent"), (3, "sent")]
    for number in (1, 2, 3):
        opening.answer(table.office, InvitationClaim(table.game, number, int(number == 1)), True, table.now)
    assert table.view().status == "running"
    assert kinds(table).count("invites") == 1


def test_an_invitation_can_be_sent_once_more_a_day(table: Table) -> None:
    table.open()
    table.send_all()
    invitations.remind(table.office, table.game, table.host, 2, table.now)
    limited = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    invitations.remind(limited, table.game, table.host, 2, table.now)
    with pytest.raises(TooMuch):
        invitations.remind(limited, table.game, table.host, 2, table.now)
    table.later(days=1)
    invitations.remind(table.office, table.game, table.host, 2, table.now)
    assert [letter.seat_number for letter in table.letters("invitation")].count(2) == 3


def test_a_withdrawn_invitation_frees_the_seat_for_somebody_else(table: Table) -> None:
    table.open()
    invitations.withdraw(table.office, table.game, table.host, 3, table.now)
    assert table.view().seats[3].status == SeatStatus.VACANT
    with pytest.raises(NotNow, match="no longer valid"):
        opening.answer(table.office, InvitationClaim(table.game, 3), False, table.now)
    with pytest.raises(NotNow, match="Nobody is invited"):
        invitations.withdraw(table.office, table.game, table.host, 3, table.now)
    invitations.invite(table.office, table.game, table.host, 3, "fay@example.org", table.now)
    assert table.view().seats[3].name == "Fay"


def test_only_the_host_of_a_game_that_has_not_started_can_do_this(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="Only the host"):
        invitations.withdraw(table.office, table.game, table.host + 1, 1, table.now)
    opening.answer(table.office, InvitationClaim(table.game, 1), True, table.now)
    with pytest.raises(NotNow, match="taken"):
        invitations.invite(table.office, table.game, table.host, 1, "fay@example.org", table.now)
    for number in (2, 3):
        opening.answer(table.office, InvitationClaim(table.game, number), True, table.now)
    with pytest.raises(NotNow, match="already started"):
        invitations.remind(table.office, table.game, table.host, 1, table.now)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "not an email address"),
        ("ana@example", "ends without .org, .com or the like"),
        ("chloé@example.org", "not an email address"),
    ],
)
def test_an_address_at_which_nobody_can_be_reached_is_refused(table: Table, address: str, told: str) -> None:
    table.open()
    with pytest.raises(BadInput, match=told):
        invitations.invite(table.office, table.game, table.host, 1, address, table.now)
    assert table.view().seats[1].name == "Ben"


def test_nobody_is_invited_twice(table: Table) -> None:
    table.open()
    for address in ("ben@example.org", "ana@example.org", "davi@example.org"):
        with pytest.raises(NotNow, match="is invited already, or plays"):
            invitations.invite(table.office, table.game, table.host, 1, address, table.now)
