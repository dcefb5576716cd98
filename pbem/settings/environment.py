"""Where settings come from: the environment, and a file ``.env`` for what it lacks."""

import difflib
import os
import re
from pathlib import Path

NAMES = (
    "PBEM_DATA_DIR",
    "PBEM_DATABASE_URL",
    "PBEM_BROKER_URL",
    "PBEM_SMTP_URL",
    "PBEM_PUBLIC_URL",
    "PBEM_SECRET_KEY",
    "PBEM_OLD_SECRET_KEYS",
    "PBEM_PUSH_KEY",
    "PBEM_MAIL_FROM",
    "PBEM_RETURN_PATH",
    "PBEM_ORDERS_ADDRESS",
    "PBEM_MAILIN_PORT",
    "PBEM_MAILIN_HOST",
    "PBEM_IMAP_URL",
    "PBEM_WEBHOOKS_LOOPBACK",
    "PBEM_PROXIES",
    "PBEM_OWN_MAPS",
    "PBEM_RATE_LIMITS",
    "PBEM_OPERATOR",
    "PBEM_OPERATOR_NAME",
    "PBEM_CONTACT",
    "PBEM_POSTAL_ADDRESS",
    "PBEM_TERMS",
    "PBEM_METRICS_TOKEN",
    "PBEM_LOG",
    "PBEM_BACKUP_DIR",
)
"""Every variable."""
OF_TOOLS = ("PBEM_NEEDS", "PBEM_SHARED", "PBEM_SOAK", "PBEM_GOLDEN")
"""Those of make and of the tests, which may be set where a server is started as well."""
ALONE = {"PBEM_DOT_ENV": "no"}
"""In the environment of processes that pbem starts: that is all there is, and no file ``.env`` is read."""
ALIKE = 0.8
"""How much of a name must be that of a variable to be taken for it, misspelt."""
LONGEST_NAME = 60
"""Characters of a wrong name that are said."""


class BadSetting(ValueError):
    """A variable that cannot be used; the text is the whole sentence."""


def surroundings(folder: Path = Path()) -> dict[str, str]:
    """The environment, with what it lacks from ``.env`` in this folder. Raises :class:`BadSetting`.

    A variable that is empty is not set: compose files set every one they know. A misspelt name is told; one that is
    like none of ours may be somebody else's (see :func:`unknown`).
    """
    for name in unknown():
        if meant := _nearest(name):
            raise BadSetting(
                f"The environment sets {name[:LONGEST_NAME]}, which is not a variable of pbem; {meant} is."
            )
    if ALONE.items() <= os.environ.items():
        return dict(os.environ)
    file = folder / ".env"
    try:
        lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file.absolute()} cannot be read: {error}.") from error
    kept: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        name, value = _assignment(line, number)
        if value and not os.environ.get(name):
            kept[name] = value
    return {**os.environ, **kept}


def unknown() -> list[str]:
    """Names of the environment that begin like ours and are none."""
    return sorted(name for name in os.environ if name.startswith("PBEM_") and name not in (*NAMES, *OF_TOOLS, *ALONE))


def _nearest(name: str) -> str:
    """The variable that was meant; empty when it is like none."""
    return next(iter(difflib.get_close_matches(name[:LONGEST_NAME], NAMES, 1, ALIKE)), "")


def _assignment(line: str, number: int) -> tuple[str, str]:
    """``NAME=value``, as a shell or systemd would take it; a comment is a line of its own."""
    if not line.strip() or line.lstrip().startswith("#"):
        return "", ""
    found = re.fullmatch(r"""\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'].*?)?)\s*""", line)
    if found is None:
        raise BadSetting(f"Line {number} of .env cannot be read; expected NAME=value.")
    name, *values = found.groups()
    if name.startswith("PBEM_") and name not in NAMES:
        meant = f"; {_nearest(name)} is" if _nearest(name) else ""
        raise BadSetting(f"Line {number} of .env sets {name[:LONGEST_NAME]}, which is not a variable of pbem{meant}.")
    return name, next((value for value in values if value), "")
