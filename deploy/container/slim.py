"""Makes the environment of the image smaller, while it is built: without what pbem never uses of its libraries.

Python compiles what is loaded here, and nothing else: later nothing can be written there.
"""

import importlib
import pkgutil
import shutil
import sysconfig
from pathlib import Path

import babel

import pbem.cli
from pbem.engine import catalog
from pbem.language import languages
from pbem.store import public_holidays

PLACES = Path(sysconfig.get_path("purelib"))
NEEDLESS = (
    "aiosmtpd/tests", "icalendar/tests", "holidays/financial", "holidays/locale", "sqlalchemy/testing", "pip",
    "setuptools",
)  # fmt: skip
NEEDLESS_FILES = ("PIL/_avif.*.so", "pillow.libs/libavif-*")
"""Pillow knows that it may be built without this format of pictures."""
LOADED = (
    "pbem.web", "pbem.demo.game", "pbem.mail.reader", "pbem.runtime.webserver", "pbem.runtime.webworker",
    "pbem.store.upgrade", "workers.app", "workers.backups", "workers.clock", "workers.mailin",
    "celery.bin.celery", "celery.bin.worker", "celery.apps.worker", "celery.concurrency.solo", "celery.worker.consumer",
    "celery.worker.strategy", "celery.fixups.django", "kombu.transport.redis", "kombu.transport.virtual",
    "gunicorn.app.wsgiapp", "gunicorn.arbiter", "sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql.psycopg",
    "psycopg.pq", "PIL.PngImagePlugin", "PIL.GifImagePlugin", "PIL.WebPImagePlugin",
)  # fmt: skip


def main() -> None:
    for name in NEEDLESS:
        shutil.rmtree(PLACES / name, ignore_errors=True)
    for pattern in NEEDLESS_FILES:
        for file in PLACES.glob(pattern):
            file.unlink()
    codes = {language.code.partition("-")[0].partition("_")[0] for language in languages()} | {"en"}
    for data in (Path(babel.__file__).parent / "locale-data").glob("*.dat"):
        if data.stem != "root" and data.stem.partition("_")[0] not in codes:
            data.unlink()
    for name in (*LOADED, *pbem.cli.names().values()):
        importlib.import_module(name)
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if not module.name.endswith(".__main__") and ".migrations" not in module.name:
            importlib.import_module(module.name)
    catalog.sheets()
    public_holidays.countries()


main()
