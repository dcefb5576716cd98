"""Start the server: web, worker and clock together. Ctrl-C stops all of them.

Reads its settings from the environment or from a file .env in this folder (.env.example lists them). Without any, it
keeps everything in var/, and you can read all emails at /outbox.
"""

import argparse
import time

from pbem.cli._settings import environment, settings
from pbem.cli._terminal import Failure
from pbem.runtime import Ended, Server, Stopped, stoppable, url
from pbem.service.base.tokens import Tokens
from pbem.settings.settings import Settings
from pbem.store.revision import Busy, Newer

LOOK_EVERY = 0.5


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")


def run(args: argparse.Namespace) -> int:
    environ, chosen = environment(), settings()
    try:
        with stoppable(), Server(environ, args.port, args.host) as server:
            address = environ.get("PBEM_PUBLIC_URL") or url(args.host, args.port)
            print(f"pbem is at {address}", flush=True)
            if not chosen.smtp_url:
                print(
                    f"No mail server is configured: you can read all emails at {address}{_outbox(chosen, args.host)}",
                    flush=True,
                )
            while True:
                server.check()
                time.sleep(LOOK_EVERY)
    except Stopped:
        return 0
    except (Ended, Newer, Busy) as sentence:
        raise Failure(str(sentence)) from sentence


def _outbox(chosen: Settings, host: str) -> str:
    """Where the outbox is; with a key where a browser of this machine may come from elsewhere, as to a container."""
    if host in ("127.0.0.1", "localhost", "::1"):
        return "/outbox"
    return f"/outbox?key={Tokens(chosen.secret_key).seal('outbox')}"
