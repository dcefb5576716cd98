"""What is made when pbem is built or installed: its addresses, and the compiled catalogues of other languages."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from typing_extensions import override

HOSTED = re.compile(r"(?:https://|ssh://git@|git@)(?P<host>[\w.-]+\.[a-z]+)[/:](?P<path>[\w./-]+?)(?:\.git)?/?")
"""A repository that others can reach, as git names it."""


class Addresses(MetadataHookInterface):
    """Where the source is: ``PBEM_SOURCE_URL``, or where this was cloned from; nothing where neither is known."""

    @override
    def update(self, metadata: dict[str, Any]) -> None:
        source = os.environ.get("PBEM_SOURCE_URL") or _origin(self.root)
        changes = {
            "Changelog": f"{source}/blob/HEAD/CHANGELOG.md",
            "Documentation": f"{source}/blob/HEAD/docs/README.md",
        }
        metadata["urls"] = {"Source": source, **changes} if source else {}


def _origin(root: str) -> str:
    """The address of the web page of ``origin``, empty for one on this machine or a copy without git."""
    words = ["git", "-C", root, "config", "--get", "remote.origin.url"]
    try:
        told = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    except OSError:
        return ""
    found = HOSTED.fullmatch(told)
    return f"https://{found['host']}/{found['path']}" if found else ""


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Runs :mod:`pbem.language.compiling`, by its path: pbem itself is not installed yet."""

    @override
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        found = importlib.util.spec_from_file_location("compiling", root / "pbem" / "language" / "compiling.py")
        assert found is not None
        assert found.loader is not None
        compiling = importlib.util.module_from_spec(found)
        found.loader.exec_module(compiling)
        compiling.compile_all(root / "templates" / "messages")
