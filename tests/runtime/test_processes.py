"""Child processes are watched and ended, whatever happens; the whole server starts and stops in one piece."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

from pbem.runtime import Ended, Processes, Server, free_port
from pbem.runtime.processes import PATIENCE, Part, start_parts
from pbem.settings.environment import ALONE

GUNICORN = ("-m", "gunicorn", "--config", "python:pbem.runtime.webserver", "pbem.web:create_app()")
SLEEPS = ("-c", "import time; time.sleep(60)")
DEAF = (
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)",
)


def test_children_end_with_the_with() -> None:
    with Processes(os.environ) as processes:
        child = processes.python("sleeper", *SLEEPS)
        processes.check()
        assert child.poll() is None
    assert child.poll() == -signal.SIGTERM


def test_children_end_when_we_fail() -> None:
    children: list[subprocess.Popen[bytes]] = []
    with pytest.raises(ZeroDivisionError):
        _start_and_fail(children)
    assert children[0].poll() is not None


def _start_and_fail(children: list[subprocess.Popen[bytes]]) -> None:
    with Processes(os.environ) as processes:
        children.append(processes.python("sleeper", *SLEEPS))
        raise ZeroDivisionError


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    with Processes(os.environ, tmp_path, ending=0.5) as processes:
        child = processes.python("deaf", *DEAF)
        while not (tmp_path / "deaf.log").read_text():
            time.sleep(0.01)
    assert child.poll() == -signal.SIGKILL


def test_a_child_that_ended_is_told_with_its_last_words(tmp_path: Path) -> None:
    with Processes(os.environ, tmp_path) as processes:
        processes.python("liar", "-c", "import sys; sys.exit('something is wrong')").wait()
        with pytest.raises(Ended, match=r"(?s)liar has ended with status 1.*something is wrong"):
            processes.until_listening("127.0.0.1", free_port())


def test_a_free_port_is_free() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", free_port()))


def test_the_server_leaves_nothing_behind_when_a_part_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("PBEM_LOG=no part would start with this\n")
    outside = {name: value for name, value in os.environ.items() if name not in ALONE}
    environ = {**outside, "PBEM_DATA_DIR": str(tmp_path / "var"), "PBEM_PUBLIC_URL": ""}
    with Server(environ, free_port(), logs=tmp_path / "logs") as server:
        assert server.processes is not None
        (forking,) = (psutil.Process(child.process.pid) for child in server.processes.children)
        members = _named(forking, {"pbem web", "pbem worker", "pbem robots", "pbem clock"})
        started = [forking, *forking.children(recursive=True)]
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/archive") as answer:
            assert answer.status == 200
        server.check()
        ours = os.nice(0)  # tests may be run with a lower priority than others themselves; 19 is the lowest
        robots = min(ours + 10, 19)
        assert {name: part.nice() for name, part in members.items()} == {
            **dict.fromkeys(members, ours),
            "pbem robots": robots,
        }
        assert {os.getsid(part.pid) for part in members.values()} == {part.pid for part in members.values()}
        assert forking.num_threads() == 1, "a fork has only one of the threads, and waits for the locks of the others"
        assert not forking.net_connections(), "a fork would share it"
        assert not [file for file in forking.open_files() if "sqlite" in file.path]
        assert (tmp_path / "var" / "pbem.sqlite").is_file()
        members["pbem clock"].kill()
        assert server.processes.children[0].process.wait(PATIENCE) == 1
        with pytest.raises(Ended, match=r"(?s)server has ended with status 1.*clock has ended with status -9"):
            server.check()
        assert not [process for process in started if process.is_running()]


def _named(forking: psutil.Process, names: set[str]) -> dict[str, psutil.Process]:
    """The forks by name; each takes its own when it begins, which is after it is there."""
    patience = time.monotonic() + PATIENCE
    while set(members := {part.name(): part for part in forking.children()}) != names:
        assert time.monotonic() < patience, members
        time.sleep(0.02)
    return members


def test_a_fork_that_cannot_begin_is_told_with_its_last_words(tmp_path: Path) -> None:
    with Processes(os.environ, tmp_path) as processes:
        start_parts(processes, [Part("liar", "pbem.runtime.leash", ["no", "number"])])
        with pytest.raises(Ended, match=r"(?s)server has ended.*invalid literal for int.*liar has ended with status 1"):
            processes.until_listening("127.0.0.1", free_port())


def test_serve_prints_where_it_is_and_ends_with_one_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    words = [sys.executable, "-m", "pbem", "serve", "--port", str(port)]
    environ = {**os.environ, "PBEM_DATA_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serve:
        assert serve.stdout is not None
        assert serve.stdout.readline() == f"pbem is at http://127.0.0.1:{port}\n"
        assert "outbox" in serve.stdout.readline()
        children = psutil.Process(serve.pid).children(recursive=True)
        serve.send_signal(signal.SIGINT)
        assert serve.wait(120) == 0
    patience = time.monotonic() + PATIENCE
    while any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children):
        assert time.monotonic() < patience, children
        time.sleep(0.02)


def test_serve_does_not_take_another_server_for_its_own(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with (
            pytest.raises(Ended, match=r"Address already in use.*--port"),
            Server({**os.environ, "PBEM_DATA_DIR": str(tmp_path)}, port),
        ):
            pass


@pytest.mark.parametrize("port", [-1, 99_999_999])
def test_a_port_that_there_is_not_is_told(tmp_path: Path, port: int) -> None:
    with (
        pytest.raises(Ended, match=str(port)),
        Server({"PBEM_DATA_DIR": str(tmp_path), "PBEM_PUBLIC_URL": "http://a"}, port),
    ):
        pass


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "pbem", "serve"],
        ["-m", "workers.clock"],
        ["-m", "workers.mailin"],
        ["-m", "celery", "--quiet", "--app", "workers.app", "worker", "--pool", "solo"],
        [*GUNICORN, "--bind", "127.0.0.1:0", "--log-level", "critical"],
    ],
)
def test_every_process_ends_with_the_sentence_of_a_bad_setting(tmp_path: Path, words: list[str]) -> None:
    environ = {**os.environ, "PBEM_DATA_DIR": str(tmp_path), "PBEM_SMTP_URL": "http://x"}
    environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, *words], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode != 0
    assert "pbem: PBEM_SMTP_URL cannot be used" in ended.stderr
    assert "Traceback" not in ended.stderr
