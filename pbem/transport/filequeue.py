"""The local broker: kombu's queue of files, with files that nobody sees before they are whole.

kombu's own transport opens a file under its final name and then writes it. A worker that looks in between
takes an empty message, cannot read it and ends. Here everything is written under another name first, and a
message is taken by renaming it, so that only one worker can have it.

kombu looks into the folder again and again. Here who waits is woken through a named pipe beside the bindings, one for
each queue, and looks all the same from time to time, for a wake-up may be lost.
"""

import contextlib
import json
import os
import select
import threading
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from typing_extensions import override

SCHEME = "pbem-files"
"""What the URL of this broker begins with."""
LOOK_SECONDS = 1.0
"""How often who can be woken looks all the same; where a folder takes no pipe, `polling_interval` says it."""

_BINDING = threading.Lock()


class Channel(filesystem.Channel):
    """Messages in ``data_folder_in``, bindings in ``control_folder``; both must be one file system of their own."""

    @override
    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override] # kombu calls it two names
        name = f"{time.time_ns():020}_{uuid.uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out, name), message)
        wake(self.control_folder, queue)

    @override
    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] == f"{queue}.msg":
                waiting, taken = Path(self.data_folder_in, name), Path(self.data_folder_in, f"{name}.taken")
                with contextlib.suppress(FileNotFoundError):  # another worker was quicker
                    waiting.rename(taken)
                    message = json.loads(taken.read_text("utf-8"))
                    taken.unlink()
                    return message
        raise Empty

    @override
    def queue_bind(
        self, queue: str, exchange: str | None = None, routing_key: str = "", arguments: Any = None, **kwargs: Any
    ) -> None:
        """Bind, and see to the file: kombu remembers bindings per process and then writes none.

        A second thread, or a second folder in the same process, would send into nothing.
        """
        exchange = exchange or "amq.direct"
        with _BINDING:
            super().queue_bind(queue, exchange, routing_key, arguments, **kwargs)  # type: ignore[no-untyped-call]
            self._queue_bind(exchange, *self.typeof(exchange).prepare_bind(queue, exchange, routing_key, arguments))  # type: ignore[no-untyped-call]

    @override
    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        bindings = self.get_table(exchange)  # type: ignore[no-untyped-call]
        if binding not in bindings:
            _write_whole(self._exchange_file(exchange), [binding, *bindings])  # type: ignore[no-untyped-call]


class Transport(filesystem.Transport):
    """kombu finds it under the scheme ``pbem-files``."""

    Channel = Channel

    @override
    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]
        self._folder = Path(client.transport_options["control_folder"])
        self._bell: WakeUpPipe | None = None

    @override
    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Hand one message over. Raises ``TimeoutError`` when there was none in this time, and at once when
        somebody woke us for nothing: a worker that is to end looks for that between two calls.
        """
        self._bell = self._bell or WakeUpPipe(self._folder, self._queue(), self.polling_interval)
        until = time.monotonic() + (float("inf") if timeout is None else timeout)
        woken = False
        while not self._delivered():
            left = until - time.monotonic()
            if woken or left <= 0:
                raise TimeoutError
            woken = self._bell.heard(left)

    def _queue(self) -> str:
        """The queue that is waited for: of several, messages of the others are found by looking."""
        return next((queue for channel in self.channels for queue in channel._active_queues), "")

    def _delivered(self) -> bool:
        try:
            self.cycle.get(self._deliver)  # type: ignore[union-attr] # kombu sets it to None for others
        except Empty:
            return False
        return True

    @override
    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)  # type: ignore[no-untyped-call]
        if self._bell:
            self._bell.close()
            self._bell = None


class WakeUpPipe:
    """The named pipe in which somebody waits for a queue; each byte in it is one wake-up.

    Where a folder takes no pipe, nobody can be woken, and waiting lasts this many seconds.
    """

    def __init__(self, folder: Path, queue: str, seconds: float) -> None:
        self._pipe: int | None = None
        self._seconds = seconds
        path = folder / pipe(queue)
        with contextlib.suppress(OSError):
            with contextlib.suppress(FileExistsError):
                os.mkfifo(path)
            if path.is_fifo():
                self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # whoever writes to it itself sees no end of it
                self._seconds = LOOK_SECONDS

    def heard(self, seconds: float) -> bool:
        """Wait until somebody wakes us, but not longer than this. Whether somebody did."""
        if self._pipe is None:
            time.sleep(min(seconds, self._seconds))
            return False
        waiting = select.poll()
        waiting.register(self._pipe, select.POLLIN)
        if not waiting.poll(min(seconds, self._seconds) * 1000):
            return False
        with contextlib.suppress(BlockingIOError):  # another worker was quicker
            os.read(self._pipe, 1)
        return True

    def close(self) -> None:
        """Nobody waits here any more."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def pipe(queue: str) -> str:
    """What the pipe is called in which those wait who take from this queue."""
    return f"wake-{queue}"


def wake(folder: Path, queue: str) -> None:
    """Wake one who waits for this queue. When nobody can be woken, whoever comes to look finds what there is."""
    with contextlib.suppress(OSError):
        opened = os.open(folder / pipe(queue), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(opened, b".")
        finally:
            os.close(opened)


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:{Transport.__name__}"


def _write_whole(path: Path, content: Any) -> None:
    draft = path.with_name(f".{uuid.uuid4()}")
    draft.write_text(json.dumps(content), "utf-8")
    draft.replace(path)
