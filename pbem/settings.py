"""The settings, read once from the environment: ``Settings.read(surroundings())``.

``.env.example`` lists every variable; they come from the environment, and those it lacks from a file ``.env`` in the
folder of the start. A value that cannot be used ends the start with one sentence that names the variable
(:class:`BadSetting`).
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import secrets
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailNotValidError, validate_email
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbem.disk import names_to_disk

SPECIAL_USE_DOMAIN_NAMES.clear()  # a server on a private network may well serve .local, .test or localhost

NAMES = (
    "PBEM_DATA_DIR",
    "PBEM_DATABASE_URL",
    "PBEM_BROKER_URL",
    "PBEM_SMTP_URL",
    "PBEM_PUBLIC_URL",
    "PBEM_SECRET_KEY",
    "PBEM_OLD_SECRET_KEYS",
    "PBEM_MAIL_FROM",
    "PBEM_RETURN_PATH",
    "PBEM_ORDERS_ADDRESS",
    "PBEM_MAILIN_PORT",
    "PBEM_MAILIN_HOST",
    "PBEM_HOOKS_LOOPBACK",
    "PBEM_PROXIES",
    "PBEM_RATE_LIMITS",
    "PBEM_OPERATOR",
    "PBEM_METRICS_TOKEN",
    "PBEM_LOG",
)
"""Every variable."""
OF_TOOLS = ("PBEM_NEEDS", "PBEM_SHARED", "PBEM_SOAK", "PBEM_GOLDEN")
"""Those of make and of the tests, which may be set where a server is started as well."""
ALIKE = 0.8
"""How much of a name must be that of a variable to be taken for it, misspelt."""
COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of a library, with the folder in which processes count; see ``pbem.meters``."""
NOT_AGAIN = 3
"""The status of a process that need not be started again as it is; gunicorn then ends instead of trying for ever."""
LOCAL_URL = "http://127.0.0.1:8000"
SHORTEST_KEY = 16
LONGEST_NAME = 60
"""Characters of a wrong name that are said."""
MOST_PROXIES = 9
LOGS = ("text", "json")
LONGEST_LOCAL = 20
"""Characters left of the @ of an address that a token is put into: 64 is the most there may be."""


class BadSetting(ValueError):
    """A variable that cannot be used; the text is the whole sentence."""


def with_token(address: str, token: str) -> str:
    """One letter's own address: ``bounce+TOKEN@HOST``."""
    local, _, host = address.rpartition("@")
    return f"{local}+{token}@{host}"


def surroundings(folder: Path = Path()) -> dict[str, str]:
    """The environment, with what it lacks from ``.env`` in this folder. Raises :class:`BadSetting`.

    A variable that is set to nothing is set: its default counts, whatever ``.env`` says. A misspelt name is told; one
    that is like none of ours may be somebody else's (see :func:`unknown`).
    """
    for name in unknown():
        if meant := _nearest(name):
            raise BadSetting(
                f"The environment sets {name[:LONGEST_NAME]}, which is not a variable of pbem; {meant} is."
            )
    file = folder / ".env"
    try:
        lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file.absolute()} cannot be read: {error}.") from error
    kept: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        name, value = _assignment(line, number)
        if value and name not in os.environ:
            kept[name] = value
    return {**os.environ, **kept}


def unknown() -> list[str]:
    """Names of the environment that begin like ours and are none."""
    return sorted(name for name in os.environ if name.startswith("PBEM_") and name not in (*NAMES, *OF_TOOLS))


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


def at_start() -> Settings:
    """The settings of a server process. What cannot be used ends the process with its sentence."""
    try:
        settings = Settings.read(surroundings())
    except BadSetting as bad:
        print(f"pbem: {bad}", file=sys.stderr, flush=True)  # noqa: T201 - there is no log yet
        raise SystemExit(NOT_AGAIN) from None
    for name in unknown():
        print(f"pbem: {name[:LONGEST_NAME]} is not a variable of pbem and is ignored.", file=sys.stderr, flush=True)  # noqa: T201
    return settings


