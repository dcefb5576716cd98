"""``python -m tests.container.alone STORE DRIVER FOLDER COMMAND…``: one container, in a network of its own.

Started like :mod:`tests.container.composed`. What was seen is printed as JSON.
"""

import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.error import URLError

from tests.container.composed import PATIENCE, prepare, said

ADDRESS = "http://127.0.0.1:8000"


def main(store: Path, driver: str, folder: Path, command: Sequence[str]) -> None:
    prepare(store, driver, folder)
    log = folder / "log"
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as process:
        try:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and process.poll() is None:
                with contextlib.suppress(URLError, OSError), urllib.request.urlopen(f"{ADDRESS}/healthz", timeout=5):
                    break
                time.sleep(0.3)
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            told = log.read_text("utf-8")
            addresses = {"home": ADDRESS, "outbox": told.split()[-1]}
            found = {name: browser.open(address, timeout=60).read().decode() for name, address in addresses.items()}
            print(json.dumps({**found, "log": told}))
        finally:
            said("podman", "rm", "--all", "--force", check=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
