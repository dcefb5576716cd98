"""``docs/add-a-letter.md``: its blocks are a kind of letter that can be written, withdrawn and read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import FileSystemLoader

from pbem.mail import environment
from pbem.mail.compose import compose
from pbem.service.base.work import NewLetter
from pbem.service.letters import kinds, outbox
from pbem.store.tables import Letter
from tests.mail.arriving import arrived
from tests.table import Table

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "add-a-letter.md").read_text("utf-8")
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def nudges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[kinds.LetterKind]]:
    """The kind of the page, found in a folder beside the project that has its files and nothing else."""
    for name, text in BLOCK.findall(PAGE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
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
    environment.kinds.cache_clear()


def nudge(table: Table, kind: type[kinds.LetterKind]) -> Letter:
    """Ask whoever is to move to hurry."""
    with table.office.game(table.game, table.now) as work:
        seat = work.seat(work.game.to_act)
        assert seat.account_id is not None
        asked = kind.read({"asked": "Please, <Ben>"})
        work.write(NewLetter(asked, "a nudge", seat.account_id, game=work.game, seat=seat, version=work.game.version))
    return table.letters("nudge")[-1]


def test_the_page_has_one_module_and_the_templates_of_one_folder() -> None:
    templates = {f"templates/mail/nudge/{part}" for part in ("sentences.jinja", "subject.txt", "body.txt", "body.html")}
    assert {name for name, _ in BLOCK.findall(PAGE)} == {"pbem/service/letters/kinds/nudges.py", *templates}


def test_the_letter_of_the_page_is_found_written_and_read(table: Table, nudges: type[kinds.LetterKind]) -> None:
    table.start()
    message = arrived(compose(table.read(nudge(table, nudges)), None))
    assert message["X-Pbem-Letter"] == "nudge"
    assert str(message["Subject"]).startswith("Ana asks you to hurry [")
    text, html = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    assert "Ana asks you to hurry: “Please, <Ben>”" in text.get_content()
    assert "Please, &lt;Ben&gt;" in html.get_content()
    assert str(kinds.title("nudge")) == "the host asks you to hurry"


def test_it_is_withdrawn_when_the_player_has_moved(table: Table, nudges: type[kinds.LetterKind]) -> None:
    table.start()
    letter = nudge(table, nudges)
    table.play()
    with table.office.work(table.now) as work:
        row = work.session.get_one(Letter, letter.id)
        assert outbox.QUEUE.withdrawn(work, row, outbox.QUEUE.facts(table.office, work, row))
        assert (row.status, row.last_error) == ("withdrawn", "the player has moved")


def test_every_word_that_the_page_lists_is_one_of_the_declaration() -> None:
    listed = re.findall(r"^\| `(\w+) = (\S+)` \|", PAGE, re.MULTILINE)
    assert len(listed) == 12
    assert all(hasattr(kinds.LetterKind, name) for name, _ in listed)
    timings = {value.removeprefix("Timing.") for name, value in listed if name == "timing"}
    assert timings == {timing.name for timing in kinds.Timing} - {"AWAKE"}
