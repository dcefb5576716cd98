"""Finds the robots: those that the modules of this package name in ``ROBOTS``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import pbem.robot.opponents as package
from pbem.robot.opponents.declaration import Robot


@cache
def every() -> Mapping[str, Robot]:
    """All robots by key, the weakest first."""
    modules = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    found: list[Robot] = []
    for module in modules:
        found += getattr(importlib.import_module(module.name), "ROBOTS", ())
    return {robot.key: robot for robot in sorted(found, key=lambda robot: (robot.strength, robot.key))}
