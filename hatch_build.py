"""The catalogues of other languages are compiled when pbem is built or installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from typing_extensions import override


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
