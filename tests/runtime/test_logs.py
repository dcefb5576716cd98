"""The logs of a real server while people play and things break: nobody is to be found in them."""

import contextlib
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import text

from pbem.demo.browser import Browser
from pbem.runtime import Server, free_port, url
from pbem.service import Office, open_office
from pbem.service.base.tokens import TurnClaim
from pbem.service.games import opening, views
from pbem.service.orders.submissions import NewSubmission, submit
from pbem.service.people import accounts, webhooks
from pbem.settings.settings import Settings
from pbem.store.database import Database
from tests.patience import PATIENCE

PEOPLE = ("Annabella", "Bartholomew", "Clementina")
SECRET_WEBHOOK = "/api/webhooks/1234/the-secret-of-a-webhook"


class Receiver:
    """Takes the letters; sometimes it says in its answer whom it does not like."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.rude = False

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address.startswith("nobody"):
            return f"550 5.1.1 <{address}>: user {address.partition('@')[0]} unknown in our tables"
        envelope.rcpt_tos.append(address)
        return "250 taken"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, _class=EmailMessage, policy=policy.default)
        if letter["X-Pbem-Letter"] == "mail-returned":
            self.rude = True
            return f"451 4.7.1 {envelope.rcpt_tos[0]} has had enough of {envelope.mail_from}"
        self.letters.append(letter)
        return "250 taken"

    @property
    def links(self) -> list[str]:
        """Every private address of every letter."""
        found: list[str] = []
        for letter in self.letters:
            for kind in ("plain", "html"):
                body = letter.get_body((kind,))
                assert body is not None
                found += re.findall(r"http://127\.0\.0\.1:\d+(/(?:t|s|i|u|v|o|login)/[^\s\"]+)", body.get_content())
        return list(dict.fromkeys(found))


@dataclass
class House:
    """A running server, its mail server, and an office of ours on the same database."""

    root: str
    office: Office
    receiver: Receiver
    logs: Path

    def logged(self) -> str:
        """What all processes have logged so far."""
        return "".join(path.read_text() for path in self.logs.iterdir())

    def until(self, what: Callable[[], object], sentence: str) -> None:
        """Wait for what other processes do."""
        end = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < end, f"{sentence}: {self.logged()}"
            time.sleep(0.05)

    def get(self, path: str) -> int:
        try:
            with urllib.request.urlopen(self.root + path) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    receiver = Receiver()
    mail = Controller(receiver, hostname="127.0.0.1", port=free_port())
    port = free_port()
    ours = {
        "PBEM_DATA_DIR": str(tmp_path / "var"), "PBEM_PUBLIC_URL": url("127.0.0.1", port), "PBEM_LOG": "json",
        "PBEM_SMTP_URL": f"smtp://127.0.0.1:{mail.port}", "PBEM_WEBHOOKS_LOOPBACK": "yes",
        "PBEM_OPERATOR": "octavia@example.org", "GUNICORN_CMD_ARGS": "--access-logfile -",
    }  # fmt: skip
    with contextlib.ExitStack() as stack:
        stack.callback(mail.stop)
        mail.start()
        stack.enter_context(Server({**os.environ, **ours}, port, logs=tmp_path / "logs"))
        office = open_office(Settings.read(ours))
        stack.callback(office.database.close)
        yield House(ours["PBEM_PUBLIC_URL"], office, receiver, tmp_path / "logs")


def open_game(house: House) -> str:
    """Annabella opens a game; the other two follow the links of their invitations, and nobody is invited, too."""
    now = datetime.now(UTC)
    with house.office.write() as session:
        host = accounts.account(session, f"{PEOPLE[0].lower()}@example.org", PEOPLE[0], now).id
    others = tuple(opening.Invited(f"{name.lower()}@example.org", name) for name in PEOPLE[1:])
    game = opening.open_game(
        house.office,
        host,
        opening.NewGame("Ruhr", "age-of-steam", "rust_belt", others, seed=b"logs", grace=timedelta(0)),
        now,
    )
    opening.open_game(
        house.office, host, opening.NewGame("Saar", "age-of-steam", "rust_belt",
        (opening.Invited("nobody-of-note@example.org", "Nonentity"), others[0])), now,
    )  # fmt: skip
    webhooks.add(house.office, host, "slack", f"http://127.0.0.1:{free_port()}{SECRET_WEBHOOK}", "", now)
    return game


def play(house: House, browser: Browser, game: str, orders: int) -> None:
    """Answer what is asked by the links of the letters."""
    for _ in range(orders):
        view = views.game(house.office, game)
        wanted = house.office.addresses.turn(game, view.waiting_for, view.version)
        path = urlsplit(wanted).path
        house.until(lambda path=path: [link for link in house.receiver.links if link.startswith(path)], "no letter")  # type: ignore[misc]
        link = next(link for link in house.receiver.links if link.startswith(f"{path}?order="))
        browser.send_form_of(house.root + link)
        house.until(lambda view=view: views.game(house.office, game).version > view.version, "not played")  # type: ignore[misc]


def break_the_game(house: House, game: str) -> str:
    """The position cannot be read for a while: pages and orders meet an error of ours. Returns the token."""
    view, office = views.game(house.office, game), house.office
    token = office.tokens.make(TurnClaim(game, view.waiting_for, view.version))
    good = _set_state(office.database, game, b"not a state")
    secret = f"# {PEOPLE[1]}: do not tell {PEOPLE[2]}\npass"
    submit(office, game, NewSubmission(view.waiting_for, secret, view.version, "page"), datetime.now(UTC))
    assert house.get(f"/t/{token}") == 500
    house.until(lambda: "is stuck" in house.logged(), "not stuck")
    _set_state(office.database, game, good)
    return token


def _set_state(database: Database, game: str, state: bytes) -> bytes:
    with database.write() as session:
        before: bytes = session.scalar(text("SELECT state FROM games WHERE id = :id"), {"id": game})
        session.execute(text("UPDATE games SET state = :state WHERE id = :id"), {"id": game, "state": state})
    return before


def test_nobody_is_found_in_the_logs_of_a_server_while_things_break(house: House) -> None:
    game = open_game(house)
    browser = Browser(house.root)
    house.until(lambda: len([link for link in house.receiver.links if link.startswith("/i/")]) >= 6, "no invitations")
    for link in [link for link in house.receiver.links if link.startswith("/i/") and "accept" in link]:
        browser.send_form_of(house.root + link)
    house.until(lambda: views.game(house.office, game).status == "running", "not started")
    play(house, browser, game, 2)
    token = break_the_game(house, game)
    assert house.get(f"/t/{token[:-3]}") == 404
    browser.close()
    for sentence in (
        "is played",
        "not taken: 550 5.1.1",
        "not taken: SMTPDataError",
        "GET /t/<token>",
        "message 1 was not",
    ):
        house.until(lambda sentence=sentence: sentence in house.logged(), sentence)  # type: ignore[misc]
    written = house.logged()
    events = [json.loads(line) for line in written.splitlines()]
    assert {event["process"] for event in events} >= {"web", "worker"}
    assert {event.get("game") for event in events if "is stuck" in event["message"]} == {game}
    assert [event["route"] for event in events if event["message"].startswith("error ")] == ["/t/<token>"]
    everybody = [*PEOPLE, *(name.lower() for name in PEOPLE), "nobody-of-note", "Nonentity", "octavia", "@example.org"]
    tokens = {re.split(r"[/?.]", link.split("/")[2])[0] for link in house.receiver.links}
    assert len(tokens) > 10
    for secret in (*everybody, *tokens, token, SECRET_WEBHOOK, house.office.settings.secret_key):
        assert secret not in written, secret
