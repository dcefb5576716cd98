"""Tokens say what their holder may do, and nothing else is a token."""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.service.base.tokens import (
    SHORT_SEAL,
    BadToken,
    Claim,
    ConfirmClaim,
    FeedClaim,
    GuestClaim,
    InvitationClaim,
    JoinClaim,
    LoginClaim,
    MemberClaim,
    OfferClaim,
    PlanClaim,
    Purpose,
    SeatClaim,
    SitClaim,
    Tokens,
    TurnClaim,
    UnsubscribeClaim,
    VoteClaim,
    WatchClaim,
)

TOKENS = Tokens("a key that only tests know")
KINDS = (TurnClaim, SeatClaim, InvitationClaim, LoginClaim, UnsubscribeClaim)
TURN = TOKENS.make(TurnClaim("k7m2xab", "green", 17))


def test_a_token_reads_back_as_what_it_was_made_for() -> None:
    assert TOKENS.read(TurnClaim, TURN) == TurnClaim("k7m2xab", "green", 17)
    assert TOKENS.read(SeatClaim, TOKENS.make(SeatClaim("g", 2))) == SeatClaim("g", 2)
    assert TOKENS.read(InvitationClaim, TOKENS.make(InvitationClaim("g", 2))) == InvitationClaim("g", 2)
    claim = UnsubscribeClaim(1, "g", "your-turn")
    assert TOKENS.read(UnsubscribeClaim, TOKENS.make(claim)) == claim


def test_tokens_are_short_and_need_no_quoting() -> None:
    assert len(TURN) < 100
    assert set(TURN) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@pytest.mark.parametrize("cut", range(len(TURN)))
def test_a_token_cut_short_or_changed_anywhere_is_refused(cut: int) -> None:
    other = "A" if TURN[cut] != "A" else "Q"
    for broken in (TURN[:cut], TURN[cut + 1 :], TURN[:cut] + other + TURN[cut + 1 :]):
        with pytest.raises(BadToken):
            TOKENS.read(TurnClaim, broken)


def test_a_megabyte_is_refused_without_reading_it() -> None:
    with pytest.raises(BadToken):
        TOKENS.read(TurnClaim, "a" * 1_000_000)


@given(st.text() | st.text(alphabet="abcXYZ019-_.", max_size=120))
def test_no_text_is_a_token(text: str) -> None:
    for kind in KINDS:
        with pytest.raises(BadToken):
            TOKENS.read(kind, text)


OLD, NEW = "the key of last year", "the key of this year"
SIGNED: dict[str, tuple[Claim, list[object]]] = {
    "turn": (TurnClaim("g", "green", 17), ["g", "green", 17]),
    "plan": (PlanClaim("g", "green", 2, 1), ["g", "green", 2, 1]),
    "seat": (SeatClaim("g", 2, 1), ["g", 2, 1]),
    "invitation": (InvitationClaim("g", 2), ["g", 2]),
    "guest": (GuestClaim("g", 0), ["g", 0]),
    "confirm": (ConfirmClaim("g", 0, 3), ["g", 0, 3]),
    "login": (LoginClaim("x"), ["x"]),
    "unsubscribe": (UnsubscribeClaim(1, "g", "reminder"), [1, "g", "reminder"]),
    "vote": (VoteClaim(1, 2, 0), [1, 2, 0]),
    "offer": (OfferClaim(1, 2), [1, 2]),
    "watch": (WatchClaim("g", "key"), ["g", "key"]),
    "feed": (FeedClaim(1, "key"), [1, "key"]),
    "join": (JoinClaim("g", "key"), ["g", "key"]),
    "sit": (SitClaim("g", 3, "key"), ["g", 3, "key"]),
    "member": (MemberClaim(5), [5]),
}
"""What is claimed, and what a token of it holds."""
NUMBERED = get_args(Purpose)
Pair = tuple[Callable[[Tokens], str], Callable[[Tokens, str], object]]


def of_claim(claim: Claim) -> Pair:
    return (lambda tokens: tokens.make(claim)), (lambda tokens, token: tokens.read(type(claim), token))


def of_number(purpose: Purpose) -> Pair:
    return (lambda tokens: tokens.numbered(purpose, 7)), (lambda tokens, token: tokens.read_numbered(purpose, token))


EVERY = {purpose: of_claim(claim) for purpose, (claim, _) in SIGNED.items()} | {
    purpose: of_number(purpose) for purpose in NUMBERED
}
each_purpose = pytest.mark.parametrize("purpose", EVERY)


