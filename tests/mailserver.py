"""A mail server within a test, which outlives the connections that the code under test keeps to it."""

from typing import Any

from aiosmtpd.controller import Controller
from typing_extensions import override

from pbem.transport.smtp.connection import kept
from tests.servers import free_port


class MailServer(Controller):
    """On a free port of the loopback interface; use :meth:`start` and :meth:`stop`."""

    def __init__(self, handler: object, **more: Any) -> None:
        super().__init__(handler, hostname="127.0.0.1", port=free_port(), **more)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @override
    def stop(self, no_assert: bool = False) -> None:
        kept.hang_up()
        super().stop(no_assert)