@dataclass(frozen=True, slots=True)
class Settings:
    """One reading of the environment. Empty ``broker_url``: the local broker; empty ``smtp_url``: the outbox.

    ``return_path``: the address letters come back to, ``bounce@HOST``, of which each letter gets its own
    (``bounce+TOKEN@HOST``); empty: they come back to ``mail_from``. ``orders_address``: the same for answers with
    orders; empty: letters are not answered by mail. ``mailin_port`` 0: no mail is taken in.
    ``webhooks_loopback``: webhooks may also be http addresses of this machine, which only tests need. ``operator``: the
    address of who runs the server, who is told when something broke; ``metrics_token``: what a request for
    ``/metrics`` must carry, empty: there are none; ``log``: text json. ``old_secret_keys``: links signed with them hold
    as well; ``proxies``: how many stand before the web, each of which adds to X-Forwarded-For; ``rate_limits``: whether
    anybody can do too much of something.
    """

    data_dir: Path
    database_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    smtp_url: str = field(repr=False)
    public_url: str
    secret_key: str = field(repr=False)
    mail_from: str
    return_path: str = ""
    orders_address: str = ""
    mailin_host: str = "127.0.0.1"
    mailin_port: int = 0
    webhooks_loopback: bool = False
    operator: str = ""
    metrics_token: str = field(default="", repr=False)
    log: str = "text"
    old_secret_keys: tuple[str, ...] = field(default=(), repr=False)
    proxies: int = 0
    rate_limits: bool = True

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """Read and check every variable; makes the data directory and the secret key when they are missing."""
        data_dir = _data_dir(environ.get("PBEM_DATA_DIR", "") or "var")
        public_url = _public_url(environ.get("PBEM_PUBLIC_URL", "") or LOCAL_URL)
        mail_from = _mail_from(environ.get("PBEM_MAIL_FROM", "") or f"pbem <pbem@{urlsplit(public_url).hostname}>")
        mailin_port = _port(environ.get("PBEM_MAILIN_PORT", ""))
        return cls(
            data_dir=data_dir,
            database_url=_database_url(environ.get("PBEM_DATABASE_URL", "") or f"sqlite:///{data_dir / 'pbem.sqlite'}"),
            broker_url=_broker_url(environ.get("PBEM_BROKER_URL", "")),
            smtp_url=_smtp_url(environ.get("PBEM_SMTP_URL", "")),
            public_url=public_url,
            secret_key=_secret_key(environ.get("PBEM_SECRET_KEY", ""), data_dir),
            mail_from=mail_from,
            return_path=_return_path(environ.get("PBEM_RETURN_PATH", ""), mail_from, mailin_port),
            orders_address=_own_address("PBEM_ORDERS_ADDRESS", environ.get("PBEM_ORDERS_ADDRESS", ""), "orders"),
            mailin_host=environ.get("PBEM_MAILIN_HOST", "") or "127.0.0.1",
            mailin_port=mailin_port,
            webhooks_loopback=_yes("PBEM_HOOKS_LOOPBACK", environ.get("PBEM_HOOKS_LOOPBACK", "")),
            operator=_operator(environ.get("PBEM_OPERATOR", "")),
            metrics_token=_metrics_token(environ.get("PBEM_METRICS_TOKEN", "")),
            log=_log(environ.get("PBEM_LOG", "")),
            old_secret_keys=_old_secret_keys(environ.get("PBEM_OLD_SECRET_KEYS", "")),
            proxies=_proxies(environ.get("PBEM_PROXIES", "")),
            rate_limits=_rate_limits(environ.get("PBEM_RATE_LIMITS", "")),
        )

    @property
    def outbox_dir(self) -> Path:
        """Where letters are put, one ``.eml`` each, while no SMTP server is set."""
        return self.data_dir / "outbox"

    @property
    def mail_host(self) -> str:
        """The right side of our Message-IDs."""
        return parseaddr(self.mail_from)[1].rpartition("@")[2]


def _data_dir(value: str) -> Path:
    if "\0" in value:
        raise BadSetting("PBEM_DATA_DIR cannot be read; expected the path of a folder.")
    path = Path(value).absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)  # letters, the database and the key are in it
    except OSError as error:
        raise BadSetting(f"PBEM_DATA_DIR: {path} cannot be created or used: {error.strerror}.") from error
    if not os.access(path, os.W_OK):
        raise BadSetting(f"PBEM_DATA_DIR: {path} cannot be written to.")
    return path


def _database_url(value: str) -> str:
    expected = "expected sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
    try:
        url = make_url(value)
    except (ArgumentError, ValueError) as error:
        raise BadSetting(f"PBEM_DATABASE_URL cannot be read as a URL; {expected}.") from error
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise BadSetting(f"PBEM_DATABASE_URL names {url.drivername}, which is not supported; {expected}.")
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadSetting(f"PBEM_DATABASE_URL names no file, and several processes share the database; {expected}.")
    return url.render_as_string(hide_password=False)


def _broker_url(value: str) -> str:
    try:
        url = urlsplit(value)
        bad = bool(value) and (url.scheme not in ("redis", "rediss", "redis+socket") or url.port == 0)
    except ValueError as error:
        raise BadSetting("PBEM_BROKER_URL cannot be read; expected redis://HOST:PORT/NUMBER.") from error
    if bad:
        raise BadSetting("PBEM_BROKER_URL must begin with redis:// or rediss://, or be empty for the local broker.")
    return value


def _smtp_url(value: str) -> str:
    expected = "expected smtp://USER:PASSWORD@HOST:PORT or smtps://…"
    if not value:
        return ""
    try:
        url = urlsplit(value)
        bad = url.scheme not in ("smtp", "smtps") or not url.hostname or url.port == 0
    except ValueError as error:
        raise BadSetting(f"PBEM_SMTP_URL cannot be read; {expected}.") from error
    if bad:
        raise BadSetting(f"PBEM_SMTP_URL cannot be used; {expected}.")
    return value


