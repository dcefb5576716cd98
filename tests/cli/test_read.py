"""``pbem read``: a whole email or its text, a file or standard input, and what is said of text that is no position."""

import io
import json
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem import cli
from pbem.engine import catalog
from pbem.language import reading
from pbem.rails import board_reader
from pbem.rails.sheet import MapSheet
from tests.every_map.games import deal
from tests.every_map.position_texts import board_text_of, names_of, text_of

SHEET = catalog.sheet("steam-power", "ireland")
STATE = deal(SHEET, 1, 3)
NAMES = names_of(STATE)
VIEWER = STATE.seats[1]


def text(language: str = "en") -> str:
    with reading(language):
        return f"Act, Ana:\n1. draw\n\n{text_of(SHEET, STATE, NAMES, VIEWER)}\n\n-- \nFoot\n"


def email() -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "game@example.org", "Your turn"
    message.set_content(text("pl"))
    message.add_alternative("<p>The position:</p>", subtype="html")
    return message.as_bytes()


@pytest.mark.parametrize("written", [text().encode(), text("es").replace("\n", "\r\n").encode(), email()])
@pytest.mark.parametrize("by", ["file", "-"])
def test_the_position_of_an_email_is_printed(
    written: bytes, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "email"
    file.write_bytes(written)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    assert cli.main(["read", str(file) if by == "file" else "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(SHEET.canonical(STATE, VIEWER))
    assert printed["players"][VIEWER]["hand"] == list(STATE.players[VIEWER].hand)
    assert printed["players"][STATE.seats[0]]["hand"] == 5


def test_the_printed_board_of_an_email_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "email"
    with reading("pt"):
        file.write_text(f"{text('pt')}\n\n{board_text_of(SHEET)}\n\n-- \nFoot\n")
    assert cli.main(["read", "--board", str(file)]) == 0
    assert isinstance(SHEET, MapSheet)
    assert json.loads(capsys.readouterr().out) == board_reader.plain(SHEET)
    file.write_text(board_text_of(SHEET).replace("hill", "mountain", 2))
    assert cli.main(["read", "--board", str(file)]) == 1
    assert "Steam Power, Ireland has other" in capsys.readouterr().err


CASH = f"cash {SHEET.start_cash}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "No paragraph of the text begins with “The position:”"),
        ("\x00" * 100, "No paragraph"),
        (text().replace("Check: ", "Chuck: "), "The text has no line “Check”"),
        (text().replace("Steam Power, Ireland", "Steam Power, Atlantis"), "does not begin with a game and a map"),
        (text().replace(CASH, "cash 7", 1), "“Check: "),
        (text().replace("points ", "points 1", 1), "does not fit the rest"),
        (text().replace(CASH, "gold 5", 1), "“gold” means nothing here"),
        (text().replace("Players, in turn order:", "Players:"), "means nothing here"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(
    written: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "email"
    file.write_text(written)
    assert cli.main(["read", str(file)]) == 1
    assert sentence in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["read", str(tmp_path / "none")]) == 1
    assert "cannot be read: No such file" in capsys.readouterr().err
