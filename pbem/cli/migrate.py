"""Bring the tables of the database up to date."""

from __future__ import annotations

import argparse

from pbem.cli._office import settings
from pbem.runtime.server import migrate


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    migrate(settings())
    return 0
