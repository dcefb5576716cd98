"""Robots that answer their emails by email: as mail programs write answers, and whole games without a page."""

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from pbem.demo import game, planner, replier
from pbem.demo.replier import PROGRAMS, Replier
from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.record import read_record, verify
from pbem.mail.compose import compose
from pbem.robot.trying import after
from pbem.service.base.urls import Addresses
from pbem.service.letters import outbox
from pbem.service.orders import submissions
from tests.databases import Sqlite
from tests.mail.arriving import arrived
from tests.mail.test_samples import made_of, position
from tests.table import Table
from workers import work
from workers.mailroom import Mailroom

LETTER = """ISSUE SHARES. You have $10 in hand.

[issue 0] http://127.0.0.1/t/a?order=issue+0
[issue 2] http://127.0.0.1/t/a?order=issue+2
Board: http://127.0.0.1/t/a

--
A link opens a page and changes nothing; the button on that page does.
"""


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("text", ["issue 2", "[issue 2] http://127.0.0.1/t/a?order=issue+2"])
def test_of_an_answer_in_every_program_the_order_is_read(program: object, text: str) -> None:
    message: EmailMessage = program(text, "Ana", LETTER)  # type: ignore[operator]
    message["From"] = "Ana <ana@demo.invalid>"
    assert made_of(message.as_bytes(), "shares") == {"orders": "issue 2"}


def test_a_robot_lays_a_new_city_and_its_track_in_one_answer() -> None:
    sheet, state, chance = catalog.sheet("age-of-steam", "rust_belt"), position("actions").state, SeededChance(b"x", "")
    orders = ["action urbanization", "action engineer", "action locomotive", *["build nothing"] * 3]
    for order in orders:
        seat = sheet.to_act(state)
        assert seat is not None
        if order == "build nothing" and sheet.position(state)["players"][seat]["action"] == "urbanization":
            break
        state = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
    assert seat is not None
    order = planner.choose(sheet, state, seat, Random(1))
    assert re.fullmatch(r"build city [A-H] \w+(; \w+ [\w@,-]+)+", order), order
    played = after(sheet, state, seat, order)
    assert played is not None
    assert sheet.to_act(played) != seat


class Post:
    """The robots of a game, and the server in the same process: their emails come in as if from the wire."""

    def __init__(self, table: Table) -> None:
        self.table, self.room = table, Mailroom(table.office)
        names = [seat.name for seat in table.view().seats]
        self.robots = {name: Replier(name, f"{name}@x", n, 0, Random(name)) for n, name in enumerate(names)}

    def take(self, message: EmailMessage, to: str) -> None:
        self.room.deal(to, message.as_bytes(), from_nobody=False)
        submissions.play_waiting(self.table.office, self.table.game, self.table.now)

    def play_on(self) -> None:
        """Send what is due, and let its readers answer."""
        for row in self.table.letters(status="waiting"):
            if outbox.claim(self.table.office, row.id, self.table.now):
                message = arrived(compose(self.table.read(row), None, "pbem <pbem@play.example.org>"))
                outbox.sent(self.table.office, row.id, self.table.now)
                if row.kind == "your-turn":
                    self.robots[self.table.read(row).envelope.name].answer(message)


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    table = Table(Sqlite(tmp_path).fresh(), tmp_path)
    monkeypatch.setattr(work, "now", lambda: table.now)
    settings = replace(table.office.settings, orders_address="orders@play.example.org")
    addresses = Addresses(settings.public_url, table.office.tokens, settings.orders_address)
    table.office = replace(table.office, settings=settings, addresses=addresses)
    table.open(("Ana", "Ben"), map="st_lucia")
    table.answer(1)
    made = Post(table)
    monkeypatch.setattr(Replier, "_send", lambda _, message, to: made.take(message, to))
    yield made
    made.room.close()
    table.close()


def test_robots_play_a_turn_by_replies_alone(post: Post) -> None:
    while post.table.view().sheet.turn(post.table.view().state) < 2:
        before = len(post.table.submissions())
        post.play_on()
        assert len(post.table.submissions()) > before, "nobody has answered"
    assert {(row.via, row.status) for row in post.table.submissions()} == {("mail", "played")}


@pytest.mark.slow
def test_a_whole_game_is_played_by_email_through_real_smtp(tmp_path: Path) -> None:
    sheet, folder = catalog.sheet("age-of-steam", "rust_belt"), tmp_path / "demo"
    game.run(game.Setup(sheet, 4, "1", folder, reply=True), lambda _: None)
    record = json.loads((folder / "record.json").read_bytes())
    assert verify(sheet, read_record(json.dumps(record))).faults == ()
    assert len(record["turns"]) > 150
    by_pages = len(record["turns"]) + 3 * 4  # a question for each answer, invitations, the start and the end
    assert len(list((folder / "mails").iterdir())) <= 1.1 * by_pages
    (file,) = (folder / "server").glob("*.sqlite")
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT DISTINCT via, status FROM submissions").fetchall() == [("mail", "played")]


def test_robots_that_reply_know_no_more_than_their_emails_and_the_rules() -> None:
    """No database, no pages, nothing of the server: what it sees of a game is what an email says."""
    code = Path(replier.__file__).read_text("utf-8")
    known = set(re.findall(r"^(?:from|import) (pbem\.\w+)", code, re.MULTILINE))
    assert known == {"pbem.demo", "pbem.engine", "pbem.language"}
