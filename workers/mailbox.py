"""Incoming email from an IMAP mailbox (``PBEM_IMAP_URL``), for servers to which no mail can be delivered by SMTP.

What is read goes the way of what comes by SMTP (:mod:`workers.mailroom`), with the same effect when it is read twice. A
mail about one of our letters is moved into the folder :data:`READ` once it has been dealt with; all others stay where
they are, unread. Nothing is deleted.
"""

import logging
import re
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import cast

from imap_tools.mailbox import BaseMailBox
from imap_tools.utils import chunked_crop

from pbem.service import Office
from pbem.service.base.rate_limits import TooMuch
from pbem.store.database import AWAY
from pbem.transport import imap
from pbem.transport.imap import FetchedMail
from workers.mailroom import LARGEST, RECIPIENTS, Mailroom

log = logging.getLogger("workers.mailin")

READ, FAILED = "pbem-read", "pbem-failed"
"""Folders: what has been dealt with, and what could not be in :data:`TRIES` tries."""
POLL, BEHIND_IDLE = 30.0, 60.0
"""Seconds between two looks: where the server does not announce new mails, and where it does (IDLE)."""
LISTEN = 1.0
"""Seconds of IDLE after which it is seen whether we are to end."""
AGAIN, LONGEST_PAUSE = 5.0, 300.0
"""Seconds before the next connection after one that failed; twice as many after each further one."""
TRIES = 10
"""How often a mail is tried at which we fail."""
HEADERS = 50
"""Mails of which the headers are read at once."""
WAITING = 500
"""Mails that may wait for another try; with so many no new ones are read."""
LONGEST_HEADER = 100_000

