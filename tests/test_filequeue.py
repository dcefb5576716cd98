"""The local broker: several processes may put and take at once, and nothing is seen before it is whole."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu.connection import Connection

from pbem import broker, filequeue
from pbem.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"PBEM_DATA_DIR": str(tmp_path)})


@pytest.fixture
def channel(settings: Settings) -> Iterator[Any]:
    with connection(settings) as opened:
        yield opened.default_channel


def connection(settings: Settings) -> Connection:
    """As Celery opens it."""
    opened: Connection = broker.celery_app(settings).connection()
    return opened


def test_the_local_broker_is_this_one(channel: Any) -> None:
    assert isinstance(channel, filequeue.Channel)


def test_messages_come_out_once_and_in_order(channel: Any) -> None:
    for number in range(5):
        channel._put("pbem", {"number": number})
    assert channel._size("pbem") == 5
    assert [channel._get("pbem")["number"] for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        channel._get("pbem")


def test_a_message_is_not_seen_while_it_is_written(channel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    whole = Path.replace

    def look_first(draft: Path, path: Path) -> Path:
        with pytest.raises(Empty):
            channel._get("pbem")
        seen.append(draft.read_text())
        return whole(draft, path)

    monkeypatch.setattr(Path, "replace", look_first)
    channel._put("pbem", {"number": 1})
    assert seen == ['{"number": 1}']
    assert channel._get("pbem") == {"number": 1}


def test_a_message_that_another_worker_takes_is_passed_over(channel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    channel._put("pbem", {"number": 1})
    channel._put("pbem", {"number": 2})
    rename = Path.rename
    gone: list[Path] = []

    def too_late(message: Path, taken: Path) -> Path:
        if not gone:
            gone.append(message)
            message.unlink()
        return rename(message, taken)

    monkeypatch.setattr(Path, "rename", too_late)
    assert channel._get("pbem") == {"number": 2}


def test_many_at_once_lose_nothing_and_get_nothing_twice(settings: Settings) -> None:
    producers, each = 3, 100

    def put(producer: int) -> None:
        with connection(settings) as opened:
            queue = opened.SimpleQueue("pbem")
            for number in range(each):
                queue.put({"number": producer * each + number})

    def take(_: int) -> list[int]:
        taken: list[int] = []
        with connection(settings) as opened:
            channel = opened.default_channel
            end = time.monotonic() + 60
            while len(taken) < each and time.monotonic() < end:
                try:
                    taken.append(number_of(channel._get("pbem")))
                except Empty:
                    continue
        return taken

    with ThreadPoolExecutor(2 * producers) as pool:
        putting = [pool.submit(put, producer) for producer in range(producers)]
        taking = [pool.submit(take, consumer) for consumer in range(producers)]
        for work in putting:
            work.result(60)
        numbers = Counter(number for work in taking for number in work.result(90))
    assert numbers == Counter(range(producers * each))


def test_a_second_folder_in_the_same_process_has_its_own_bindings(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with connection(Settings.read({"PBEM_DATA_DIR": str(tmp_path / name)})) as opened:
            opened.SimpleQueue("shared").put({"number": 7})
            assert number_of(opened.default_channel._get("shared")) == 7


def number_of(message: dict[str, Any]) -> int:
    """What was put, out of the envelope that kombu makes."""
    number: int = json.loads(b64decode(message["body"]))["number"]
    return number


def test_two_that_bind_at_once_leave_a_table_that_can_be_read(channel: Any, settings: Settings) -> None:
    with connection(settings) as other:
        for one in (channel, other.default_channel):
            one._queue_bind("pbem", "pbem", "", "pbem")
        assert [tuple(binding) for binding in channel.get_table("pbem")] == [("pbem", "", "pbem")]
