"""Emails as people, phones, programs and attackers send them (``samples/``), and what must come out of each.

All are of our own writing, in the shapes that mail programs give to answers; ``samples/expected.toml`` says for each
what it is an answer to and what is to be made of it. They go the way of a real one: what stands in the email, which
words are no orders, and the orders in the position that was asked about.
"""

import functools
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pbem.engine import BadMove, catalog
from pbem.engine.chance import SeededChance
from pbem.mail.reader import ReadRequest, content, head
from pbem.service.email_in import mail_words, replies
from pbem.service.email_in.replies import FORM
from pbem.service.turns.plain_orders import PlainReader
from pbem.service.turns.progress import written

FOLDER = Path(__file__).parent / "samples"
OURS = ("club@play.example.org", "orders+7-0123456789abcdef@play.example.org")
NAMES = {"red": "Ana", "blue": "Ben", "green": "Chloé"}
SHARES, AUCTION, ACTIONS = (
    ("issue 2",) * 3,
    ("drop",) * 2,
    ("action engineer", "action locomotive", "action production"),
)
BEFORE: Mapping[str, tuple[str, ...]] = {
    "shares": (),
    "planning": (),
    "bids": SHARES,
    "actions": (*SHARES, *AUCTION),
    "build": (*SHARES, *AUCTION, *ACTIONS),
    "move": (*SHARES, *AUCTION, *ACTIONS, *("build nothing",) * 3),
}
"""What was played in the first turn on Rust Belt before each question."""
EXPECTED: dict[str, dict[str, str]] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))


@functools.cache
def position(asked: str) -> PlainReader:
    """What reads the answers to a question."""
    sheet = catalog.sheet("steam-power", "ireland") if asked == "steam" else catalog.sheet("age-of-steam", "rust_belt")
    chance = SeededChance(b"samples", "")
    state = sheet.start(tuple(NAMES), chance, {}).state
    for order in BEFORE.get(asked, ()):
        seat = sheet.to_act(state)
        assert seat is not None
        state = sheet.play(state, seat, sheet.parse(state, order, NAMES), chance).state
    return PlainReader(sheet, state, NAMES)


def made_of(raw: bytes, asked: str) -> dict[str, str | bool]:
    """What is made of an email, in the words of ``expected.toml``."""
    return read_by(position(asked), raw, FORM if asked == "planning" else ())


def read_by(reader: PlainReader, raw: bytes, form: Sequence[str] = ()) -> dict[str, str | bool]:
    """The same for an email about the position of the reader; ``form``: how the lines begin that plan a turn."""
    if head(raw).automatic:
        return {"nothing": True}
    found = content(ReadRequest("orders", len(raw), OURS, form=tuple(form)), raw)
    if found.problem:
        return {found.problem.replace(" ", "_"): True}
    said = mail_words.parts(found.text)
    made: dict[str, str | bool] = {key: text for key in ("word", "talk", "note") if (text := getattr(said, key))}
    if made and not said.orders:
        return made
    if (tried := replies.to_try(said.orders)) is not None:
        return {"try": tried}
    try:
        moves = reader.parse(said.orders)
    except BadMove:
        return {**made, "refused": True}
    return {**made, "orders": "\n".join(written((move,)) for move in moves)}


@pytest.mark.parametrize("name", EXPECTED)
def test_of_each_sample_comes_what_its_writer_meant(name: str) -> None:
    expected = {key: value for key, value in EXPECTED[name].items() if key not in ("shape", "asked")}
    assert made_of((FOLDER / f"{name}.eml").read_bytes(), EXPECTED[name]["asked"]) == expected


def test_every_sample_is_looked_at() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 60
