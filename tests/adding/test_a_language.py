"""A language is added as ``docs/extending.md`` says: a few sentences of a catalogue, and English for the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.language import catalogues, compiling, languages, reading
from pbem.mail.compose import compose
from pbem.service.games import votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.people import accounts
from tests.adding import guide
from tests.mail.arriving import arrived
from tests.web.site import Site

FILE = "templates/messages/fr/LC_MESSAGES/pbem.po"


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The catalogue of the guide beside those of the project, compiled as ``make messages`` does it."""
    guide.write("A language", tmp_path)
    messages = tmp_path / "templates" / "messages"
    for known in (guide.ROOT / "templates" / "messages").iterdir():
        (messages / known.name).symlink_to(known)
    assert [po.parts[-3] for po in compiling.compile_all(messages)] == ["fr"]
    monkeypatch.setattr(catalogues, "templates_folder", lambda: messages.parent)
    catalogues._every.cache_clear()
    yield
    catalogues._every.cache_clear()


def test_a_language_is_one_file() -> None:
    assert set(guide.files("A language")) == {FILE}


def test_it_is_found_and_says_its_name(french: None) -> None:
    assert ("fr", "Français") in [(language.code, language.name) for language in languages()]


def test_what_it_has_is_read_in_it_and_what_it_lacks_in_english(french: None) -> None:
    with reading("fr") as language:
        assert language.translate("Log in") == "Se connecter"
        assert language.translate("Log out") == "Log out"
        assert language.word("pass") == "passer"
        assert language.number(1234) != "1,234"


def test_pages_are_read_in_it(french: None, site: Site) -> None:
    page = site.client.get("/", headers={"Accept-Language": "fr"}).text
    assert '<html lang="fr"' in page
    assert "Se connecter" in page
    assert "Français" in page
    assert "Archive" in page


def test_an_email_is_read_in_it(french: None, site: Site) -> None:
    site.start()
    votes.ask(site.office, site.game, 0, Pausing(), site.now)
    letter = site.letters("pause-asked")[0]
    accounts.speak(site.office, letter.account_id, "fr")
    message = arrived(compose(site.read(letter), None))
    assert "demande une pause" in str(message["Subject"])
    text = message.get_body(("plain",))
    assert text is not None
    assert "D’accord :" in text.get_content()
    assert "Refuse:" in text.get_content()
