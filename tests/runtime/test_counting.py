"""Several real web processes and a worker count in one place, whichever of them is asked."""

import os
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from pbem.runtime import Processes, Server, free_port, url
from pbem.service import open_office
from pbem.service.games import opening
from pbem.settings.settings import COUNTS, Settings
from tests.patience import PATIENCE

TOKEN = "the-token-of-these-tests"


def counted(root: str) -> dict[tuple[str, str], float]:
    request = urllib.request.Request(f"{root}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {(one.name, " ".join(one.labels.values())): one.value for kind in families for one in kind.samples}


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PBEM_DATA_DIR": str(folder), "PBEM_METRICS_TOKEN": TOKEN, "WEB_CONCURRENCY": "2"}


def test_two_web_processes_and_a_worker_count_together(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    with Server(environ, free_port(), logs=tmp_path / "logs") as server:
        root = url("127.0.0.1", server.port)
        for _ in range(20):
            urllib.request.urlopen(f"{root}/healthz").close()
        office = open_office(Settings.read(environ))
        players = tuple(opening.Invited(f"{name}@example.org", name) for name in ("ana", "ben", "eva"))
        opening.open_game(
            office, None, opening.NewGame("Ruhr", "age-of-steam", "rust_belt", players), datetime.now(UTC)
        )
        office.database.close()
        # the counter is raised when the mail server said yes, the row says so at its next commit: wait for both
        told = {("pbem_letter_tries_total", "taken"): 3, ("pbem_letters_last_hour", "sent"): 3}
        end = time.monotonic() + PATIENCE
        while not (found := counted(root)).items() >= told.items():
            assert time.monotonic() < end, found
            time.sleep(0.1)
        assert {counted(root)["pbem_answers_total", "/healthz 200"] for _ in range(8)} == {20}
        assert found["pbem_request_seconds_count", "/healthz"] == 20
        assert len(list((tmp_path / "metrics").glob("histogram_*.db"))) >= 3


def test_gunicorn_alone_makes_the_folder_and_takes_it_away(tmp_path: Path) -> None:
    port = free_port()
    environ = {**environment(tmp_path), "TMPDIR": str(tmp_path)}
    environ.pop(COUNTS, None)
    with Processes(environ, tmp_path / "logs") as processes:
        processes.python(
            "web", "-m", "gunicorn", "--config", "python:pbem.runtime.webserver", "pbem.web:create_app()",
            "--bind", f"127.0.0.1:{port}",
        )  # fmt: skip
        processes.until_listening("127.0.0.1", port)
        root = url("127.0.0.1", port)
        for _ in range(6):
            urllib.request.urlopen(f"{root}/healthz").close()
        assert {counted(root)["pbem_answers_total", "/healthz 200"] for _ in range(6)} == {6}
        assert len(list(tmp_path.glob("pbem-metrics-*"))) == 1
    assert list(tmp_path.glob("pbem-metrics-*")) == []
