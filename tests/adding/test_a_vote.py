"""A proposal is added as ``docs/extending.md`` says: asked by a button, agreed to by links of emails, carried out."""

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.mail.compose import compose
from pbem.service.games import proposals
from pbem.service.turns import audit_log
from pbem.store.tables import Vote
from tests.adding import guide
from tests.mail.arriving import arrived
from tests.web.site import Site

MODULE = "pbem.service.games.proposals.slowing_down"
ASKS = "asks for twice the time"


@pytest.fixture
def added(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The proposal, found in a folder beside the project that has the file of the guide and nothing else."""
    guide.write("A proposal to vote on", tmp_path)
    monkeypatch.setattr(proposals, "__path__", [*proposals.__path__, str(tmp_path / "pbem/service/games/proposals")])
    proposals.every.cache_clear()
    site.start()
    yield
    sys.modules.pop(MODULE, None)
    proposals.every.cache_clear()


def turn_time(site: Site) -> timedelta:
    with site.office.game(site.game, site.now) as work:
        return work.game.time_control.turn


def ask(site: Site) -> None:
    """Press the button of the page as the first player."""
    seat = site.path(site.office.addresses.seat(site.game, 0, site.view().seats[0].holder))
    form = next(form for form in site.get(f"{seat}/people").posts if form.hidden.get("vote") == "slow-down")
    site.post(form.action, {**form.fields, "do": "ask"})


def test_a_proposal_is_one_file() -> None:
    assert list(guide.files("A proposal to vote on")) == [MODULE.replace(".", "/") + ".py"]


def test_who_asks_is_in_the_log_and_the_others_are_asked_by_email(added: None, site: Site) -> None:
    ask(site)
    assert ASKS in str(audit_log.of_game(site.office, site.game)[-1].sentence)
    assert f"{ASKS}." in site.get(f"/games/{site.game}").text
    letters = site.letters("vote-asked")
    assert len(letters) == 3
    message = arrived(compose(site.read(letters[0]), None))
    assert ASKS in str(message["Subject"])
    text = message.get_body(("plain",))
    assert text is not None
    assert "If enough players agree, every turn has twice the time." in " ".join(text.get_content().split())


def test_it_is_done_when_more_than_half_agree(added: None, site: Site) -> None:
    before = turn_time(site)
    ask(site)
    for letter, expected in zip(site.letters("vote-asked")[:2], (before, 2 * before), strict=True):
        (form, *_) = site.get(site.path(site.read(letter).own.agree)).posts
        site.post(form.action, {**form.fields, "answer": "agree"})
        assert turn_time(site) == expected
    with site.office.read() as session:
        assert [vote.status for vote in session.query(Vote)] == ["passed"]