def misshapen(values: list[object]) -> Iterator[object]:
    """Everything that is nearly what a token of a purpose holds."""
    yield from (None, "text", 7, {}, {"0": values}, [], [values], [*values, 0, 0], values[:-1] if values[1:] else [])
    for place, value in enumerate(values):
        other = [7] if isinstance(value, str) else ["7", -1, 2**31, 2**63, 10**40, 1.0]
        for wrong in (None, True, [], {}, *other):
            yield [*values[:place], wrong, *values[place + 1 :]]


def written(purpose: str, value: object) -> str:
    """A token with a good signature, whatever it holds."""
    token = TOKENS._serializer(purpose).dumps(value)
    return token if isinstance(token, str) else token.decode("ascii")


@pytest.mark.parametrize("purpose", SIGNED)
def test_a_token_with_a_good_signature_and_another_shape_is_refused(purpose: str) -> None:
    read, right = EVERY[purpose][1], SIGNED[purpose][1]
    assert EVERY[purpose][0](TOKENS) == written(purpose, right)
    assert read(TOKENS, written(purpose, right)) == SIGNED[purpose][0]
    for wrong in misshapen(right):
        if purpose == "seat" and wrong == right[:-1]:
            continue  # as it was written before seats could change hands
        with pytest.raises(BadToken):
            read(TOKENS, written(purpose, wrong))


@pytest.mark.parametrize("purpose", SIGNED)
def test_the_largest_number_of_a_row_can_be_in_a_token(purpose: str) -> None:
    largest = [2**31 - 1 if isinstance(value, int) else value for value in SIGNED[purpose][1]]
    assert EVERY[purpose][1](TOKENS, written(purpose, largest))


@pytest.mark.parametrize("purpose", NUMBERED)
@pytest.mark.parametrize("number", ["", "x", "-1", "1.0", "²", "2147483648", str(2**63), "9" * 200])
def test_an_address_with_a_good_seal_and_no_number_of_a_letter_is_refused(purpose: str, number: str) -> None:
    with pytest.raises(BadToken):
        EVERY[purpose][1](TOKENS, f"{number}-{TOKENS.seal(purpose, number, shown=SHORT_SEAL)}")


def test_every_purpose_is_looked_at_here() -> None:
    assert {type(claim) for claim, _ in SIGNED.values()} == set(Claim.__subclasses__())


@each_purpose
def test_no_token_is_good_for_a_second_purpose(purpose: str) -> None:
    token = EVERY[purpose][0](TOKENS)
    for other in set(EVERY) - {purpose}:
        with pytest.raises(BadToken):
            EVERY[other][1](TOKENS, token)


@each_purpose
def test_what_an_old_key_signed_holds_while_it_is_known_and_not_longer(purpose: str) -> None:
    write, read = EVERY[purpose]
    before, after = Tokens(OLD), Tokens(NEW, ["a key before it", OLD])
    assert read(after, write(before)) == read(before, write(before))
    assert write(after) == write(Tokens(NEW)) != write(before)
    with pytest.raises(BadToken):
        read(Tokens(NEW), write(before))


def test_a_seal_of_an_old_key_holds_and_one_of_another_purpose_or_length_does_not() -> None:
    seal, after = Tokens(OLD).seal("form", "a browser"), Tokens(NEW, [OLD])
    assert after.sealed(seal, "form", "a browser")
    assert after.seal("form", "a browser") != seal
    assert not Tokens(NEW).sealed(seal, "form", "a browser")
    for wrong in ("", seal[:-1], seal + "0", seal.upper(), "é", "\ud800", Tokens(OLD).seal("picture", "a browser")):
        assert not after.sealed(wrong, "form", "a browser")


@pytest.mark.parametrize("purpose", ["turn", "bounce", "form"])
def test_signatures_are_compared_in_constant_time(purpose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def noted(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", noted)  # what itsdangerous calls as well
    tokens = Tokens(NEW, [OLD])
    if purpose == "form":
        assert tokens.sealed(tokens.seal("form", "x"), "form", "x")
    else:
        EVERY[purpose][1](tokens, EVERY[purpose][0](tokens))
    assert compared
    assert any(one == other for one, other in compared)


def test_a_token_has_at_most_three_hundred_characters() -> None:
    digits = (hashlib.sha512(b"%d" % n).hexdigest() for n in range(80))  # what no packing makes shorter
    long = ["".join(next(digits) for _ in range(4)) for _ in range(20)]
    made = (TOKENS.make(LoginClaim(text[:n])) for text in long for n in range(200, 400))
    tokens = {len(token): token for token in made}
    assert TOKENS.read(LoginClaim, tokens[300])
    with pytest.raises(BadToken):
        TOKENS.read(LoginClaim, tokens[301])


def test_a_seal_has_sixty_four_digits_and_the_short_one_of_mail_addresses_sixteen() -> None:
    assert len(TOKENS.seal("form", "x")) == 64
    assert len(TOKENS.numbered("bounce", 7)) == len("7-") + 16
