"""Commands on records: what they print, how they end, and what they say of files that are no records."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pbem import cli
from pbem.engine import catalog, replace
from pbem.engine.record import read_record, running, start, write_record
from tests.databases import put_tables

Json = dict[str, Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short game."""
    file = tmp_path_factory.mktemp("played") / "game.json"
    assert cli.main(["play", "age-of-steam", "barbados", "--seed", "a", "-o", str(file)]) == 0
    return file


@pytest.fixture
def changed(played: Path, tmp_path: Path) -> Callable[[Callable[[Json], object]], str]:
    """Writes the record with something changed, and returns the path."""

    def change(how: Callable[[Json], object]) -> str:
        raw = json.loads(played.read_text("utf-8"))
        how(raw)
        (tmp_path / "changed.json").write_text(json.dumps(raw), "utf-8")
        return str(tmp_path / "changed.json")

    return change


def lines(capsys: pytest.CaptureFixture[str]) -> list[Json]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_replay_prints_every_position_and_the_result(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(played), "--positions"]) == 0
    *entries, last = lines(capsys)
    record = json.loads(played.read_text("utf-8"))
    assert [entry["entry"] for entry in entries] == list(range(len(record["turns"])))
    assert all(set(entry) == {"entry", "position"} for entry in entries)
    assert last == {"result": record["result"]}