def _public_url(value: str) -> str:
    try:
        url = urlsplit(value)
        bad = (
            url.scheme not in ("http", "https") or not url.hostname or bool(url.query or url.fragment) or url.port == 0
        )
    except ValueError as error:
        raise BadSetting("PBEM_PUBLIC_URL cannot be read; expected https://HOST.") from error
    if bad:
        raise BadSetting("PBEM_PUBLIC_URL cannot be used; expected https://HOST without query.")
    return value.rstrip("/")


def _mail_from(value: str) -> str:
    address = parseaddr(value)[1]
    local, at, host = address.rpartition("@")
    if not (local and at and host) or any(c in value for c in "\r\n"):
        raise BadSetting("PBEM_MAIL_FROM is not an email address; expected pbem <play@example.org>.")
    return value


def _port(value: str) -> int:
    if not value:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) < 6 and 0 < int(value) < 65536):
        raise BadSetting("PBEM_MAILIN_PORT is not a port; expected a number from 1 to 65535, or nothing.")
    return int(value)


def _return_path(value: str, mail_from: str, mailin_port: int) -> str:
    if not value and mailin_port:
        value = f"bounce@{parseaddr(mail_from)[1].rpartition('@')[2]}"
    return _own_address("PBEM_RETURN_PATH", value, "bounce")


def _own_address(name: str, value: str, example: str) -> str:
    """An address of which every letter gets its own."""
    local, at, host = value.rpartition("@")
    plain = value.isascii() and value.isprintable() and not any(c in value for c in ' +<>,;"')
    if value and not (local and at and host and plain and len(local) <= LONGEST_LOCAL and "@" not in local):
        raise BadSetting(f"{name} is not a usable address; expected {example}@example.org, without +.")
    return value


def address_of(text: str) -> str:
    """A mail address as accounts keep it, all ASCII. Raises ``EmailNotValidError``.

    Letters beyond ASCII before the @ would need mail servers along the whole way that can do SMTPUTF8.
    """
    valid = validate_email(text, allow_smtputf8=False, check_deliverability=False, globally_deliverable=False)
    return (valid.ascii_email or valid.normalized).casefold()


def _operator(value: str) -> str:
    try:
        return address_of(value) if value else ""
    except EmailNotValidError as error:
        raise BadSetting("PBEM_OPERATOR is not an email address; expected you@example.org, without a name.") from error


def _metrics_token(value: str) -> str:
    if value and not (len(value) >= SHORTEST_KEY and value.isascii() and value.isprintable() and " " not in value):
        raise BadSetting(f"PBEM_METRICS_TOKEN must have at least {SHORTEST_KEY} characters and no space.")
    return value


def _log(value: str) -> str:
    if value not in ("", *LOGS):
        raise BadSetting(f"PBEM_LOG must be {' or '.join(LOGS)}.")
    return value or LOGS[0]


def _proxies(value: str) -> int:
    if value and not (value.isascii() and value.isdigit() and len(value) < 6 and int(value) <= MOST_PROXIES):
        raise BadSetting(f"PBEM_PROXIES is not a number of proxies; expected 0 to {MOST_PROXIES}, or nothing.")
    return int(value or 0)


def _rate_limits(value: str) -> bool:
    if value not in ("", "on", "off"):
        raise BadSetting("PBEM_RATE_LIMITS must be on, off or nothing.")
    return value != "off"


def _yes(name: str, value: str) -> bool:
    if value not in ("", "yes", "no"):
        raise BadSetting(f"{name} must be yes, no or nothing.")
    return value == "yes"


def _secret_key(value: str, data_dir: Path) -> str:
    if value:
        if len(value) < SHORTEST_KEY:
            raise BadSetting(f"PBEM_SECRET_KEY is too short; give at least {SHORTEST_KEY} characters.")
        return value
    kept = data_dir / "secret_key"
    try:
        if not kept.exists():
            _make_key(kept)
    except OSError as error:
        raise BadSetting(f"PBEM_SECRET_KEY is not set and no key can be stored in {kept}: {error.strerror}.") from error
    return _kept_key(kept)


def _make_key(kept: Path) -> None:
    """A key under its name only when it is whole and on the disk; of several processes the first makes it for all."""
    descriptor, name = tempfile.mkstemp(prefix=".secret_key.", dir=kept.parent)  # for us alone
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(name, kept)
        names_to_disk(kept.parent)
    finally:
        os.unlink(name)


def _old_secret_keys(value: str) -> tuple[str, ...]:
    """Keys with spaces or commas between, as they were in use."""
    keys = tuple(value.replace(",", " ").split())
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise BadSetting(f"PBEM_OLD_SECRET_KEYS holds a key with fewer than {SHORTEST_KEY} characters.")
    return keys


def _kept_key(kept: Path) -> str:
    try:
        key = kept.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"PBEM_SECRET_KEY is not set and {kept} cannot be read.") from error
    if len(key) < SHORTEST_KEY:
        raise BadSetting(
            f"PBEM_SECRET_KEY is not set and {kept} holds no key. Remove the file to have a new one created."
        )
    return key
