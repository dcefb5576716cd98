"""Images built and run with buildah, without a daemon: as root, in a chroot, with the network of this machine.

The base is Debian's packages as they are at the mirror, kept for the next run; the registry of the usual one may not
be reachable. What a container writes lands in its volume,
``/data``, or in a layer that is thrown away and can be looked at.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.servers import Missing

ROOT = Path(__file__).parents[2]
KEPT = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "pbem-tests"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""Whom this machine trusts: its way to the package index may go through a proxy with a certificate of its own."""
MIRROR, SUITE = "http://deb.debian.org/debian", "bookworm"
OWNER = 10001
PATIENCE = 60.0


@dataclass(frozen=True)
class Builder:
    """A buildah with a store of its own."""

    folder: Path

    def __call__(self, *words: str) -> str:
        done = subprocess.run([*self.words, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"buildah {' '.join(words)}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout.strip()

    @property
    def words(self) -> list[str]:
        return ["buildah", "--root", str(self.folder / "store"), "--runroot", str(self.folder / "run")]

    def size(self, image: str) -> int:
        """Bytes, with the base."""
        rows = json.loads(self("images", "--json", image))
        return _bytes(rows[0]["size"])

    def config(self, image: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self("inspect", "--type", "image", image))["Docker"]["config"]
        return found


def _bytes(text: str) -> int:
    number, unit = text.split()
    return int(float(number) * {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}[unit])


@contextmanager
def builder() -> Iterator[Builder]:
    """Raises :class:`Missing` where images cannot be built."""
    if os.getuid() != 0 or not shutil.which("buildah") or not shutil.which("mmdebstrap"):
        raise Missing("images are built by root with buildah and mmdebstrap (Debian: buildah, mmdebstrap)")
    folder = Path(tempfile.mkdtemp(prefix="pbem-images-"))
    try:
        made = Builder(folder)
        yield made
        subprocess.run([*made.words, "rm", "--all"], capture_output=True, check=False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def base(build: Builder) -> str:
    """The name of an image with Python, and nothing of ours. Raises :class:`Missing`."""
    kept = KEPT / f"{SUITE}.tar"
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(".part.tar")
        words = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,python3-venv,ca-certificates"]
        words += [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")]
        words += ['--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*', SUITE, str(draft), MIRROR]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"no Debian could be fetched: {done.stderr.strip()[-300:]}")
        draft.rename(kept)
    container = build("from", "scratch")
    build("add", "--quiet", container, str(kept), "/")
    if CERTIFICATES.is_file():
        build("copy", "--quiet", container, str(CERTIFICATES), str(CERTIFICATES))
        build("config", "--env", f"PIP_CERT={CERTIFICATES}", container)
    build("commit", "--quiet", "--rm", container, "localhost/base")
    return "localhost/base"


def image(build: Builder, name: str = "localhost/pbem", version: str = "9.9.0") -> str:
    more = ["--build-arg", f"BASE={base(build)}", "--build-arg", f"VERSION={version}", "--tag", name]
    build("build", "--isolation", "chroot", "--format", "docker", *more, str(ROOT))
    return name


def caddy(build: Builder) -> str:
    """This machine's Caddy as the image that the compose files name, laid out as that is. Raises :class:`Missing`."""
    path = shutil.which("caddy")
    if path is None:
        raise Missing("there is no caddy on the PATH")
    made = build("from", "localhost/base")
    build("copy", "--quiet", made, path, "/usr/bin/caddy")
    build("config", "--env", "XDG_CONFIG_HOME=/config", "--env", "XDG_DATA_HOME=/data", "--workingdir", "/srv", made)
    build("config", "--cmd", "caddy run --config /etc/caddy/Caddyfile --adapter caddyfile", made)
    build("commit", "--quiet", "--rm", made, "docker.io/library/caddy:2")
    return "docker.io/library/caddy:2"


@dataclass
class Container:
    """One container: a writable layer over an image, with a volume."""

    build: Builder
    name: str
    volume: Path
    entrypoint: Sequence[str]

    def start(self, words: Sequence[str], environ: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
        """Run its entry point with these words; it ends with :func:`end`."""
        given = [part for name, value in environ.items() for part in ("--env", f"{name}={value}")]
        run = ["run", "--isolation", "chroot", "--volume", f"{self.volume}:/data", *given, self.name, "--"]
        with log.open("ab") as out:
            return subprocess.Popen(
                [*self.build.words, *run, *self.entrypoint, *words],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def run(self, words: Sequence[str], environ: Mapping[str, str], log: Path) -> int:
        return self.start(words, environ, log).wait(600)

    def written(self) -> list[str]:
        """Files that were written beside the volume and ``/tmp``."""
        top = Path(self.build("mount", self.name)).parent / "diff"
        assert top.is_dir(), "the layer of the container lies elsewhere"
        found = sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())
        return [path for path in found if not path.startswith(("tmp/", "data/", "run/", "etc/"))]


@contextmanager
def container(build: Builder, name: str, volume: Path) -> Iterator[Container]:
    volume.mkdir(parents=True, exist_ok=True)
    os.chown(volume, OWNER, OWNER)
    made = build("from", name)
    build("config", "--volume", "/data-", made)  # else buildah puts the folder of the image in the place of ours
    try:
        yield Container(build, made, volume, build.config(name)["Entrypoint"])
    finally:
        build("rm", made)


def end(*processes: subprocess.Popen[bytes]) -> None:
    """Ask them to end as a container engine does, and wait."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        process.wait(PATIENCE)


def services(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))["services"]
    return {name: service for name, service in found.items() if "pbem}" in service["image"]}
