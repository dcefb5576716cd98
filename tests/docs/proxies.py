"""The examples of ``deploy/`` as they are, run by the real nginx and Caddy on free ports of loopback.

What a machine of a test cannot have is put in its place: name and port to listen on, certificates, folders of logs.
"""

import os
import re
import shutil
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.runtime import Processes
from pbem.runtime.server import migrate
from pbem.settings.settings import Settings
from tests.patience import PATIENCE
from tests.servers import free_ports

ROOT = Path(__file__).parents[2]
NAME = "games.example.org"
NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 128; }}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/pbem.conf;
}}
"""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running proxy. ``plain``: where it takes http; ``tls``: how its other port is spoken to."""

    port: int
    plain: int
    tls: ssl.SSLContext
    logs: Path

    def written(self) -> str:
        return "".join(path.read_text("utf-8", "replace") for path in sorted(self.logs.rglob("*.log")))


def program(name: str) -> str:
    """The path of a program; skips where there is none."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"there is no {name} on the PATH")
    return found


@contextmanager
def web(folder: Path) -> Iterator[int]:
    """The web processes as the Procfile starts them, behind one proxy that speaks https; yields their port."""
    environ = {
        **os.environ,
        "PBEM_DATA_DIR": str(folder / "data"),
        "PBEM_PUBLIC_URL": f"https://{NAME}",
        "PBEM_PROXIES": "1",
        "PBEM_RATE_LIMITS": "off",
        "PYTHONPATH": str(ROOT),
    }
    migrate(Settings.read(environ))
    (port,) = free_ports(1)
    with Processes(environ, folder / "web-logs") as processes:
        words = ["--config", "python:pbem.runtime.webserver", "pbem.web:create_app()", "--threads", "4"]
        processes.python("web", "-m", "gunicorn", *words, "--workers", "2", "--bind", f"127.0.0.1:{port}")
        processes.until_listening("127.0.0.1", port)
        with urllib.request.urlopen(
            f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE
        ):  # it listens before it can answer
            yield port


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[Proxy]:
    path = program("nginx")
    logs = folder / "log"
    logs.mkdir(parents=True)
    trusted = _certificate(folder)
    plain, port = free_ports(2)
    (folder / "pbem.conf").write_text(_nginx_site(folder, plain, port, upstream))
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))
    with Processes(os.environ, logs) as processes:
        processes.start("nginx", [path, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"])
        processes.until_listening("127.0.0.1", port)
        yield Proxy(port, plain, trusted, folder)


def _nginx_site(folder: Path, plain: int, port: int, upstream: int) -> str:
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    text = re.sub(r"^ +listen \[::\].*\n", "", text, flags=re.MULTILINE)
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        (f"/etc/letsencrypt/live/{NAME}", str(folder)),
        ("/var/log/nginx", str(folder / "log")),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{upstream}"),
    ):
        assert old in text, old
        text = text.replace(old, new)
    return text


def _certificate(folder: Path) -> ssl.SSLContext:
    """A certificate for the name, made for this test; returns what trusts it."""
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
             "-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]  # fmt: skip
    subprocess.run([program("openssl"), *words], check=True, capture_output=True)
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))


@contextmanager
def caddy(folder: Path, upstream: int) -> Iterator[Proxy]:
    """Caddy with ``deploy/Caddyfile`` and a certificate of one's own, by the line that is there for it."""
    path = program("caddy")
    folder.mkdir(parents=True)
    trusted = _certificate(folder)
    plain, port = free_ports(2)
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    for old, new in (
        (f"\n{{$PBEM_HOST:{NAME}}} {{\n", f"\n{NAME} {{\n\tbind 127.0.0.1\n"),
        ("\n{\n", f"\n{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {port}\n"),
        ("\t# tls /etc/caddy/", "\ttls /etc/caddy/"),
        ("/etc/caddy/", f"{folder}/"),
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("/var/log/caddy", str(folder / "log")),
    ):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "Caddyfile").write_text(text)
    environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with Processes(environ, folder / "log") as processes:
        processes.start("caddy", [path, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"])
        processes.until_listening("127.0.0.1", port)
        yield Proxy(port, plain, trusted, folder)


PROXIES = {"nginx": nginx, "caddy": caddy}
