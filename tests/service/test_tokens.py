"""Tokens say what their holder may do, and nothing else is a token."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.service.tokens import BadToken, InvitationClaim, LoginClaim, SeatClaim, Tokens, TurnClaim, UnsubscribeClaim

TOKENS = Tokens("a key that only tests know")
READERS: list[Callable[[str], object]] = [
    TOKENS.read_turn, TOKENS.read_seat, TOKENS.read_invitation, TOKENS.read_login, TOKENS.read_unsubscribe,
]  # fmt: skip
TURN = TOKENS.turn("k7m2xab", "green", 17)


def test_a_token_reads_back_as_what_it_was_made_for() -> None:
    assert TOKENS.read_turn(TURN) == TurnClaim("k7m2xab", "green", 17)
    assert TOKENS.read_seat(TOKENS.seat("g", 2)) == SeatClaim("g", 2)
    assert TOKENS.read_invitation(TOKENS.invitation("g", 2)) == InvitationClaim("g", 2)
    assert TOKENS.read_login(TOKENS.login("x")) == LoginClaim("x")
    assert TOKENS.read_unsubscribe(TOKENS.unsubscribe(1, "g", "your-turn")) == UnsubscribeClaim(1, "g", "your-turn")


def test_tokens_are_short_and_need_no_quoting() -> None:
    assert len(TURN) < 100
    assert set(TURN) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def test_a_token_of_another_purpose_or_another_server_is_foreign() -> None:
    for reader in READERS[1:]:
        with pytest.raises(BadToken):
            reader(TURN)
    with pytest.raises(BadToken):
        TOKENS.read_seat(TOKENS.invitation("g", 2))
    with pytest.raises(BadToken):
        Tokens("the key of another server").read_turn(TURN)


@pytest.mark.parametrize("cut", range(len(TURN)))
def test_a_token_cut_short_or_changed_anywhere_is_refused(cut: int) -> None:
    other = "A" if TURN[cut] != "A" else "Q"
    for broken in (TURN[:cut], TURN[cut + 1 :], TURN[:cut] + other + TURN[cut + 1 :]):
        with pytest.raises(BadToken):
            TOKENS.read_turn(broken)


def test_a_megabyte_is_refused_without_reading_it() -> None:
    with pytest.raises(BadToken):
        TOKENS.read_turn("a" * 1_000_000)


@given(st.text() | st.text(alphabet="abcXYZ019-_.", max_size=120))
def test_no_text_is_a_token(text: str) -> None:
    for reader in READERS:
        with pytest.raises(BadToken):
            reader(text)
