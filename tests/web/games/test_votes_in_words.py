"""A vote is put into the same words on the page of the game, on the ballot, and in both parts of its email."""

import re
from collections.abc import Callable
from datetime import date
from email.message import EmailMessage
from html import unescape

import pytest

from pbem.mail.compose import compose
from pbem.service.games import votes
from pbem.service.games.proposals import Proposal
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letter_views import correspondence
from tests.mail.arriving import arrived
from tests.service.actors import vanish
from tests.web.site import Site

DAY = date(2026, 12, 24)


def _take_back(site: Site) -> tuple[int, Proposal]:
    asker = _asked(site)
    site.play("issue 2")
    return asker, TakingBack()


def _removal(site: Site) -> tuple[int, Proposal]:
    gone = vanish(site)
    return (gone + 1) % 4, Removal(gone)


CASES: dict[str, tuple[Callable[[Site], tuple[int, Proposal]], str, str, str]] = {
    "take-back": (
        _take_back,
        "{asker} asks to take back “issue 2”",
        "The game continues meanwhile; the next orders of any player close this vote.",
        "Your orders “issue 2” stand.",
    ),
    "end": (
        lambda _: (0, EndingEarly()),
        "{asker} asks to end the game",
        "If enough players agree, the game goes to the archive with the standings as they are, marked as ended early.",
        "The game goes on.",
    ),
    "remove": (
        _removal,
        "{asker} asks to remove {other}",
        "{other} has not answered for a week or more.",
        "{other} keeps the seat.",
    ),
    "pause": (
        lambda _: (0, Pausing()),
        "{asker} asks for a pause",
        "No clock runs until somebody ends the pause on the game’s page.",
        "The game goes on without a pause.",
    ),
    "pause until a day": (
        lambda _: (0, Pausing(DAY)),
        "{asker} asks for a pause until Thursday 24 December",
        "Until then no clock runs, and anybody can end the pause earlier.",
        "The game goes on without a pause.",
    ),
}
"""How it comes to be asked; the words, a sentence of its terms, and what remains if it is refused."""


def _asked(site: Site) -> int:
    return next(seat.number for seat in site.view().seats if seat.seat == site.view().waiting_for)


def _letters(site: Site, kind: str) -> list[EmailMessage]:
    rows = [row for row in site.letters(kind) if row.game_id == site.game]
    return [arrived(compose(correspondence.letter(site.office, row.id, site.now).view, None)) for row in rows]


def _read(letter: EmailMessage, part: str) -> str:
    body = letter.get_body((part,))
    assert body is not None
    text = body.get_content()
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


@pytest.mark.parametrize("name", CASES)
def test_a_vote_is_asked_for_and_refused_in_the_same_words_everywhere(empty: Site, name: str) -> None:
    begin, *sentences = CASES[name]
    empty.start()
    asker, proposal = begin(empty)
    seats = empty.view().seats
    other = seats[proposal.seat].name if isinstance(proposal, Removal) else ""
    words, term, if_refused = (one.format(asker=seats[asker].name, other=other) for one in sentences)
    vote = votes.ask(empty.office, empty.game, asker, proposal, empty.now)
    reader = next(n for n in range(4) if n not in (asker, getattr(proposal, "seat", None)))
    page = empty.get(empty.path(empty.office.addresses.seat(empty.game, reader, seats[reader].holder))).text
    ballot = empty.get(empty.path(empty.office.addresses.vote(vote, reader, seats[reader].holder))).text
    letter = _letters(empty, proposal.letter.kind)[0]
    for text in (page, ballot, _read(letter, "plain")):
        said = text.replace(" .", ".")  # a name is marked on pages
        assert f"{words}." in said
        assert term in said
    assert words in _read(letter, "html")
    assert term in _read(letter, "html")
    for number in range(4):
        if number not in (asker, getattr(proposal, "seat", None)) and not _letters(empty, "not-agreed"):
            votes.answer(empty.office, empty.game, vote, number, False, empty.now)
    (answer,) = _letters(empty, "not-agreed")
    assert if_refused in _read(answer, "plain")
    assert if_refused in _read(answer, "html")
