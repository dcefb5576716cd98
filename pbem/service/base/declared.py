"""Classes that are declared in the modules of a package, and found there by their names."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any


def classes(package: str, base: Any) -> dict[str, Any]:
    """Those of this base that have a ``kind``, by it."""
    modules = pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
    return {kind.kind: kind for module in modules for kind in declared_in(importlib.import_module(module.name), base)}


def declared_in(module: ModuleType, base: Any) -> Iterator[Any]:
    """Those of a module, without those that it imports."""
    own = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
    return (value for value in own if isinstance(value, type) and issubclass(value, base) and "kind" in vars(value))
