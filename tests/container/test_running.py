"""The image, built and run: whole games through it, a restart, an upgrade, a backup of its volume."""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.demo.mailroom import Mailroom
from tests import servers
from tests.container.images import ROOT, Builder, Container, builder, caddy, container, end, image, services
from tests.container.playing import Running, play, until_healthy
from tests.container.test_files import COMPOSE
from tests.store.released import BACKUP, kept

pytestmark = pytest.mark.slow
LARGEST = 165_000_000
"""Bytes over those of the base: the usual one, python:3.13-slim-bookworm, has about 120 million. What encrypts for
devices takes 30 million of ours."""
PODMAN = ("podman", "podman-compose", "catatonit", "conmon", "unshare", "ip")
"""Besides netavark and aardvark-dns, which are on no path."""


@pytest.fixture(scope="module")
def build() -> Iterator[Builder]:
    try:
        with builder() as made:
            image(made)
            yield made
    except servers.Missing as missing:
        pytest.skip(str(missing))


def environment(service: Mapping[str, object], **ours: str) -> dict[str, str]:
    """Of a service, with what stands in a ``.env`` beside the compose file, and our own servers."""
    given = cast("dict[str, str]", service["environment"])
    plain = {name: re.sub(r"\$\{\w+:?-?([^}]*)\}", r"\1", value) for name, value in given.items()}
    return {**plain, **ours}


def ours(mailroom: Mailroom, port: int) -> dict[str, str]:
    return {
        "PBEM_SMTP_URL": mailroom.url,
        "PBEM_MAIL_FROM": "pbem <pbem@demo.invalid>",
        "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "PORT": str(port),
        "BIND": "127.0.0.1",
    }


def test_the_image_is_small_and_says_how_it_is_to_be_run(build: Builder) -> None:
    config = build.config("localhost/pbem")
    assert config["User"] == "10001:10001"
    assert config["Volumes"] == {"/data": {}}
    assert config["Entrypoint"] == ["/opt/pbem/bin/run"]
    assert config["Healthcheck"]["Test"][0] == "CMD"
    assert build.size("localhost/pbem") - build.size("localhost/base") < LARGEST


def test_one_host_plays_restarts_backs_up_and_writes_to_its_volume(build: Builder, tmp_path: Path) -> None:
    service, port = services(COMPOSE / "one-host.yaml")["pbem"], servers.free_port()
    log, volume = tmp_path / "log", tmp_path / "volume"
    with container(build, "localhost/pbem", volume) as made, Mailroom(tmp_path / "mails") as mailroom:
        environ = environment(service, **ours(mailroom, port))
        running = Running({"pbem": made.start([], environ, log)}, log)
        try:
            root = environ["PBEM_PUBLIC_URL"]
            until_healthy(running, root)
            assert _healthy(made, environ, log)
            play(tmp_path, running, mailroom, {**environ, "PBEM_DATA_DIR": str(volume), "PBEM_BACKUP_DIR": ""})
            _again(made, running, environ, root)
            with urllib.request.urlopen(f"{root}/archive", timeout=60) as page:
                assert b"by post" in page.read()
        finally:
            end(*running.processes.values())
        assert made.run(["pbem", "backup"], environ, log) == 0
        assert list((volume / "backups").glob("pbem-*.backup"))
        assert made.written() == []


def _healthy(made: Container, environ: Mapping[str, str], log: Path) -> bool:
    """What the engine asks with the health check of the image."""
    check = made.build.config("localhost/pbem")["Healthcheck"]["Test"][1:]
    return made.run(check, environ, log) == 0


def _again(made: Container, running: Running, environ: dict[str, str], root: str) -> None:
    """End the container as an engine does, and start it with the same volume."""
    end(running.processes["pbem"])
    running.processes["pbem"] = made.start([], environ, running.log)
    until_healthy(running, root)


