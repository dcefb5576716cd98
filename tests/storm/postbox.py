"""The mail server of the storm: takes letters and notes each, or behaves as badly as it is told to."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from typing_extensions import override

CALM = "calm"
REFUSE_CONNECT, REFUSE_RECIPIENT, REFUSE_DATA = "refuse-connect", "refuse-recipient", "refuse-data"
HANG_CONNECT, HANG_DATA = "hang-connect", "hang-data"
CLOSE_CONNECT, CLOSE_DATA, CLOSE_AFTER = "close-connect", "close-data", "close-after"
REFUSING = (REFUSE_CONNECT, REFUSE_RECIPIENT, REFUSE_DATA)
HANGING = (HANG_CONNECT, HANG_DATA)
CLOSING = (CLOSE_CONNECT, CLOSE_DATA, CLOSE_AFTER)
"""``CLOSE_AFTER`` takes the letter and closes the connection instead of saying so."""
LOOKS_EVERY = 0.05
TRAPPED_FOR = 15.0
FOLDER_LOOKS = 0.2


@dataclass(frozen=True, slots=True)
class Taken:
    """A letter that has been taken. ``at``: seconds since the epoch; ``told``: whether the sender was told so."""

    message_id: str
    kind: str
    to: str
    at: float
    told: bool


class Trap:
    """Catches one letter at the end of its conversation and keeps the sender waiting.

    ``taken``: the letter counts as taken before its sender is kept waiting. ``caught`` is set when there is one, and
    ``peer`` is then the address of the sender.
    """

    def __init__(self, *, taken: bool) -> None:
        self.taken = taken
        self.caught, self.gone = threading.Event(), threading.Event()
        self.peer: tuple[str, int] = ("", 0)


class Conversation(SMTP):
    """A conversation that may be over before it has begun."""

    @override
    async def _handle_client(self) -> None:
        mood = self.event_handler.mood
        if mood == HANG_CONNECT:
            await self.event_handler.wait_out(mood)
        if mood in (HANG_CONNECT, REFUSE_CONNECT):
            await self.push("421 4.3.2 not now")
        if mood in (HANG_CONNECT, REFUSE_CONNECT, CLOSE_CONNECT):
            _close(self)
            return
        await super()._handle_client()


def _close(server: SMTP) -> None:
    assert server.transport is not None
    server.transport.close()


def _peer(session: Session) -> tuple[str, int]:
    peer: tuple[str, int] | str | None = session.peer
    return (peer[0], peer[1]) if isinstance(peer, tuple) else ("", 0)


class Listener(Controller):
    """Makes such conversations."""

    @override
    def factory(self) -> SMTP:
        return Conversation(self.handler, **self.SMTP_kwargs)


class Postbox:
    """Use :meth:`start` and :meth:`stop`; ``deliver`` is given every letter as it is taken, in any thread."""

    def __init__(self, address: str, port: int, deliver: Callable[[EmailMessage], None]) -> None:
        self.mood = CALM
        self.taken: list[Taken] = []
        self._deliver = deliver
        self._trap: Trap | None = None
        self._controller = Listener(self, hostname=address, port=port, ident="storm")

    @property
    def url(self) -> str:
        return f"smtp://{self._controller.hostname}:{self._controller.port}"

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    def set_trap(self, trap: Trap | None) -> None:
        """Let the next letter run into a trap."""
        self._trap = trap

    async def wait_out(self, mood: str) -> None:
        """Wait until the mood is another."""
        while self.mood == mood:
            await asyncio.sleep(LOOKS_EVERY)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Whether letters to this address are taken now."""
        if self.mood == REFUSE_RECIPIENT:
            return "451 4.7.1 try again later"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take a letter, or not."""
        trap, self._trap = self._trap, None
        mood, content = self.mood, envelope.content
        assert isinstance(content, bytes)
        if trap is not None:
            return await self._catch(trap, session, content)
        if mood == HANG_DATA:
            await self.wait_out(mood)
        if mood in (HANG_DATA, CLOSE_DATA, CLOSE_AFTER):
            if mood == CLOSE_AFTER:
                self.take(content, told=False)
            _close(server)
            return "421 4.3.2 closed"
        if mood == REFUSE_DATA:
            return "452 4.3.1 no room"
        self.take(content)
        return "250 taken"

    async def _catch(self, trap: Trap, session: Session, content: bytes) -> str:
        if trap.taken:
            self.take(content, told=False)
        trap.peer = _peer(session)
        trap.caught.set()
        end = time.monotonic() + TRAPPED_FOR
        while not trap.gone.is_set() and time.monotonic() < end:
            await asyncio.sleep(LOOKS_EVERY)
        return "451 4.3.0 nobody is there any more"

    def take(self, content: bytes, *, told: bool = True) -> None:
        """Note a letter and hand it to its reader."""
        message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
        to = message["To"].addresses[0].addr_spec
        kind, number = str(message["X-Pbem-Letter"]), str(message["Message-ID"])
        self.taken.append(Taken(number, kind, to, time.time(), told))
        self._deliver(message)


class Outbox:
    """Collects letters from the outbox folder of a worker that has no mail server, as a mail program would."""

    def __init__(self, folder: Path, postbox: Postbox) -> None:
        self._folder, self._postbox = folder, postbox
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._collect, name="outbox", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _collect(self) -> None:
        while not self._ended.wait(FOLDER_LOOKS):
            self.look()
        self.look()

    def look(self) -> None:
        """Take every whole letter out of the folder."""
        for path in sorted(self._folder.glob("*.eml")):
            content = path.read_bytes()
            path.unlink()
            self._postbox.take(content)
