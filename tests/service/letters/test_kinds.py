"""The kinds of letter: what each is, what it stores, and when nobody needs it any more."""

import typing
from collections.abc import Iterator
from datetime import UTC, date, datetime
from types import ModuleType
from typing import Any

import pytest

from pbem.mail import environment
from pbem.service.base import GameWork, declared
from pbem.service.letters import kinds
from pbem.service.letters.kinds import Case, LetterKind
from pbem.service.letters.kinds.games import GameEnding, Invitation
from pbem.service.letters.kinds.orders import Refused
from pbem.service.letters.kinds.questions import Digest, Reminder, YourTurn
from pbem.service.letters.kinds.seats import SubstituteWanted
from pbem.service.letters.kinds.votes import ConsentAsked, EndAsked
from pbem.store.statuses import GameStatus, SeatStatus, VoteStatus
from pbem.store.tables import Ballot, Letter, Offer, Vote
from tests.table import Table

DECIDED, TAKEN = "the vote has been decided", "the seat has been taken"
ANSWERED = "every question has been answered"
FLAGS = (
    "asks", "pictured", "carries_talk", "always_sent", "to_deleted", "to_strangers", "decisive", "takes_orders",
    "thoughtful", "survives_restore",
)  # fmt: skip
TABLE = """
account-deleted   any_hour  always_sent to_deleted
away              awake
back              awake
board             any_hour pictured takes_orders
called-off        awake
cancelled         awake
caretaker         awake pictured takes_orders
clocks-moved      awake
asked-back        any_hour
consent-asked     awake     carries_talk survives_restore
declined          awake
done              any_hour
from-elsewhere    any_hour
not-taken         any_hour
default-played    awake pictured carries_talk takes_orders
digest            awake     asks carries_talk
end-asked         awake     survives_restore
game-ending       awake     pictured carries_talk
game-over         awake     pictured carries_talk
game-started      awake     pictured carries_talk
guest-game        any_hour to_strangers
invitation        awake     to_strangers decisive survives_restore
league-invitation any_hour to_strangers survives_restore
league-news       awake
lesson            any_hour asks pictured carries_talk takes_orders thoughtful
login             any_hour  always_sent
mail-returned     awake
map-report        any_hour
map-withdrawn     awake
not-agreed        awake
pause-asked       awake     survives_restore
paused            awake
planning          question asks pictured carries_talk takes_orders
played            any_hour  takes_orders
put-off           awake
refused           any_hour pictured takes_orders
reminder          awake asks pictured carries_talk takes_orders
remove-asked      awake     survives_restore
removed           awake
resigned          awake
resumed           awake
seat-at-table     any_hour to_strangers
seat-offered      awake
seat-taken        awake     pictured carries_talk
set-back          awake
submission-stuck  awake
substitute-wanted awake     pictured to_strangers survives_restore
table-news        awake
taken-back        awake     carries_talk
talk              awake     carries_talk
test              any_hour  always_sent
told              any_hour takes_orders
tried             any_hour pictured takes_orders
vote-asked        awake     survives_restore
webhook-stopped   awake
your-turn         merged asks pictured carries_talk takes_orders
"""
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SAMPLES: dict[object, object] = {
    int: 7,
    str: "Ann",
    bool: True,
    date: date(2026, 5, 4),
    datetime: NOON,
    tuple[str, ...]: ("shares", "auction"),
    tuple[int, ...]: (4, 7),
    dict[str, Any]: {"say": "Nothing was done."},
    dict[str, int]: {"k7m2": 4},
    tuple[dict[str, int], ...]: ({"red": 40, "blue": 60},),
}
each_kind = pytest.mark.parametrize("kind", kinds.every().values(), ids=lambda kind: str(kind.kind))


def sample(kind: type[LetterKind]) -> LetterKind:
    """A letter of the kind with something in every field."""
    types = typing.get_type_hints(kind)
    values = {}
    for name in kind.__struct_fields__:
        plain = [one for one in typing.get_args(types[name]) if one is not type(None)]
        optional = type(None) in typing.get_args(types[name])
        values[name] = SAMPLES[plain[0] if optional else types[name]]
    return kind(**values)


def test_every_kind_has_its_templates_and_every_folder_of_templates_its_kind() -> None:
    subjects = environment.environment().list_templates(filter_func=lambda name: name.endswith("/subject.txt"))
    assert set(kinds.every()) == {name.partition("/")[0] for name in subjects}
    for kind in kinds.every():
        for part in ("subject.txt", "body.txt", "body.html"):
            assert environment.environment().get_template(f"{kind}/{part}")


@each_kind
def test_what_a_letter_stores_is_what_is_read_from_its_row(kind: type[LetterKind]) -> None:
    letter = sample(kind)
    assert kind.read(letter.stored()) == letter


@each_kind
def test_the_delivery_log_has_words_for_every_kind(kind: type[LetterKind]) -> None:
    assert str(kinds.title(kind.kind)) == str(kind.title) != ""


