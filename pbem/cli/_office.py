"""What commands that use the database share."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from pbem.cli._settings import settings
from pbem.cli._terminal import Failure
from pbem.runtime.server import migrate
from pbem.service import BadInput, NoSuch, NotNow, Office, open_office
from pbem.store.revision import Busy, Newer


@contextmanager
def failing() -> Iterator[None]:
    """What the service refuses, and what the database says, becomes the end of the command."""
    try:
        yield
    except (BadInput, NotNow, NoSuch) as refusal:
        raise Failure(str(refusal.args[0])) from refusal
    except (Newer, Busy) as sentence:
        raise Failure(str(sentence)) from sentence
    except DBAPIError as error:
        raise Failure(f"The database reports an error: {error.orig}") from error


@contextmanager
def office() -> Iterator[Office]:
    """An office on an up-to-date database; what the service refuses becomes the end of the command."""
    opened = open_office(settings())
    try:
        with failing():
            migrate(opened.settings)
            yield opened
    finally:
        opened.database.close()
