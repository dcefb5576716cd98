"""What goes wrong, at random moments: each kind is a method that breaks something and lets it come back."""

import contextlib
import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import psycopg
from typing_extensions import override

from tests.storm import postbox
from tests.storm.plant import FAST, IMMEDIATE, Postgresql, Redis
from tests.storm.postbox import Postbox, Trap
from tests.storm.supervisor import Supervisor

IN_A_MOVE = """
    SELECT application_name FROM pg_stat_activity
    WHERE application_name LIKE 'worker%' AND backend_xid IS NOT NULL
      AND (query LIKE '%submissions%' OR query LIKE '%moves%' OR query LIKE '%games%' OR query LIKE '%seats%')
"""
"""Workers whose transaction has written something about a game."""
MOMENT, PEEKS_EVERY = 8.0, 0.002
"""How long a fault waits for its moment, and how often it looks."""
CLOCK_DEAD, CUT_OFF = 60.0, 60.0


class Missed(Exception):
    """The moment did not come."""


class Faults:
    """Knows how to break each part. ``injected`` counts by kind; ``log`` is told every one as it happens."""

    def __init__(
        self,
        supervisor: Supervisor,
        database: Postgresql,
        broker: Redis,
        mail: Postbox,
        workers: Sequence[str],
        webs: Sequence[str],
        luck: random.Random,
    ) -> None:
        self.injected: Counter[str] = Counter()
        self.full_outbox: Callable[[], contextlib.AbstractContextManager[None]] | None = None
        self.cut_off: Callable[[str], contextlib.AbstractContextManager[None]] | None = None
        self.short = False
        self._supervisor, self._database, self._broker, self._mail = supervisor, database, broker, mail
        self._workers, self._webs, self._luck = workers, webs, luck
        self._mailing = threading.Lock()

    def kinds(self) -> dict[str, tuple[int, Callable[[], None]]]:
        """Every kind with its weight among a hundred."""
        kinds = {
            "worker killed in a move": (16, self.worker_in_a_move),
            "worker killed in a mail, not taken yet": (8, lambda: self.worker_in_a_mail(taken=False)),
            "worker killed in a mail, just taken": (8, lambda: self.worker_in_a_mail(taken=True)),
            "web process killed": (10, self.web),
            "Redis stopped and emptied": (10, self.redis),
            "PostgreSQL restarted, fast": (7, lambda: self.postgresql(FAST)),
            "PostgreSQL restarted, immediate": (7, lambda: self.postgresql(IMMEDIATE)),
            "mail server refuses": (9, lambda: self.mail(postbox.REFUSING, 3, 9)),
            "mail server hangs": (6, lambda: self.mail(postbox.HANGING, 3, 8)),
            "mail server closes connections": (9, lambda: self.mail(postbox.CLOSING, 2, 6)),
            "clock dead for a minute": (3, self.clock),
        }
        if self.full_outbox is not None:
            kinds["disk of the outbox full"] = (7, self.outbox)
        if self.cut_off is not None:
            kinds["worker host cut off for a minute"] = (6, self.host)
        return kinds

    def kinds_to_come(self) -> list[str]:
        """The kinds that have not happened yet."""
        return [name for name in self.kinds() if not self.injected[name]]

    def worker_in_a_move(self) -> None:
        """Kill a worker that has written a part of its transaction."""
        self._supervisor.kill(self._in_a_move())

    def _in_a_move(self) -> str:
        end = time.monotonic() + MOMENT
        with contextlib.closing(psycopg.connect(self._plain_url(), autocommit=True)) as connection:
            while time.monotonic() < end:
                found = connection.execute(IN_A_MOVE).fetchone()
                if found is not None:
                    return str(found[0])
                time.sleep(PEEKS_EVERY)
        raise Missed

    def worker_in_a_mail(self, *, taken: bool) -> None:
        """Kill a worker that waits for the mail server to say whether it has taken a letter."""
        with self._mailing:
            trap = Trap(taken=taken)
            self._mail.set_trap(trap)
            try:
                if not trap.caught.wait(MOMENT):
                    raise Missed
                self._supervisor.kill(self._talking(trap.peer))
            finally:
                self._mail.set_trap(None)
                trap.gone.set()

    def _talking(self, peer: tuple[str, int]) -> str:
        """The worker at the other end of a connection."""
        for name in self._workers:
            for pid in self._supervisor.family(name):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any(link.laddr == peer for link in psutil.Process(pid).net_connections("tcp")):
                        return name
        raise Missed

    def web(self) -> None:
        """Kill a web process: the one that serves, which gunicorn replaces, or all of a gunicorn."""
        name = self._luck.choice(self._webs)
        serving = self._supervisor.family(name)[1:]
        if serving and self._luck.random() < 0.5:
            os.kill(self._luck.choice(serving), signal.SIGKILL)
        else:
            self._supervisor.kill(name)

    def redis(self) -> None:
        """Stop Redis for some seconds; it comes back empty."""
        self._broker.stop(signal.SIGKILL)
        time.sleep(self._luck.uniform(0, 1.5 if self.short else 12))
        self._broker.start()

    def postgresql(self, how: signal.Signals) -> None:
        """Restart PostgreSQL, now and then with a pause."""
        self._database.stop(how)
        time.sleep(self._luck.choice((0.0, 0.3, 1.0 if self.short else 5.0)))
        self._database.start()

    def mail(self, moods: Sequence[str], least: float, most: float) -> None:
        """Let the mail server be in one of these moods for some seconds."""
        with self._mailing:
            self._mail.mood = self._luck.choice(moods)
            time.sleep(self._luck.uniform(least, most) / (3 if self.short else 1))
            self._mail.mood = postbox.CALM

    def clock(self) -> None:
        """No clock for a minute."""
        with self._supervisor.held("clock"):
            time.sleep(3 if self.short else CLOCK_DEAD)

    def outbox(self) -> None:
        """No room for letters that are put into a folder."""
        assert self.full_outbox is not None
        with self.full_outbox():
            time.sleep(self._luck.uniform(3, 10) / (3 if self.short else 1))

    def host(self) -> None:
        """One host reaches nobody for a minute, from a moment on in which its worker is in a move, if there is one."""
        assert self.cut_off is not None
        try:
            name = self._in_a_move()
        except Missed:
            name = self._luck.choice(self._workers)
        with self.cut_off(name):
            time.sleep(CUT_OFF)

    def _plain_url(self) -> str:
        return self._database.url.replace("postgresql+psycopg", "postgresql")


