"""Connections to the IMAP mailbox that ``PBEM_IMAP_URL`` names: encrypted, logged in, in its folder."""

import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from urllib.parse import unquote, urlsplit

from imap_tools.errors import ImapToolsError
from imap_tools.idle import IdleManager
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from typing_extensions import override

from pbem.settings.addresses import is_loopback

SECONDS = 20.0
"""How long the server has for each answer."""
FOLDER = "INBOX"
FAULTS = (ImapToolsError, IMAP4.error, OSError)
"""What a conversation raises when the server refuses something, or is gone."""

_UID = re.compile(rb"\bUID (\d+)")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")


class Unfit(ImapToolsError):
    """The server can be reached but not used; the text is a sentence."""


class FetchedMail:
    """A mail as the server keeps it, not parsed: parsers of strangers' mails run in a process of their own.

    ``uid``: its number in the folder; ``size``: bytes of the whole mail; ``raw``: it, or its header.
    """

    def __init__(self, fetched: Sequence[bytes | tuple[bytes, bytes]]) -> None:
        said = b" ".join(part[0] if isinstance(part, tuple) else part for part in fetched)
        self.raw = next((part[1] for part in fetched if isinstance(part, tuple)), b"")
        uid, size = _UID.search(said), _SIZE.search(said)
        self.uid = int(uid[1]) if uid else 0
        self.size = int(size[1]) if size else len(self.raw)


class Idle(IdleManager):
    """IDLE in which nothing is overheard.

    What the server announces in one packet with its first answer is in the client's buffer when the library begins to
    watch the socket: the next mail would be heard, and this one not.
    """

    @override
    def poll(self, timeout: float | None) -> list[bytes]:
        client = self.mailbox.client
        before = client.sock.gettimeout()
        client.sock.settimeout(0)
        try:
            waits = bool((client._file if hasattr(client, "_file") else client.file).peek(1))  # by version of Python
        except OSError:  # of an encrypted connection, where nothing is there
            waits = False
        finally:
            client.sock.settimeout(before)
        return [client.readline()] if waits else super().poll(timeout)


def folder_of(imap_url: str) -> str:
    """The folder of the mailbox in which new mail arrives."""
    return unquote(urlsplit(imap_url).path.strip("/")) or FOLDER


@contextmanager
def connected(imap_url: str) -> Iterator[BaseMailBox]:
    """The mailbox, with its folder open. Raises :data:`FAULTS`.

    A server on another machine must encrypt, and every server must be able to move mails: without that a mail would
    have to be copied and deleted, and with it whatever else is marked for deletion in the folder.
    """
    url = urlsplit(imap_url)
    host = url.hostname or ""
    context = ssl.create_default_context()
    if url.scheme == "imaps":
        box: BaseMailBox = MailBox(host, url.port or 993, timeout=SECONDS, ssl_context=context)
    elif is_loopback(host):
        box = MailBoxUnencrypted(host, url.port or 143, timeout=SECONDS)
    else:
        box = MailBoxStartTls(host, url.port or 143, timeout=SECONDS, ssl_context=context)
    box.email_message_class = FetchedMail  # type: ignore[assignment]  # it is only made and handed on
    box.idle = Idle(box)
    try:
        box.login_utf8(unquote(url.username or ""), unquote(url.password or ""), None)
        _look_again(box.client)
        if "MOVE" not in box.client.capabilities:
            raise Unfit("The IMAP server cannot move emails (MOVE, RFC 6851), which pbem needs.")
        box.folder.set(folder_of(imap_url))
        yield box
    finally:
        with suppress(*FAULTS):  # the server may be gone, and then there is nobody to say goodbye to
            box.logout()
        with suppress(OSError):  # which logout has done where there was somebody
            box.client.shutdown()


def _look_again(client: IMAP4) -> None:
    """What the server can do is more for those who are logged in."""
    _, said = client.capability()
    client.capabilities = tuple(said[-1].decode("ascii", "replace").upper().split())
