"""Several hosts on one machine: network namespaces with addresses of their own, joined by a bridge."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self


class NotAllowed(Exception):
    """This machine does not let us make network namespaces; the text says why."""


class Hosts:
    """Use as ``with Hosts(("worker1", "worker2")) as hosts``: one host for each name. Raises :class:`NotAllowed`."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._bridge = f"pbs{os.getpid() % 10_000}"
        self._network = f"10.213.{os.getpid() % 250}"

    @property
    def address(self) -> str:
        """Where all of them find this machine."""
        return f"{self._network}.1"

    def __enter__(self) -> Self:
        if shutil.which("ip") is None:
            raise NotAllowed("there is no program ip here (iproute2)")
        try:
            self._make()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def before(self, name: str) -> Sequence[str]:
        """The words that start a process on the host of this name; none for those that stay here."""
        return ("ip", "netns", "exec", self._space(name)) if name in self._names else ()

    @contextlib.contextmanager
    def cut_off(self, name: str) -> Iterator[None]:
        """Nothing reaches this host, and nothing leaves it, for the length of the ``with``."""
        _ip("link", "set", self._here(name), "down")
        try:
            yield
        finally:
            _ip("link", "set", self._here(name), "up")

    def _make(self) -> None:
        _ip("link", "add", self._bridge, "type", "bridge")
        _ip("addr", "add", f"{self.address}/24", "dev", self._bridge)
        _ip("link", "set", self._bridge, "up")
        for number, name in enumerate(self._names, 11):
            space, here = self._space(name), self._here(name)
            _ip("netns", "add", space)
            _ip("link", "add", here, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("link", "set", here, "master", self._bridge, "up")
            _ip("-n", space, "addr", "add", f"{self._network}.{number}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")
            _ip("-n", space, "link", "set", "lo", "up")

    def _remove(self) -> None:
        for name in self._names:
            _ip("netns", "delete", self._space(name), must=False)
        _ip("link", "delete", self._bridge, must=False)

    def _space(self, name: str) -> str:
        return f"{self._bridge}-{name}"

    def _here(self, name: str) -> str:
        return f"{self._bridge}v{self._names.index(name)}"


def _ip(*words: str, must: bool = True) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode and must:
        raise NotAllowed(f"ip {' '.join(words)}: {done.stderr.strip()}")
