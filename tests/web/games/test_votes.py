"""What is asked once more before it is done, and what votes are called."""

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
from tests.web.reading import Form, Page
from tests.web.site import Site

# asked once more ---------------------------------------------------------------------------------------------


URL = "https://play.example.org"


def _seat(site: Site, number: int) -> str:
    return site.path(site.office.addresses.seat(site.game, number, site.view().seats[number].holder))


def _press(site: Site, form: Form, **button: str) -> Page:
    answer = site.client.post(form.action, data={**form.fields, **button}, base_url=URL, follow_redirects=True)
    assert answer.status_code == 200
    return Page(answer.text)


def _with(page: Page, value: str) -> Form:
    return next(form for form in page.posts if ("do", value) in form.buttons)


def test_ending_the_game_is_asked_once_more_before_anybody_is_asked(site: Site) -> None:
    asked = _press(site, _with(site.get(f"{_seat(site, 0)}/people"), "ask-end"), do="ask-end")
    assert "Ask to end the game?" in asked.headings
    assert site.letters("end-asked") == []
    sure = next(form for form in asked.posts if form.hidden.get("sure") == "yes")
    assert "The others are asked by email." in _press(site, sure, do="ask-end").text
    assert len(site.letters("end-asked")) == 3


def test_who_asked_withdraws_the_question_with_one_button_that_nobody_else_has(site: Site) -> None:
    page = site.get(f"{_seat(site, 0)}/people?sure=ask-end")
    _press(site, next(form for form in page.posts if form.hidden.get("sure") == "yes"), do="ask-end")

    def forms(number: int) -> list[Form]:
        return [form for form in site.get(_seat(site, number)).posts if ("answer", "withdraw") in form.buttons]

    assert forms(1) == []
    _press(site, forms(0)[0], answer="withdraw")
    assert forms(0) == []
    assert "no longer asks for this" in site.get(f"/games/{site.game}").text


def test_a_new_host_is_made_only_after_a_second_question(site: Site) -> None:
    site.log_in(0)
    page = Page(site.client.get(f"/games/{site.game}/people", base_url=URL).text)
    form = next(form for form in page.posts if ("do", "hand-over") in form.buttons)
    asked = _press(site, form, do="hand-over")
    assert site.view().seats[0].host
    name = site.view().seats[int(form.hidden["seat"])].name
    assert f"Make {name} the host?" in asked.headings
    sure = next(form for form in asked.posts if form.hidden.get("sure") == "yes")
    assert "There is a new host." in _press(site, sure, do="hand-over").text
    assert [seat.name for seat in site.view().seats if seat.host] == [name]


def test_a_game_is_cancelled_only_after_a_second_question(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    page = Page(empty.client.get(f"/games/{empty.game}", base_url=URL).text)
    cancel = next(form for form in page.posts if form.action.endswith("/cancel"))
    asked = _press(empty, cancel)
    assert empty.view().status == "open"
    assert "You cannot reopen a cancelled game." in asked.text
    _press(empty, next(form for form in asked.posts if form.action.endswith("/cancel")), sure="yes")
    assert empty.view().status == "cancelled"


def test_a_host_reminds_replaces_and_withdraws_invitations_by_buttons(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    people = f"/games/{empty.game}/people"

    def form(value: str) -> Form:
        return _with(Page(empty.client.get(people, base_url=URL).text), value)

    assert "The invitation is on its way." in _press(empty, form("remind"), do="remind").text
    assert "The invitation is on its way." in _press(empty, form("invite"), do="invite", address="b@example.org").text
    assert empty.view().seats[1].name == "B"
    assert "The invitation is withdrawn." in _press(empty, form("uninvite"), do="uninvite").text
    assert empty.view().seats[1].status == "vacant"
    bad = form("invite")
    answer = empty.client.post(bad.action, data={**bad.fields, "do": "invite", "address": "ana@example"}, base_url=URL)
    assert answer.status_code == 400
    assert "ends without .org" in Page(answer.text).text


# votes in words ----------------------------------------------------------------------------------------------


DAY = date(2026, 12, 24)


def _take_back(site: Site) -> tuple[int, Proposal]:
    asker = site.number_asked()
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