_TO = re.compile(
    rb"^(?:to|cc|delivered-to|x-delivered-to|x-original-to|envelope-to|x-envelope-to|resent-to):(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_NOBODY = re.compile(rb"^return-path:\s*<\s*>\s*$", re.IGNORECASE | re.MULTILINE)
_FOLD = re.compile(rb"\r?\n[ \t]+")


class Reader:
    """Reads the mailbox of the settings in a thread of its own, from :meth:`start` to :meth:`stop`."""

    def __init__(self, office: Office, room: Mailroom) -> None:
        self._office, self._room = office, room
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="mailbox")
        self._url = office.settings.imap_url
        own = (office.settings.orders_address, office.settings.return_path)
        parts = [address.rpartition("@") for address in own if address]
        words = [rf"{re.escape(local)}\+[\w.=-]{{1,100}}@{re.escape(host)}" for local, _, host in parts]
        self._ours = re.compile("|".join(words).encode(), re.IGNORECASE) if words else None
        self._seen, self._validity = 0, -1
        self._tries: dict[int, int] = {}
        """Mails that wait for another try, by number, with the tries they had."""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _work(self) -> None:
        pause = AGAIN
        while not self._ended.is_set():
            try:
                with imap.connected(self._url) as box:
                    self._begin(box)
                    while not self._ended.is_set():
                        self.look(box)
                        pause = AGAIN
                        self._wait(box)
            except imap.FAULTS as error:
                log.warning("the mailbox cannot be read: %s; trying again in %.0f s", error, pause)
            except Exception:
                log.exception("the mailbox cannot be read; trying again in %.0f s", pause)
            self._ended.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _begin(self, box: BaseMailBox) -> None:
        """The folders that we need; numbers of mails mean the same as long as the server says so."""
        for folder in (READ, FAILED):
            if not box.folder.exists(folder):
                box.folder.create(folder)
        validity = box.folder.status(imap.folder_of(self._url), ["UIDVALIDITY"])["UIDVALIDITY"]
        if validity != self._validity:
            self._seen, self._validity = 0, validity
            self._tries.clear()
            log.info("reading the mailbox %s", imap.folder_of(self._url))

    def look(self, box: BaseMailBox) -> None:
        """Deal with what has arrived since the last look, and once more with what failed.

        Until nothing new is there: what the server announces beside its other answers, or together with the answer to
        IDLE, is not announced again to who listens. CHECK makes Dovecot look at its folder now and not seconds later.
        """
        while not self._ended.is_set():
            box.client.check()
            if not self._look(box):
                return

    def _look(self, box: BaseMailBox) -> bool:
        """Whether there was anything new."""
        here = {int(uid) for uid in box.uids("ALL" if self._tries else f"UID {self._seen + 1}:*")}
        self._tries = {uid: tries for uid, tries in self._tries.items() if uid in here}
        for uid in list(self._tries):
            self._deal(box, uid)
        new = sorted(uid for uid in here if uid > self._seen and uid not in self._tries)
        for uids in chunked_crop(new, HEADERS):
            about_us = (mail.uid for mail in _fetch(box, uids, headers_only=True) if self._addresses_in(mail.raw))
            for uid in sorted(about_us):
                if self._ended.is_set() or len(self._tries) >= WAITING:
                    return False
                self._deal(box, uid)
                self._seen = uid
            self._seen = uids[-1]
        return bool(new)

    def _addresses_in(self, header: bytes) -> list[str]:
        """Addresses of our letters in a header, each once."""
        lines = _FOLD.sub(b" ", header[:LONGEST_HEADER])
        found = (
            match.decode("ascii", "replace")
            for line in _TO.findall(lines) if self._ours
            for match in self._ours.findall(line)
        )  # fmt: skip
        return list(islice(dict.fromkeys(each for each in found if self._room.is_ours(each)), RECIPIENTS))

    def _deal(self, box: BaseMailBox, uid: int) -> None:
        """Deal with one mail and move it; one that fails stays and is tried again."""
        header = next(iter(_fetch(box, [uid], headers_only=True)), None)
        if header is None:
            self._tries.pop(uid, None)  # moved or deleted by somebody else
            return
        try:
            self._read(box, header)
        except TooMuch as much:
            log.info("a mail in the mailbox waits: %s", much.sentence)
            self._tries.setdefault(uid, 0)
            return
        except (*AWAY, *imap.FAULTS):
            self._tries.setdefault(uid, 0)
            raise
        except Exception:
            tries = self._tries[uid] = self._tries.get(uid, 0) + 1
            log.exception("a mail in the mailbox could not be noted (try %s)", tries)
            if tries < TRIES:
                return
            log.error("a mail that could not be noted in %s tries is in the folder %s now", tries, FAILED)
            self._move(box, uid, FAILED)
            return
        self._move(box, uid, READ)

    def _move(self, box: BaseMailBox, uid: int, folder: str) -> None:
        box.move(str(uid), folder)
        self._tries.pop(uid, None)

    def _read(self, box: BaseMailBox, header: FetchedMail) -> None:
        addresses = self._addresses_in(header.raw)
        if header.size > LARGEST:
            for address in addresses:
                self._room.too_large(address, header.raw)
            return
        for mail in _fetch(box, [header.uid]):
            for address in addresses:
                self._room.deal(address, mail.raw, from_nobody=bool(_NOBODY.search(header.raw)))

    def _wait(self, box: BaseMailBox) -> None:
        """Until something arrives, or the time for the next look has come."""
        if "IDLE" not in box.client.capabilities or self._tries:
            self._ended.wait(POLL)
            return
        end = time.monotonic() + BEHIND_IDLE
        with box.idle as idle:
            while not self._ended.is_set() and (began := time.monotonic()) < end:
                if idle.poll(LISTEN) or time.monotonic() - began < LISTEN / 2:  # told something, or cut off
                    return


def _fetch(box: BaseMailBox, uids: Sequence[int], *, headers_only: bool = False) -> Iterable[FetchedMail]:
    found = box.fetch(
        uid_list=[str(uid) for uid in uids],
        headers_only=headers_only,
        mark_seen=False,
        bulk=len(uids) > 1 and len(uids),
    )
    return cast("Iterable[FetchedMail]", found)
