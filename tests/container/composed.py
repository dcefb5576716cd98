"""``python -m tests.container.composed STORE DRIVER FOLDER``: the compose file of one host as it is, by podman-compose.

The containers are as confined as the file says: the root cannot be written to, there are no capabilities. Caddy stands
in front and makes its own certificate, because the name is ``localhost``. Everything runs in a network of its own, with
ports 80 and 443 free and nothing of the machine changed; so this is started by ``unshare --mount --net``, as root. The
images are in the folder STORE, kept with DRIVER. What was seen is printed as JSON.
"""

import contextlib
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

from pbem.demo.mailroom import Mailroom
from tests.container.images import ROOT
from tests.container.playing import Running, play

COMPOSE = ROOT / "deploy" / "compose"
US, PORT = "10.99.0.1", 2525
"""Where containers find the mail server of this machine."""
PATIENCE = 180.0
CONTAINERS = """[containers]
default_ulimits = ["nofile=1024:4096", "nproc=4000:4000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "{folder}"
"""
"""For machines that may not raise these limits, and have no systemd."""
STORAGE = """[storage]
driver = "{driver}"
graphroot = "{store}/store"
runroot = "{store}/run"
"""


def said(*words: str, check: bool = True) -> str:
    """What a program writes."""
    done = subprocess.run(words, cwd=COMPOSE, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(words)}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout + done.stderr


HANDED_ON = ("PBEM_IMAP_URL", "PBEM_ORDERS_ADDRESS", "PBEM_RETURN_PATH", "PBEM_MAILIN_HOST", "PBEM_MAILIN_PORT",
             "PBEM_OPERATOR", "PBEM_OPERATOR_NAME", "PBEM_CONTACT", "PBEM_POSTAL_ADDRESS", "PBEM_TERMS")  # fmt: skip
"""What the compose file asks for and this game does without."""


def prepare(store: Path, driver: str, folder: Path) -> None:
    """A network, the settings of Podman and what stands in ``.env`` beside the compose file."""
    said("ip", "link", "set", "lo", "up")
    said("ip", "address", "add", f"{US}/32", "dev", "lo")
    subprocess.run(["umount", "/sys/fs/cgroup/unified"], capture_output=True, check=False)  # crun takes no hybrid
    said("mount", "-t", "tmpfs", "tmpfs", "/run")  # what Podman notes there is for this run only
    (folder / "networks").mkdir()
    (folder / "containers.conf").write_text(CONTAINERS.format(folder=folder / "networks"))
    (folder / "storage.conf").write_text(STORAGE.format(store=store, driver=driver))
    os.environ.update(
        CONTAINERS_CONF=str(folder / "containers.conf"),
        CONTAINERS_STORAGE_CONF=str(folder / "storage.conf"),
        TMPDIR=str(folder),
        PBEM_HOST="localhost",
        PBEM_SMTP_URL=f"smtp://{US}:{PORT}",
        PBEM_MAIL_FROM="pbem <pbem@demo.invalid>",
        **dict.fromkeys(HANDED_ON, ""),
    )


def pass_on(port: int) -> None:
    """Whatever comes to the address that containers know goes to this port."""
    listener = socket.create_server((US, PORT))

    def pump(source: socket.socket, goal: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(1 << 16):
                goal.sendall(piece)
            goal.shutdown(socket.SHUT_WR)

    def take() -> None:
        while True:
            near, _ = listener.accept()
            far = socket.create_connection(("127.0.0.1", port))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=take, daemon=True).start()


def container(service: str) -> str:
    """The name of the container of a service: the project is named by the file or, by older versions, by its folder."""
    names = said("podman", "ps", "--all", "--format", "{{.Names}}").split()
    (found,) = [name for name in names if name.endswith(f"_{service}_1")]
    return found


def mounted(service: str, target: str) -> Path:
    """Where the volume of a container lies."""
    mounts: list[dict[str, Any]] = json.loads(said("podman", "inspect", container(service)))[0]["Mounts"]
    (found,) = [Path(mount["Source"]) for mount in mounts if mount["Destination"] == target]
    return found


def until_served(certificate: Path) -> None:
    """Wait until Caddy has made its certificate and pbem answers through it; from then on we trust that certificate."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(OSError, URLError):
            trusted = ssl.create_default_context(cafile=str(certificate))
            with urllib.request.urlopen("https://localhost/healthz", timeout=5, context=trusted) as answer:
                if json.load(answer)["ok"]:
                    os.environ["SSL_CERT_FILE"] = str(certificate)
                    return
        time.sleep(0.5)
    logs = [said("podman", "logs", "--tail", "40", container(name), check=False) for name in ("pbem", "caddy")]
    raise RuntimeError("\n".join(["it does not answer", *logs]))


def seen(page: str) -> tuple[int, dict[str, str]]:
    """Status and headers."""
    try:
        with urllib.request.urlopen(f"https://localhost{page}", timeout=60) as answer:
            return int(answer.status), dict(answer.headers)
    except HTTPError as error:
        return error.code, dict(error.headers)


def main(store: Path, driver: str, folder: Path) -> None:
    prepare(store, driver, folder)
    up = ("podman-compose", "-f", "one-host.yaml")
    with Mailroom(folder / "mails") as mailroom:
        pass_on(int(mailroom.url.rpartition(":")[2]))
        said(*up, "up", "-d")
        try:
            until_served(mounted("caddy", "/data") / "caddy/pki/authorities/local/root.crt")
            environ = {
                "PBEM_PUBLIC_URL": "https://localhost",
                "PBEM_SMTP_URL": mailroom.url,
                "PBEM_MAIL_FROM": "pbem <pbem@demo.invalid>",
                "PBEM_DATA_DIR": str(mounted("pbem", "/data")),
            }
            play(folder, Running({}, folder / "log"), mailroom, environ)
            inside = ("podman", "exec", "--user", "0", container("pbem"), "sh", "-c")
            found = {
                "letters": mailroom.count,
                "root": said(*inside, "echo x > /opt/pbem/written", check=False),
                "capabilities": said(*inside, "grep ^Cap /proc/1/status"),
                "privileges": said(*inside, "grep ^NoNewPrivs /proc/1/status"),
                "doctor": said("podman", "exec", container("pbem"), "pbem", "doctor", check=False),
                "healthy": said("podman", "healthcheck", "run", container("pbem"), check=False),
                "pages": {page: seen(page) for page in ("/archive", "/outbox", "/metrics")},
                "changed": said("podman", "diff", container("pbem")),
            }
            said("podman", "exec", container("pbem"), "pbem", "backup")
            found["backups"] = [path.name for path in (mounted("pbem", "/data") / "backups").iterdir()]
            said(*up, "down")
            said(*up, "up", "-d")
            until_served(Path(os.environ["SSL_CERT_FILE"]))
            with urllib.request.urlopen("https://localhost/archive", timeout=60) as page:
                found["archive"] = page.read().decode()
            print(json.dumps(found))
        finally:
            said(*up, "down", check=False)
            said("podman", "rm", "--all", "--force", check=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
