"""What commands share that look into the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from pbem.cli._failure import Failure
from pbem.runtime.server import migrate
from pbem.service import BadInput, NoSuch, NotNow, Office
from pbem.settings import BadSetting, Settings, surroundings
from pbem.store.revision import Busy, Newer


def environment() -> dict[str, str]:
    """The environment with what ``.env`` adds; a file that cannot be read ends the command with its sentence."""
    try:
        return surroundings()
    except BadSetting as bad:
        raise Failure(str(bad)) from bad


def settings() -> Settings:
    """The settings of this environment; a bad one ends the command with its sentence."""
    try:
        return Settings.read(environment())
    except BadSetting as bad:
        raise Failure(str(bad)) from bad


@contextmanager
def office() -> Iterator[Office]:
    """An office on an up-to-date database; what the service refuses becomes the end of the command."""
    opened = Office.open(settings())
    try:
        migrate(opened.settings)
        yield opened
    except (BadInput, NotNow, NoSuch) as refusal:
        raise Failure(str(refusal.args[0])) from refusal
    except (Newer, Busy) as sentence:
        raise Failure(str(sentence)) from sentence
    except DBAPIError as error:
        raise Failure(f"The database reports an error: {error.orig}") from error
    finally:
        opened.database.close()
