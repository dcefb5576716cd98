"""The local broker: kombu's queue of files, with files that nobody sees before they are whole.

kombu's own transport opens a file under its final name and then writes it. A worker that looks in between
takes an empty message, cannot read it and ends. Here everything is written under another name first, and a
message is taken by renaming it, so that only one worker can have it.
"""

from __future__ import annotations

import contextlib
import json
import os
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


_BINDING = threading.Lock()


class Channel(filesystem.Channel):
    """Messages in ``data_folder_in``, bindings in ``control_folder``; both must be one file system of their own."""

    @override
    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override] # kombu calls it two names
        name = f"{time.time_ns():020}_{uuid.uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out, name), message)

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


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:{Transport.__name__}"


def _write_whole(path: Path, content: Any) -> None:
    draft = path.with_name(f".{uuid.uuid4()}")
    draft.write_text(json.dumps(content), "utf-8")
    draft.replace(path)
