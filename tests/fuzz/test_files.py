"""Files that people write: boards, contracts, settings. Used, or refused in a sentence that says what is wrong."""

import os
from functools import cache
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.rails.board import BadBoard
from pbem.rails.drawing import load_board
from pbem.settings.environment import ALONE, NAMES, BadSetting, surroundings
from pbem.settings.settings import Settings
from pbem.steam_power.contracts import BadContracts, read_contracts
from tests.fuzz.mutate import NUMBERS, junk, mutated, spoiled_bytes
from tests.fuzz.sentences import check_begins, check_said, examples

MAPS = Path(__file__).parents[2] / "maps"
LINES = ("[cities]", "[hexes]\nA0 = 3", 'sketch = """\n.\n"""', 'orientation = "round"', "name = 1", "[walls]\nA0 = 1")
lucks = st.randoms(use_true_random=False)


@cache
def boards() -> tuple[str, ...]:
    return tuple(path.read_text("utf-8") for path in sorted(MAPS.glob("*/board.toml")))


def spoiled_file(text: str, luck: Random, *more: str) -> bytes:
    """The file with a fault in one to three of its lines, or in its bytes."""
    lines = text.splitlines()
    for _ in range(luck.choice((1, 1, 2, 3))):
        at = luck.randrange(len(lines))
        match luck.randrange(8):
            case 0:
                del lines[at : at + 1]
                lines = lines or [""]
            case 1:
                lines.insert(at, luck.choice((*more, *lines)))
            case 2:
                return spoiled_bytes("\n".join(lines).encode(), luck)
            case _:
                lines[at] = mutated(lines[at], luck, *lines[:40])
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "somewhere"
    made.mkdir()
    return made


@examples(60)
@given(luck=lucks)
def test_a_spoiled_board_is_used_or_refused_with_its_file(folder: Path, luck: Random) -> None:
    file = folder / "board.toml"
    file.write_bytes(spoiled_file(luck.choice(boards()), luck, *LINES))
    try:
        board = load_board(file)
    except BadBoard as bad:
        check_begins(str(bad), f"{file}: ")
        return
    assert len(board.neighbours) == len(board.hexes)
    assert set(board.open_sides) <= set(board.hexes)
    assert set(board.city_at) <= set(board.hexes)
    assert set(board.towns) <= set(board.hexes)


DEEP = "x = " + "[" * 5000


def test_files_that_are_nested_too_deep_are_refused(folder: Path) -> None:
    (folder / "board.toml").write_text(DEEP)
    with pytest.raises(BadBoard, match="nested too deep"):
        load_board(folder / "board.toml")
    with pytest.raises(BadContracts, match="nested too deep"):
        read_contracts(DEEP)


@examples(60)
@given(luck=lucks)
def test_spoiled_contracts_are_used_or_refused(luck: Random) -> None:
    text = spoiled_file((MAPS / "contracts.toml").read_text("utf-8"), luck).decode("utf-8", "replace")
    try:
        contracts = read_contracts(text)
    except BadContracts as bad:
        check_begins(str(bad), "contracts.toml: ")
        return
    for number, tile in contracts.tiles.items():
        assert tile.number == number
        assert tile.needs
        assert len(tile.needs) < 100


GOOD = {
    "PBEM_DATABASE_URL": ("sqlite:///x.sqlite", "postgresql+psycopg://u:p@h:5432/n", "postgres://h/n"),
    "PBEM_BROKER_URL": ("redis://127.0.0.1:6379/0", "rediss://:p@h/1"),
    "PBEM_SMTP_URL": ("smtp://u:p@mail.example.org:587", "smtps://h"),
    "PBEM_IMAP_URL": ("imaps://u%40h:p@mail.example.org/Games", "imap://u:p@h:143"),
    "PBEM_PUBLIC_URL": ("https://play.example.org", "http://[::1]:8000/games"),
    "PBEM_MAIL_FROM": ("pbem <play@example.org>", "a@b"),
    "PBEM_RETURN_PATH": ("bounce@example.org",),
    "PBEM_ORDERS_ADDRESS": ("orders@example.org",),
    "PBEM_MAILIN_PORT": ("2525", *NUMBERS),
    "PBEM_PROXIES": ("1", *NUMBERS, "000000" + "9" * 5000),
    "PBEM_OPERATOR": ("you@example.org",),
    "PBEM_CONTACT": ("you@example.org", "https://example.org/contact"),
    "PBEM_OLD_SECRET_KEYS": ("x" * 20 + " " + "y" * 20,),
}


@examples(150)
@given(luck=lucks)
def test_a_spoiled_variable_is_taken_or_named(folder: Path, luck: Random) -> None:
    name = luck.choice(sorted({*NAMES} - {"PBEM_DATA_DIR"}))
    value = mutated(luck.choice(GOOD.get(name, ("yes", "on", "json", "x" * 20))), luck)
    try:
        settings = Settings.read({"PBEM_DATA_DIR": str(folder), name: value})
    except BadSetting as bad:
        check_said(str(bad))
        check_begins(str(bad), name, "PBEM_MAIL_FROM")  # the sender follows from the public address
        return
    assert 0 <= settings.mailin_port < 65536
    assert 0 <= settings.proxies < 10
    assert "@" in settings.mail_from
    assert settings.mail_host


@examples(40)
@given(luck=lucks)
@example(luck=Random(1))
def test_a_spoiled_file_of_variables_is_read_or_its_line_is_named(folder: Path, luck: Random) -> None:
    file = folder / ".env"
    lines = [f"{name}={luck.choice(values)}" for name, values in GOOD.items()]
    file.write_bytes(spoiled_file("\n".join(lines), luck, "export A = 'b'", f"A={junk(luck)}"))
    host = {name: value for name, value in os.environ.items() if name not in ALONE}
    try:
        with mock.patch.dict(os.environ, host, clear=True):
            found = surroundings(folder)
    except BadSetting as bad:
        check_said(str(bad))
        return
    assert {**found, **{name: value for name, value in host.items() if value}} == found
    _read(found, folder)


def _read(found: dict[str, str], folder: Path) -> None:
    try:
        Settings.read({**found, "PBEM_DATA_DIR": str(folder)})
    except BadSetting as bad:
        check_said(str(bad))


@pytest.mark.parametrize("place", ["/proc/no/such", "a\x00b", "/dev/null/x", "x" * 5000])
def test_a_folder_that_cannot_be_is_told(place: str) -> None:
    with pytest.raises(BadSetting, match="PBEM_DATA_DIR") as caught:
        Settings.read({"PBEM_DATA_DIR": place})
    assert len(str(caught.value)) < 10_000
