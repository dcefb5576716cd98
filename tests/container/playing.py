"""A whole game through containers, by robots that read their emails and follow their links."""

import contextlib
import json
import subprocess
import time
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pbem.demo import game, show
from pbem.demo.browser import Browser
from pbem.demo.mailroom import Mailroom
from pbem.engine import catalog
from pbem.engine.record import read_record, verify
from pbem.runtime import Server

PATIENCE = 90.0


@dataclass
class Running:
    """Containers of one compose file, with what stands for its other services."""

    processes: dict[str, subprocess.Popen[bytes]]
    log: Path

    def check(self) -> None:
        """As a server of the demo does: raises when a process has ended."""
        for name, process in self.processes.items():
            assert process.poll() is None, f"{name} has ended:\n{self.log.read_text(errors='replace')[-3000:]}"


def until_healthy(running: Running, root: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        running.check()
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{root}/healthz", timeout=5) as answer:
            assert json.load(answer)["ok"]
            return
        assert time.monotonic() < until, running.log.read_text(errors="replace")[-3000:]
        time.sleep(0.1)


def play(folder: Path, running: Running, mailroom: Mailroom, environ: dict[str, str]) -> None:
    """From the invitations to the record, which is verified."""
    sheet = catalog.sheet("age-of-steam", "st_lucia")
    lines: list[str] = []
    plan = game.Setup(sheet, 2, "container", folder)
    with closing(game.Table(plan, environ, mailroom, cast("Server", running), lines.append)) as table:
        table.open()
        table.play()
        with closing(Browser(environ["PBEM_PUBLIC_URL"])) as browser:
            show.save_record(browser, table.address, folder / "record.json")
    assert verify(sheet, read_record((folder / "record.json").read_bytes())).faults == ()