def test_no_two_kinds_have_one_title() -> None:
    titles = [str(kind.title) for kind in kinds.every().values()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(("name", "data"), [("postcard", {}), ("played", {}), ("played", {"submission": "x"})])
def test_a_row_that_is_no_letter_of_its_kind_is_an_error(name: str, data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"there is no letter|submission"):
        kinds.named(name).read(data)


def test_a_kind_that_is_not_known_stands_for_itself() -> None:
    assert str(kinds.title("postcard")) == "postcard"


def test_a_row_of_refused_orders_that_tells_of_one_mail_is_not_the_last_that_is_answered() -> None:
    first = Refused.read({"submission": 4})
    assert (first.number, first.last) == (1, False)


def test_a_class_that_is_no_letter_is_no_kind_whatever_it_is_called() -> None:
    module = ModuleType("letters")
    members = {"kind": "postcard", "__module__": "letters"}
    vars(module).update(
        kind_of=type("NoLetter", (), members), letter=type("Postcard", (LetterKind,), members), other=LetterKind
    )
    assert [kind.__name__ for kind in declared.declared_in(module, LetterKind)] == ["Postcard"]


def test_every_kind_is_what_its_line_says() -> None:
    for name, timing, *flags in map(str.split, TABLE.strip().splitlines()):
        kind = kinds.named(name)
        assert (kind.timing.name.lower(), [flag for flag in FLAGS if getattr(kind, flag)]) == (timing, flags), name


@pytest.fixture
def work(dealt: Table) -> Iterator[GameWork]:
    with dealt.office.game(dealt.game, dealt.now) as work:
        yield work


def why(work: GameWork, letter: LetterKind, seat: int = 1, account: int = 1) -> str:
    """Why a letter to this seat, about the position the game is in, is not needed."""
    row = Letter(game_id=work.game.id, seat_number=seat, version=work.game.version, account_id=account)
    return letter.unwanted(Case(work.session, row, work.game))


@pytest.mark.parametrize("question", [YourTurn(), Reminder()], ids=lambda kind: str(kind.kind))
def test_a_question_is_open_in_its_position_while_the_game_runs(work: GameWork, question: LetterKind) -> None:
    answered = "the question has been answered"
    assert why(work, question) == ""
    assert question.unwanted(Case(work.session, Letter(version=work.game.version), None)) == answered
    assert question.unwanted(Case(work.session, Letter(version=work.game.version + 1), work.game)) == answered
    work.game.status = GameStatus.OVER
    assert why(work, question) == answered


def test_a_digest_is_needed_while_its_reader_is_asked_in_a_game_that_runs(work: GameWork) -> None:
    asked = work.seat(work.game.to_act).account_id
    assert asked is not None
    others = [seat.account_id for seat in work.seats if seat.account_id not in (asked, None)]
    assert why(work, Digest(), account=asked) == ""
    assert {why(work, Digest(), account=other or 0) for other in others} == {ANSWERED}
    work.game.status = GameStatus.OVER
    assert why(work, Digest(), account=asked) == ANSWERED


def test_an_invitation_is_open_while_its_seat_is_invited_and_the_game_has_not_begun(work: GameWork) -> None:
    answered = "the invitation has been answered"
    work.game.status, work.seats[1].status = GameStatus.OPEN, SeatStatus.INVITED
    invited = work.seats[1].account_id or 0
    assert why(work, Invitation(), account=invited) == ""
    assert why(work, Invitation(), account=invited + 1) == answered, "somebody else is invited now"
    assert why(work, Invitation(), seat=2, account=work.seats[2].account_id or 0) == answered
    work.game.status = GameStatus.CANCELLED
    assert why(work, Invitation(), account=invited) == answered
    assert Invitation().unwanted(Case(work.session, Letter(game_id=work.game.id, seat_number=1), None)) == answered


def test_that_a_game_ends_is_told_only_while_it_is_about_to(work: GameWork) -> None:
    assert why(work, GameEnding()) == "the game goes on or is over"
    work.game.status = GameStatus.STOPPING
    assert why(work, GameEnding()) == ""
    assert GameEnding().unwanted(Case(work.session, Letter(), None)) == "the game goes on or is over"


def test_a_seat_is_free_until_its_offer_is_closed(work: GameWork) -> None:
    offer = Offer(game_id=work.game.id, seat_number=1, since=work.now, waits_until=work.now)
    work.session.add(offer)
    work.session.flush()
    assert why(work, SubstituteWanted(offer.id)) == ""
    assert why(work, SubstituteWanted(offer.id + 1)) == TAKEN
    offer.closed_at = work.now
    assert why(work, SubstituteWanted(offer.id)) == TAKEN


@pytest.mark.parametrize("kind", [ConsentAsked, EndAsked], ids=lambda kind: str(kind.kind))
def test_a_vote_is_asked_for_while_it_is_open(work: GameWork, kind: type[ConsentAsked | EndAsked]) -> None:
    vote = Vote(game_id=work.game.id, kind="end", asked_by=0, version=work.game.version, proposal={}, asked_at=work.now)
    work.session.add(vote)
    work.session.flush()
    work.session.add(Ballot(vote_id=vote.id, seat_number=2, agrees=True, at=work.now))
    work.session.flush()
    assert why(work, kind(vote.id)) == ""
    assert why(work, kind(vote.id), seat=2) == DECIDED
    assert why(work, kind(vote.id + 1)) == DECIDED
    assert kind(vote.id).unwanted(Case(work.session, Letter(seat_number=1), None)) == DECIDED
    earlier = Letter(seat_number=1, version=work.game.version - 1)
    gone_on = kind(vote.id).unwanted(Case(work.session, earlier, work.game))
    assert gone_on == (DECIDED if kind is ConsentAsked else "")  # only taking back is about one position
    vote.status = VoteStatus.PASSED
    assert why(work, kind(vote.id)) == DECIDED


def test_most_letters_are_never_pointless(work: GameWork) -> None:
    for name in ("game-started", "game-over"):
        assert why(work, kinds.named(name)()) == ""
