"""Bring the tables of the database up to date with this version."""

import argparse

from pbem.cli._office import failing
from pbem.cli._settings import settings
from pbem.runtime.server import migrate


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    with failing():
        migrate(settings())
    return 0
