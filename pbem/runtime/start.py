"""What every process of the server does first."""

import logging
import sys
from importlib import import_module

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from pbem.runtime import logs
from pbem.settings.settings import NOT_AGAIN, Settings, at_start
from pbem.store.database import open_engine
from pbem.store.revision import Busy, Newer, missing

log = logging.getLogger(__name__)


def begin(process: str) -> Settings:
    """The settings of this process, which logs from now on, with tables that are up to date.

    Several processes may begin at once, without anybody having run ``pbem migrate``. A process whose settings cannot
    be used, or whose database is that of a newer version, ends with a sentence. A database that cannot be reached yet
    is no reason to end: see :func:`up_to_date`.
    """
    settings = listen_in(process)
    up_to_date(settings)
    return settings


def listen_in(process: str) -> Settings:
    """The settings of this process, which logs from now on. ``process``: web worker clock mailin."""
    settings = at_start()
    logs.begin(process, settings.log)
    return settings


def up_to_date(settings: Settings) -> bool:
    """Bring the tables up to date; returns whether they are, ``False`` while the database cannot be reached.

    Ends the process, with a sentence, when a newer version has made the tables.
    """
    engine = open_engine(settings.database_url)
    try:
        upgrade(engine)
    except (DBAPIError, Busy) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        log.warning("whether the tables are up to date cannot be seen: %s", str(reason).strip().partition("\n")[0])
        return False
    except Newer as newer:
        print(f"pbem: {newer}", file=sys.stderr, flush=True)  # noqa: T201 - for whoever has started it
        raise SystemExit(NOT_AGAIN) from None
    finally:
        engine.dispose()
    return True


def upgrade(engine: Engine) -> None:
    """Run the migrations that are missing. Raises what :func:`pbem.store.upgrade.upgrade` does.

    What runs them is loaded only when there is one: no process of the server needs it for the rest of its life.
    """
    if missing(engine):
        import_module("pbem.store.upgrade").upgrade(engine)
