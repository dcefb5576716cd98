"""A kind of letter is added as ``docs/extending.md`` says: written, delivered by SMTP, listed, withdrawn."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import FileSystemLoader

from pbem.mail import environment
from pbem.mail.compose import compose
from pbem.service.base import NewLetter
from pbem.service.letters import kinds, outbox
from pbem.store.tables import Letter
from tests.adding import guide
from tests.mail.arriving import arrived
from tests.web.site import Site


@pytest.fixture
def nudges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[kinds.LetterKind]]:
    """The kind of the page, found in a folder beside the project that has its files and nothing else."""
    guide.write("A kind of email", tmp_path)
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path / "pbem/service/letters/kinds")])
    loader = environment.environment().loader
    assert isinstance(loader, FileSystemLoader)
    monkeypatch.setattr(loader, "searchpath", [*loader.searchpath, str(tmp_path / "templates/mail")])
    forget()
    yield kinds.named("nudge")
    sys.modules.pop("pbem.service.letters.kinds.nudges")
    forget()


def forget() -> None:
    kinds.every.cache_clear()


def nudge(site: Site, kind: type[kinds.LetterKind]) -> Letter:
    """Ask whoever is to move to hurry."""
    with site.office.game(site.game, site.now) as work:
        seat = work.seat(work.game.to_act)
        assert seat.account_id is not None
        asked = kind.read({"asked": "Please, <Ben>"})
        work.write(NewLetter(asked, "a nudge", seat.account_id, game=work.game, seat=seat, version=work.game.version))
    return site.letters("nudge")[-1]


def test_a_kind_of_letter_is_one_module_and_the_templates_of_one_folder() -> None:
    templates = {f"templates/mail/nudge/{part}" for part in ("sentences.jinja", "subject.txt", "body.txt", "body.html")}
    assert set(guide.files("A kind of email")) == {"pbem/service/letters/kinds/nudges.py", *templates}


def test_it_is_written_and_read(site: Site, nudges: type[kinds.LetterKind]) -> None:
    site.start()
    message = arrived(compose(site.read(nudge(site, nudges)), None))
    assert message["X-Pbem-Letter"] == "nudge"
    assert str(message["Subject"]).startswith("Ana asks you to hurry [")
    text, html = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    assert "Ana asks you to hurry: “Please, <Ben>”" in text.get_content()
    assert "Please, &lt;Ben&gt;" in html.get_content()


def test_it_leaves_with_the_others_and_stands_in_the_delivery_log(site: Site, nudges: type[kinds.LetterKind]) -> None:
    site.start()
    letter = nudge(site, nudges)
    number = site.number_asked()
    site.send_all()
    assert site.letters("nudge")[-1].status == "sent"
    assert letter.seat_number == number
    site.log_in(number)
    assert "the host asks you to hurry" in site.client.get("/letters", base_url=site.office.settings.public_url).text


def test_it_is_withdrawn_when_the_player_has_moved(site: Site, nudges: type[kinds.LetterKind]) -> None:
    site.start()
    letter = nudge(site, nudges)
    site.play()
    with site.office.work(site.now) as work:
        row = work.session.get_one(Letter, letter.id)
        assert outbox.QUEUE.withdrawn(work, row, outbox.QUEUE.facts(site.office, work, row))
        assert (row.status, row.last_error) == ("withdrawn", "the player has moved")


def test_every_word_that_the_page_lists_is_one_of_the_declaration() -> None:
    listed = re.findall(r"^\| `(\w+) = (\S+)` \|", guide.chapter("A kind of email"), re.MULTILINE)
    assert listed
    assert all(hasattr(kinds.LetterKind, name) for name, _ in listed)
    timings = {value.removeprefix("Timing.") for name, value in listed if name == "timing"}
    assert timings == {timing.name for timing in kinds.Timing} - {"AWAKE"}