def test_the_compose_file_of_one_host_plays_behind_caddy_and_is_confined(build: Builder, tmp_path: Path) -> None:
    seen = _composed(build, tmp_path)
    assert seen["letters"] > 50
    assert "Read-only file system" in seen["root"]
    assert set(re.findall(r"^Cap\w+:\s*(\w+)$", seen["capabilities"], re.MULTILINE)) == {"0" * 16}
    assert seen["privileges"].split() == ["NoNewPrivs:", "1"]
    assert seen["healthy"].strip() in ("", "healthy")
    assert [line for line in seen["doctor"].splitlines() if line.startswith("FAIL")] == [
        "FAIL  address: links in emails lead to https://localhost"
    ]
    assert {page: status for page, (status, _) in seen["pages"].items()} == {
        "/archive": 200,
        "/outbox": 404,
        "/metrics": 404,
    }
    assert "Strict-Transport-Security" in seen["pages"]["/archive"][1]
    assert [name for name in seen["backups"] if name.endswith(".backup")]
    assert set(seen["changed"].splitlines()) <= {"C /etc"}, "Podman writes /etc/hosts"
    assert "by post" in seen["archive"], "after the containers were taken down, it is still there"


def _composed(build: Builder, folder: Path) -> dict[str, Any]:
    """What was seen of ``one-host.yaml``."""
    try:
        caddy(build)
    except servers.Missing as missing:
        pytest.skip(str(missing))
    return _apart(build, "tests.container.composed", folder)


def _apart(build: Builder, module: str, folder: Path, *more: str) -> dict[str, Any]:
    """What a module prints that runs Podman in a network of its own; skips where there is no such thing."""
    if missing := [name for name in PODMAN if not shutil.which(name)]:
        pytest.skip(f"containers are run by podman; there is no {', '.join(missing)} on the PATH")
    apart = ["unshare", "--mount", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody have a network of their own")
    driver = json.loads(build("info"))["store"]["GraphDriverName"]
    words = [sys.executable, "-m", module, str(build.folder), driver, str(folder), *more]
    done = subprocess.run([*apart, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_two_commands_of_the_readme_run_a_server_that_is_reached_from_here(build: Builder, tmp_path: Path) -> None:
    building, running = re.findall(r"^    podman (\w+ .*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert building == "build -t pbem .", "that is how this image was made"
    command = ["podman", *running.replace(" -it", "").split()]
    seen = _apart(build, "tests.container.alone", tmp_path, *command)
    assert "pbem is at http://127.0.0.1:8000\n" in seen["log"]
    assert "Age of Steam" in seen["home"]
    assert "<h1>Outbox</h1>" in seen["outbox"]


def test_a_volume_of_an_older_version_is_brought_up_to_date_with_its_games(build: Builder, tmp_path: Path) -> None:
    log, volume, port = tmp_path / "log", tmp_path / "volume", servers.free_port()
    environ = {"PORT": str(port), "BIND": "127.0.0.1", "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}"}
    with container(build, "localhost/pbem", volume) as made:
        shutil.copy(kept()[-1] / BACKUP, volume / "old.backup")
        assert made.run(["pbem", "restore", "--moved", "--other-key", "old.backup"], environ, log) == 0, log.read_text()
        running = Running({"pbem": made.start([], environ, log)}, log)
        try:
            until_healthy(running, environ["PBEM_PUBLIC_URL"])
            with urllib.request.urlopen(f"{environ['PBEM_PUBLIC_URL']}/outbox", timeout=60) as page:
                assert page.status == 200
            assert made.run(["pbem", "recheck"], environ, log) == 0, log.read_text()
        finally:
            end(*running.processes.values())


def test_postgresql_redis_and_several_workers_play_a_game(build: Builder, tmp_path: Path) -> None:
    log, volume, port = tmp_path / "log", tmp_path / "volume", servers.free_port()
    with ExitStack() as stack:
        try:
            more = {
                "PBEM_BROKER_URL": stack.enter_context(servers.redis()),
                "PBEM_DATABASE_URL": stack.enter_context(servers.postgresql()),
                "PBEM_SECRET_KEY": "a key that only tests know",
            }
        except servers.Missing as missing:
            pytest.skip(str(missing))
        made = stack.enter_context(container(build, "localhost/pbem", volume))
        mailroom = stack.enter_context(Mailroom(tmp_path / "mails"))
        running = Running({}, log)
        stack.callback(lambda: end(*running.processes.values()))
        environ: dict[str, str] = {}
        for name, service in services(COMPOSE / "several.yaml").items():
            environ = environment(service, **ours(mailroom, port), **more)
            if name == "release":
                assert made.run(service["command"], environ, log) == 0, log.read_text()
                continue
            for number in range(2 if name == "worker" else 1):
                running.processes[f"{name} {number}"] = made.start(service["command"], environ, log)
        until_healthy(running, environ["PBEM_PUBLIC_URL"])
        play(tmp_path, running, mailroom, {**environ, "PBEM_DATA_DIR": str(volume)})
