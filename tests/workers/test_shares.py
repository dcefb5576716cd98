"""Games stay with a worker: each takes from its own queues first, from all others too, and finds out who is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem import broker
from pbem.settings import Settings
from tests import servers
from workers import shares
from workers.shares import OTHERS_EVERY, OwnFirst, Share

EVERY_QUEUE = [broker.QUEUE, *broker.GAMES]


@pytest.fixture(autouse=True)
def looked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "LOOK_SECONDS", 0.0)


def share(name: str, present: Callable[[], Sequence[str]]) -> Share:
    found = Share(name, lambda _: present())
    found.look()
    return found


def games_of(one: Share) -> set[str]:
    return {queue for queue in broker.GAMES if one.has(queue)}


def order_of(one: Share) -> OwnFirst:
    found = OwnFirst(one)
    found.update(EVERY_QUEUE)  # type: ignore[no-untyped-call]
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_queue_is_one_workers_and_the_shares_are_alike(count: int) -> None:
    names = [f"worker {number}" for number in range(count)]
    found = [games_of(share(name, lambda: names)) for name in names]
    assert set().union(*found) == set(broker.GAMES)
    assert sum(map(len, found)) == len(broker.GAMES)
    assert max(map(len, found)) - min(map(len, found)) <= 1


def test_a_worker_that_is_gone_leaves_its_games_to_the_others() -> None:
    names = ["one", "two"]
    one = share("one", lambda: names)
    assert len(games_of(one)) == len(broker.GAMES) / 2
    names.remove("two")
    one.look()
    assert games_of(one) == set(broker.GAMES)


def test_what_is_nobodys_is_everybodys_first() -> None:
    for name in ("one", "two"):
        assert share(name, lambda: ["one", "two"]).has(broker.QUEUE)


def test_a_worker_takes_from_its_own_queues_in_turns_and_then_from_all_others() -> None:
    mine = share("one", lambda: ["one", "two"])
    order = order_of(mine)
    order.rotate(broker.QUEUE)
    own = [queue for queue in EVERY_QUEUE if mine.has(queue)]
    first = order.consume(99)
    assert sorted(first) == sorted(EVERY_QUEUE)
    assert set(first[: len(own)]) == set(own)
    order.rotate(first[0])
    assert order.consume(99)[: len(own)] == [*first[1 : len(own)], first[0]]


def test_who_has_time_to_spare_takes_the_same_games_of_others_again() -> None:
    mine = share("one", lambda: ["one", "two"])
    order, taken = order_of(mine), set()
    order.rotate(broker.QUEUE)
    for _ in range(OTHERS_EVERY - 2):  # its own queues are empty
        taken.add(order.rotate(next(queue for queue in order.consume(99) if not mine.has(queue))))
    assert len(taken) == 1


def test_now_and_then_it_looks_at_those_of_others_first() -> None:
    mine = share("one", lambda: ["one", "two"])
    order = order_of(mine)
    served = []
    for _ in range(4 * OTHERS_EVERY):  # there is always something in all of them
        served.append(order.rotate(order.consume(99)[0]))
    others = [queue for queue in served if not mine.has(queue)]
    assert len(others) == 4
    assert len(set(others)) == 4


def test_while_nobody_can_say_who_is_there_shares_stay_as_they_are() -> None:
    there = ["one", "two"]

    def present() -> list[str]:
        if not there:
            raise broker.Away("Redis cannot be reached")
        return there

    one = share("one", present)
    before = games_of(one)
    there.clear()
    one.look()
    assert games_of(one) == before


def test_who_takes_no_games_counts_as_no_worker() -> None:
    robots = OwnFirst(Share("robots", lambda _: pytest.fail("it said that it was there")))
    robots.update([broker.ROBOTS])  # type: ignore[no-untyped-call]
    assert robots.consume(99) == [broker.ROBOTS]


def test_workers_see_each_other_in_redis_until_they_leave_or_are_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        with servers.redis() as url:
            settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url})
            assert shares.present(settings, "one") == ["one"]
            assert sorted(shares.present(settings, "two")) == ["one", "two"]
            shares.leave(settings, "one")
            assert shares.present(settings, "two") == ["two"]
            monkeypatch.setattr(shares, "GONE_SECONDS", -1.0)
            assert shares.present(settings, "three") == []
        shares.leave(settings, "two")  # Redis is gone, and a worker ends all the same
    except servers.Missing as missing:
        pytest.skip(str(missing))
