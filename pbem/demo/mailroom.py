"""The mail server of the demo: accepts every email, keeps it as ``.eml`` and puts it into its reader's box."""

import itertools
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.runtime import free_port


class Mailroom:
    """Use as ``with Mailroom(folder) as mailroom``; ``url`` is what PBEM_SMTP_URL is to be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kinds: Counter[str] = Counter()
        self.readers: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self._arrived: SimpleQueue[EmailMessage] = SimpleQueue()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._controller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._controller.stop()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        content = envelope.content
        assert isinstance(content, bytes)
        message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
        kind = str(message["X-Pbem-Letter"])
        reader = envelope.rcpt_tos[0].partition("@")[0]
        (self.folder / f"{next(self._numbers):04}-{reader}-{kind}.eml").write_bytes(content)
        self.kinds[kind] += 1
        self.readers[reader] += 1
        self._arrived.put(message)
        return "250 taken"

    @property
    def count(self) -> int:
        return self.kinds.total()

    def next(self, seconds: float) -> EmailMessage | None:
        """The next letter, or ``None`` when none comes in time."""
        try:
            return self._arrived.get(timeout=seconds)
        except Empty:
            return None
