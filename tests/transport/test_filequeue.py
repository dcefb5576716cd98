"""The brokers: several processes may put and take at once, nothing is seen before it is whole, and nothing but JSON."""

import json
import os
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu.connection import Connection

from pbem.runtime.server import THINKING
from pbem.settings.settings import Settings
from pbem.transport import broker, filequeue


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


def no_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a folder of another system, mounted."""

    def refuse(*_: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "mkfifo", refuse)


def silent_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a wake-up is lost."""
    monkeypatch.setattr(filequeue, "wake", lambda folder, queue: None)
    monkeypatch.setattr(filequeue, "LOOK_SECONDS", 0.05)


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


def test_who_waits_is_woken_by_a_message(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filequeue, "LOOK_SECONDS", 60.0)
    took: list[float] = []
    with connection(settings) as waiting, ThreadPoolExecutor(1) as pool:
        taken = pool.submit(lambda: waiting.SimpleQueue("pbem").get(timeout=60).payload)
        with connection(settings) as opened:
            time.sleep(0.2)
            began = time.monotonic()
            opened.SimpleQueue("pbem").put({"number": 7})
            assert taken.result(60) == {"number": 7}
            took.append(time.monotonic() - began)
    assert took[0] < 30


@pytest.mark.parametrize("spoil", [no_pipe, silent_pipe])
def test_a_message_is_found_without_being_woken(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None]
) -> None:
    spoil(monkeypatch)
    with connection(settings) as waiting, ThreadPoolExecutor(1) as pool:
        taken = pool.submit(lambda: waiting.SimpleQueue("pbem").get(timeout=60).payload)
        with connection(settings) as opened:
            time.sleep(0.1)
            opened.SimpleQueue("pbem").put({"number": 7})
            assert taken.result(60) == {"number": 7}


def test_a_file_in_the_place_of_the_pipe_keeps_nobody_awake(settings: Settings, channel: Any) -> None:
    (channel.control_folder / filequeue.pipe("pbem")).write_text("restored from somewhere")
    bell = filequeue.WakeUpPipe(channel.control_folder, "pbem", 0.01)
    assert not bell.heard(60)


def test_each_of_two_that_wait_is_woken_once(channel: Any) -> None:
    bells = [filequeue.WakeUpPipe(channel.control_folder, "pbem", 0.01) for _ in range(2)]
    for _ in bells:
        filequeue.wake(channel.control_folder, "pbem")
    assert [bell.heard(0) for bell in (*bells, *bells)] == [True, True, False, False]
    for bell in bells:
        bell.close()


def test_a_message_wakes_nobody_who_waits_for_another_queue(channel: Any) -> None:
    """Else those who think for robots would take wake-ups that were for orders of people."""
    people, robots = (filequeue.WakeUpPipe(channel.control_folder, queue, 0.01) for queue in ("pbem", "pbem-robots"))
    channel._put("pbem", {"number": 1})
    assert not robots.heard(0)
    assert people.heard(0)
    for bell in (people, robots):
        bell.close()


def test_who_is_woken_for_nothing_waits_no_longer(settings: Settings, channel: Any) -> None:
    with connection(settings) as waiting:
        waiting.SimpleQueue("pbem").consumer.consume()
        with pytest.raises(TimeoutError):
            waiting.drain_events(timeout=0)
        filequeue.wake(channel.control_folder, "pbem")
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            waiting.drain_events(timeout=60)
        assert time.monotonic() - began < 30


def test_waiting_ends_with_its_time(settings: Settings) -> None:
    with connection(settings) as waiting:
        waiting.SimpleQueue("pbem").consumer.consume()
        with pytest.raises(TimeoutError):
            waiting.drain_events(timeout=0.05)


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


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/0"])
def test_nothing_but_json_is_taken_from_the_broker(tmp_path: Path, url: str) -> None:
    app = broker.celery_app(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    assert set(app.conf.accept_content) == {"json"}
    assert (app.conf.task_serializer, app.conf.worker_enable_remote_control) == ("json", False)


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/0"])
def test_robots_think_in_the_process_that_takes_from_their_queue_and_in_no_other(tmp_path: Path, url: str) -> None:
    app = broker.celery_app(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    assert set(app.amqp.queues.consume_from) == {broker.QUEUE}
    for task, queue in (
        (broker.THINK, broker.ROBOTS),
        (broker.TEACH, broker.ROBOTS),
        (broker.MAKE, broker.ROBOTS),
        (broker.PLAY, broker.QUEUE),
    ):
        assert app.amqp.router.route({}, task)["queue"].name == queue
    assert THINKING == ("--queues", broker.ROBOTS)
    assert f"--queues {broker.ROBOTS} " in (Path(__file__).parents[2] / "Procfile").read_text()
