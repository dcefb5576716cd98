"""Bring the tables of the database up to date with this version."""

import argparse

from sqlalchemy.exc import DBAPIError

from pbem.cli._settings import settings
from pbem.cli._terminal import Failure
from pbem.runtime.server import migrate
from pbem.store.revision import Busy, Newer


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    try:
        migrate(settings())
    except (Newer, Busy) as sentence:
        raise Failure(str(sentence)) from sentence
    except DBAPIError as error:
        raise Failure(f"The database reports an error: {error.orig}") from error
    return 0