def test_an_entry_settled_unasked_is_passed_over(
    changed: Callable[[Callable[[Json], object]], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In the fourth turn of a cycle one action is left on Barbados: it is taken before anybody writes it down."""

    def with_the_forced_action(raw: Json) -> None:
        at = next(i for i, e in enumerate(raw["turns"]) if (e["turn"], e["phase"]) == (4, "build_track"))
        forced = {"turn": 4, "phase": "select_actions", "player": raw["players"][0], "orders": "action none"}
        raw["turns"].insert(at, forced)

    path = changed(with_the_forced_action)
    assert cli.main(["replay", path, "--positions"]) == 0
    over = [(number, line) for number, line in enumerate(lines(capsys)) if "passed_over" in line]
    assert len(over) == 1
    assert over[0][1] == {"entry": over[0][0], "passed_over": True}


def test_replay_stops_at_a_refusal(
    changed: Callable[[Callable[[Json], object]], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda raw: raw["turns"][0].update(orders="issue 9"))
    assert cli.main(["replay", path, "--positions"]) == 1
    (refused,) = lines(capsys)
    assert set(refused) == {"entry", "refused", "rule"}
    assert refused["entry"] == 0
    assert refused["rule"].startswith("R")


def test_what_cannot_be_read_stops_a_replay_as_well(
    changed: Callable[[Callable[[Json], object]], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda raw: raw["turns"][0].update(orders="issue lots"))
    assert cli.main(["replay", path, "--positions"]) == 1
    (refused,) = lines(capsys)
    assert "“lots”" in refused["refused"]


def test_verify_agrees_with_an_honest_record(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(played)]) == 0
    assert "matches the commitment" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda raw: raw.update(seed="00" * 32), "The seed does not match the published commitment."),
        (lambda raw: raw.pop("seed"), "The record has no seed"),
        (lambda raw: raw["result"][0].update(score=999), "The result is not the one the game ends with."),
        (lambda raw: raw["turns"].pop(), "The record ends before the game does."),
        (lambda raw: raw.update(opening={"bag": {"red": 90}}), "an opening of its own"),
        (lambda raw: raw["turns"][0].update(digest="0"), "the position does not match the stored one"),
    ],
)
def test_verify_finds_what_was_forged(
    changed: Callable[[Callable[[Json], object]], str],
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Json], object],
    told: str,
) -> None:
    assert cli.main(["verify", changed(change)]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda raw: raw.pop("turns"), "required field `turns`"),
        (lambda raw: raw["turns"][2].update(turn="x"), "at `$.turns[2].turn`"),
        (lambda raw: raw.update(turns={}), "at `$.turns`"),
        (lambda raw: raw.update(players=["yellow", "yellow"]), "named twice"),
        (lambda raw: raw.update(players=["zebra"]), "cannot be called zebra"),
        (lambda raw: raw.update(players=["red", "blue", "green"]), "cannot be played by 3"),
        (lambda raw: raw.update(seed="xyz"), "hexadecimal"),
        (lambda raw: raw.update(options={"moon": "full"}), "no option moon"),
        (lambda raw: raw.update(map="atlantis"), "no sheet age-of-steam atlantis"),
        (lambda raw: raw.update(format="pgn"), "pbem-record/1"),
        (lambda raw: raw.update(opening={"cubes": {"Z99": ["red"]}}), "Z99, which is not on this map"),
        (lambda raw: raw.update(opening={"cubes": {"B4": ["puce"]}}), "'puce' - at `$.cubes"),
        (lambda raw: raw.update(opening={"bag": {"red": 10**12}}), "at `$.bag"),
        (lambda raw: raw.update(opening={"cubes": {"B1": ["red"] * 1001}}), "more than 1,000 cubes"),
        (lambda raw: raw["turns"][0].update(turn=10**12), "at `$.turns[0].turn`"),
        (lambda raw: raw["turns"][0].update(turn=-1), "at `$.turns[0].turn`"),
        (lambda raw: raw["turns"][0].update(phase="x" * 33), "at `$.turns[0].phase`"),
        (lambda raw: raw["turns"][0].update(orders="#" + "x" * 10_000), "at `$.turns[0].orders`"),
        (lambda raw: raw["turns"][0].update(digest="0" * 65), "at `$.turns[0].digest`"),
        (lambda raw: raw.update(map="../rust_belt"), "There is no sheet"),
        (lambda raw: raw.update(opening={"players": {"red": {}}}), "required field `cash`"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "draw"])
def test_a_record_that_cannot_be_used_is_told_in_a_sentence(
    changed: Callable[[Callable[[Json], object]], str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    change: Callable[[Json], object],
    told: str,
) -> None:
    output = ["-o", str(tmp_path / "board.png")] if command == "draw" else []
    assert cli.main([command, changed(change), *output]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("pbem: ")
    assert told in captured.err
    assert "Error(" not in captured.err


@pytest.mark.parametrize("command", ["replay", "verify", "orders", "review", "import"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file"),
        (b"{", "is not JSON"),
        (b"[]", "does not contain"),
        (b'{"format": "pbem-record/2"}', "of a newer version of this program; this one reads pbem-record/1."),
        (b'{"format": "pbem-record/0"}', "does not contain"),
        (b"\xff", "not JSON"),
        (b" " * 8_000_001, "too large"),
    ],
)
def test_a_file_that_is_no_record_is_told(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    content: bytes | None,
    told: str,
) -> None:
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    put_tables(tmp_path)
    file = tmp_path / "file.json"
    if content is not None:
        file.write_bytes(content)
    assert cli.main([command, str(file)]) == 1
    assert told in capsys.readouterr().err


def test_a_file_without_end_is_given_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "/dev/zero"]) == 1
    assert "too large" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["orders", "draw"])
@pytest.mark.parametrize("at", ["-1", "99999"])
def test_a_number_outside_the_record_is_told(
    played: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, at: str
) -> None:
    output = ["-o", str(tmp_path / "board.png")] if command == "draw" else []
    assert cli.main([command, str(played), "--at", at, *output]) == 1
    assert "entries 0 to" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["draw", "RECORD", "-o"], ["play", "age-of-steam", "barbados", "-o"]])
def test_a_file_that_cannot_be_written_is_told(
    played: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    asked = [str(played) if word == "RECORD" else word for word in words]
    assert cli.main([*asked, str(tmp_path / "nowhere" / "file")]) == 1
    assert "cannot be written: No such file or directory." in capsys.readouterr().err


def test_orders_of_a_position_are_legal_there(played: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = json.loads(played.read_text("utf-8"))
    assert cli.main(["orders", str(played), "--at", "0"]) == 0
    head, *orders = capsys.readouterr().out.splitlines()
    assert record["turns"][1]["phase"] in head
    cut = deepcopy(record)
    cut.pop("result")
    cut["turns"] = [*record["turns"][:1], {**record["turns"][1], "orders": orders[0], "digest": ""}]
    (tmp_path / "next.json").write_text(json.dumps(cut), "utf-8")
    assert cli.main(["replay", str(tmp_path / "next.json")]) == 0


def test_a_running_record_with_secrets_is_drawn_and_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What it hides is made up, and said to be."""
    whole, shown, board = tmp_path / "whole.json", tmp_path / "shown.json", tmp_path / "board.png"
    assert cli.main(["play", "steam-power", "ireland", "--players", "3", "--seed", "4", "-o", str(whole)]) == 0
    record = read_record(whole.read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    public = running(sheet, record, sheet.position(start(sheet, record)[0].state))
    shown.write_text(json.dumps(write_record(replace(public, turns=public.turns[:60]))))
    capsys.readouterr()
    assert cli.main(["replay", str(shown)]) == 0
    assert cli.main(["draw", str(shown), "-o", str(board)]) == 0
    assert board.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert cli.main(["orders", str(shown)]) == 0
    assert "made up" in capsys.readouterr().out
    assert cli.main(["orders", str(whole), "--at", "3"]) == 0
    assert "made up" not in capsys.readouterr().out
