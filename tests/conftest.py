"""What all tests share: recorded games from outside the checkout, and skips that continuous integration forbids.

``PBEM_SHARED`` names the folder that holds ``recorded/`` (default: ``shared`` beside the checkout). With
``PBEM_NEEDS=all`` every skip fails the run, because a missing database, broker or browser would hide there; only
recorded games may be missing, they are no part of a checkout.
"""

import gc
import json
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from typing_extensions import override
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from pbem.language import compiling
from pbem.settings.environment import ALONE, NAMES
from pbem.settings.paths import templates_folder
from pbem.store import database
from tests import servers, templates
from tests.databases import Postgresql, Sqlite
from tests.table import memory

gc.disable()  # until the tests are collected: nothing of that is garbage, and looking for it took half of the time
os.environ.update(dict.fromkeys(NAMES, "") | ALONE)  # what is set here, or in .env, is not for tests
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs that tests start would compile all of pbem each time
database.SYNCHRONOUS = "OFF"  # a power cut harms no test
settings.register_profile("tests", deadline=None)  # how long an example takes says how busy the machine is
settings.load_profile("tests")
settings.register_profile("fuzz", deadline=None, print_blob=True)  # for `make fuzz`, see tests/fuzz/sentences.py
SHARED = Path(os.environ.get("PBEM_SHARED", Path(__file__).parents[2] / "shared"))
PARTED = ("tests/every_map/test_recorded_games.py",)
"""Files whose tests share nothing: they come last, and go to whatever process is free."""
LONG = (
    "tests/web/games/test_browser_whole_games.py",
    "tests/storm",
    "tests/demo/test_end_to_end.py",
    "tests/workers/test_mailbox.py",
)
"""Files that take half a minute: they come first, so that no process waits for one at the end."""
MAY_BE_MISSING = "recorded games are not here (PBEM_SHARED)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `make soak` asks for."""
    parser.addoption(
        "--every-database", action="store_true", help="tests of the service run on PostgreSQL as well, all of them"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Catalogues are what their sources say."""
    if not hasattr(config, "workerinput"):
        compiling.compile_all(templates_folder() / "messages")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What there is when tests are collected stays to the end, and is not looked at for garbage again."""
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist carries no types
    """A file of tests stays together, because its tests share what is dear to make; those of each map need not."""

    @override
    def _split_scope(self, nodeid: str) -> str:
        return nodeid if nodeid.startswith(PARTED) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    """How ``--dist loadfile`` gives tests to processes; every other way is that of xdist."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False  # a file with one long test would come at the end, for one process alone
    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, and what can be shared out one by one is left for the end."""
    items.sort(key=lambda item: item.nodeid.startswith(PARTED) - item.nodeid.startswith(LONG))


def pytest_runtest_setup() -> None:
    """What a test does is kept for others, and copied from them, until it changes how things are done."""
    memory.in_use = True


class _Patch(pytest.MonkeyPatch):  # type: ignore[misc] # final, so that nobody makes one that behaves otherwise
    """Notes that something has been changed: what is done from now on is neither copied nor kept for copies."""

    @override
    def setattr(self, *args: Any, **how: Any) -> None:
        memory.in_use = False
        super().setattr(*args, **how)

    @override
    def delattr(self, *args: Any, **how: Any) -> None:
        memory.in_use = False
        super().delattr(*args, **how)

    @override
    def setitem(self, *args: Any, **how: Any) -> None:
        memory.in_use = False
        super().setitem(*args, **how)

    @override
    def delitem(self, *args: Any, **how: Any) -> None:
        memory.in_use = False
        super().delitem(*args, **how)


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one process compiles of the templates is there for the others of this run."""
    folder = tmp_path_factory.getbasetemp()
    templates.share((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "templates")


@pytest.fixture
def monkeypatch() -> Generator[pytest.MonkeyPatch]:
    """That of pytest, which :data:`tests.table.memory` hears of."""
    patch = _Patch()
    yield patch
    patch.undo()


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Sqlite:
    return Sqlite(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    try:
        with servers.postgresql() as url:
            yield Postgresql(url)
    except servers.Missing as missing:
        pytest.skip(f"no PostgreSQL: {missing}")


@pytest.fixture(scope="session")
def recorded_path() -> Callable[[str], Path]:
    """``recorded_path("rust_belt-2692.json")``: a file of the recorded games; skips where there are none."""

    def find(name: str) -> Path:
        path = SHARED / "recorded" / name
        if not path.is_file():
            pytest.skip(f"{MAY_BE_MISSING}: no {name}")
        return path

    return find


@pytest.fixture(scope="session")
def recorded(recorded_path: Callable[[str], Path]) -> Callable[[str], dict[str, Any]]:
    """``recorded("rust_belt-2692")``: a recorded game as read from its JSON; skips where there are none."""

    def load(name: str) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(recorded_path(f"{name}.json").read_text())
        return record

    return load


def fails(report: pytest.TestReport | pytest.CollectReport) -> bool:
    """Whether a report is a skip that this run does not accept."""
    if os.environ.get("PBEM_NEEDS") != "all" or not report.skipped or hasattr(report, "wasxfail"):
        return False
    return MAY_BE_MISSING not in str(report.longrepr)


def fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that keeps its reason."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"PBEM_NEEDS=all allows no skip. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if fails(report):
        fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if fails(report):
        fail(report)
    return report
