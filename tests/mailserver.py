"""A mail server within a test, which outlives the connections that the code under test keeps to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

from aiosmtpd.controller import Controller
from typing_extensions import override

from pbem.service import Office
from pbem.transport.smtp.connection import kept
from tests.servers import free_port
from tests.table import Table


class MailServer(Controller):
    """On a free port of the loopback interface; takes letters within a ``with``."""

    def __init__(self, handler: object, **more: Any) -> None:
        super().__init__(handler, hostname="127.0.0.1", port=free_port(), **more)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @override
    def stop(self, no_assert: bool = False) -> None:
        kept.hang_up()
        super().stop(no_assert)


@contextmanager
def posting(table: Table, receiver: object) -> Iterator[Office]:
    """The office of a table with its letters sent to this receiver."""
    with MailServer(receiver) as server:
        yield replace(table.office, settings=replace(table.office.settings, smtp_url=server.url))
