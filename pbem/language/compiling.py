"""Compiles the catalogues: ``python -m pbem.language.compiling`` writes a ``pbem.mo`` beside every ``pbem.po``.

It is done when pbem is installed, when a wheel is built and by ``make messages``; nothing is compiled when a process
starts.
"""

import os
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def stale(folder: Path) -> list[Path]:
    """The catalogues under ``folder`` that are newer than what was compiled of them."""
    found = sorted(folder.glob("*/LC_MESSAGES/*.po"))
    return [po for po in found if not _mo(po).exists() or _mo(po).stat().st_mtime_ns < po.stat().st_mtime_ns]


def compile_all(folder: Path) -> list[Path]:
    """Compile what is stale; the catalogues that were."""
    found = stale(folder)
    for po in found:
        made = po.with_suffix(f".{os.getpid()}")
        with po.open("rb") as source, made.open("wb") as file:
            write_mo(file, _with_former(read_po(source, locale=po.parent.parent.name)))
        made.replace(_mo(po))  # whole or not at all: somebody may be reading it
    return found


def _with_former(catalogue: Catalog) -> Catalog:
    """With the sentences that pbem does not say any more: rows of earlier versions still do."""
    for former in catalogue.obsolete.values():
        one = former.id[0] if isinstance(former.id, tuple | list) else former.id
        if catalogue.get(one, former.context) is None:
            catalogue.add(former.id, former.string, context=former.context)
    return catalogue


def _mo(po: Path) -> Path:
    return po.with_suffix(".mo")


if __name__ == "__main__":
    from pbem.settings.paths import templates_folder

    compile_all(templates_folder() / "messages")
