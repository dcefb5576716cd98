"""``listed.toml``: changes that alter nothing, or nothing that a test should hold, each with its reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.planting import Change

FILE = Path(__file__).with_name("listed.toml")


class Listing:
    """Entries: ``path``; ``was``, the line before; ``now``, what it becomes (one or several); ``why``."""

    def __init__(self, text: str) -> None:
        self._why: dict[tuple[str, str, str], str] = {}
        for entry in tomllib.loads(text).get("listed", []):
            now = entry["now"]
            for line in now if isinstance(now, list) else [now]:
                self._why[entry["path"], entry["was"], line] = entry["why"]

    @classmethod
    def kept(cls) -> Listing:
        """The listing of this folder."""
        return cls(FILE.read_text("utf-8"))

    def __contains__(self, change: Change) -> bool:
        return change.key in self._why

    def paths(self) -> set[str]:
        """The files that have entries."""
        return {path for path, _, _ in self._why}

    def stale(self, changes: Iterable[Change]) -> list[str]:
        """Entries that no change has any more."""
        keys = {change.key for change in changes}
        return [f"{path}: {was} -> {now}" for path, was, now in self._why if (path, was, now) not in keys]

    def unexplained(self) -> list[str]:
        """Entries without a reason."""
        return [f"{path}: {was} -> {now}" for (path, was, now), why in self._why.items() if not why.strip()]