LONG = ("clock dead for a minute", "worker host cut off for a minute")


class Weather(threading.Thread):
    """Injects faults while :attr:`due` says that there should have been more by now.

    Each kind comes once, and again until its moment has come; then a bag of kinds by weight is shuffled, so that every
    kind comes in its share. Long ones run beside the others.
    """

    def __init__(
        self, faults: Faults, due: Callable[[], float], luck: random.Random, log: Callable[[str], None]
    ) -> None:
        super().__init__(name="weather", daemon=True)
        self._faults, self._due, self._luck, self._log = faults, due, luck, log
        self._ended = threading.Event()
        self._beside: dict[str, threading.Thread] = {}

    def stop(self) -> None:
        """Let what is broken come back, and break nothing more."""
        self._ended.set()
        self.join()
        for thread in self._beside.values():
            thread.join()

    @override
    def run(self) -> None:
        kinds = self._bag()
        while not self._ended.wait(self._luck.uniform(0.1, 0.6)):
            if self._faults.injected.total() < self._due():
                self._inject(next(kinds))

    def _bag(self) -> Iterator[str]:
        while to_come := [name for name in self._faults.kinds_to_come() if not self._is_running(name)]:
            self._luck.shuffle(to_come)
            yield from to_come
        while True:
            bag = [name for name, (weight, _) in self._faults.kinds().items() for _ in range(weight)]
            self._luck.shuffle(bag)
            yield from bag

    def _inject(self, name: str) -> None:
        if name in LONG:
            if not self._is_running(name):
                self._beside[name] = threading.Thread(target=self._try, args=(name,), name=name)
                self._beside[name].start()
            return
        self._try(name)

    def _is_running(self, name: str) -> bool:
        return name in self._beside and self._beside[name].is_alive()

    def _try(self, name: str) -> None:
        began = time.monotonic()
        try:
            self._faults.kinds()[name][1]()
        except (Missed, psycopg.OperationalError):
            return
        self._faults.injected[name] += 1
        self._log(f"{name} ({time.monotonic() - began:.1f} s)")


class SmallDisk:
    """A disk of its own for an outbox, where the system allows to mount one; else a folder that takes nothing."""

    SIZE = 3 * 2**20

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.SIZE}", "pbem-storm", str(folder)]
        self.mounted = os.getuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0

    def close(self) -> None:
        """Take the disk away again."""
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True, capture_output=True)

    def full(self) -> contextlib.AbstractContextManager[None]:
        """No room for the length of the ``with``."""
        return self._filled() if self.mounted else self._closed()

    @contextlib.contextmanager
    def _filled(self) -> Iterator[None]:
        filler = self.folder / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as out:
            while out.write(bytes(4096)):
                pass
        try:
            yield
        finally:
            filler.unlink()

    @contextlib.contextmanager
    def _closed(self) -> Iterator[None]:
        self.folder.chmod(0o500)
        try:
            yield
        finally:
            self.folder.chmod(0o700)
