"""Each variable read from its text. What cannot be used raises :class:`BadSetting` with the sentence to be said."""

import os
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from email_validator import EmailNotValidError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbem.settings.addresses import address_of
from pbem.settings.environment import BadSetting
from pbem.settings.keys import SHORTEST_KEY

LONGEST_LOCAL = 20
"""Characters left of the @ of an address that a token is put into: 64 is the most there may be."""
LONGEST_TOLD = 300
"""Characters of a name or an address that pages tell."""
LONGEST_TERMS = 100_000
"""Bytes of a file with terms."""


def data_dir(value: str) -> Path:
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


def backup_dir(value: str) -> Path | None:
    if "\0" in value:
        raise BadSetting("PBEM_BACKUP_DIR cannot be read; expected the path of a folder.")
    return Path(value).absolute() if value else None


def database_url(value: str) -> str:
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


def broker_url(value: str) -> str:
    try:
        url = urlsplit(value)
        bad = bool(value) and (url.scheme not in ("redis", "rediss", "redis+socket") or url.port == 0)
    except ValueError as error:
        raise BadSetting("PBEM_BROKER_URL cannot be read; expected redis://HOST:PORT/NUMBER.") from error
    if bad:
        raise BadSetting("PBEM_BROKER_URL must begin with redis:// or rediss://, or be empty for the local broker.")
    return value


def smtp_url(value: str) -> str:
    return _server("PBEM_SMTP_URL", value, "smtp", "expected smtp://USER:PASSWORD@HOST:PORT or smtps://…")


def imap_url(value: str) -> str:
    expected = "expected imaps://USER:PASSWORD@HOST, with %40 for an @ in the user's name"
    return _server("PBEM_IMAP_URL", value, "imap", expected, named=True)


def _server(name: str, value: str, scheme: str, expected: str, *, named: bool = False) -> str:
    """The address of a mail server; ``named``: with a user. The scheme may end with s, for encrypted."""
    try:
        url = urlsplit(value)
        good = url.scheme in (scheme, f"{scheme}s") and url.hostname and (url.username or not named) and url.port != 0
    except ValueError as error:
        raise BadSetting(f"{name} cannot be read; {expected}.") from error
    if value and not good:
        raise BadSetting(f"{name} cannot be used; {expected}.")
    return value


def public_url(value: str) -> str:
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


def mail_from(value: str) -> str:
    address = parseaddr(value)[1]
    local, at, host = address.rpartition("@")
    if not (local and at and host) or any(c in value for c in "\r\n"):
        raise BadSetting("PBEM_MAIL_FROM is not an email address; expected pbem <play@example.org>.")
    return value


def return_path(value: str, mail_from: str, mailin_port: int) -> str:
    if not value and mailin_port:
        value = f"bounce@{parseaddr(mail_from)[1].rpartition('@')[2]}"
    return own_address("PBEM_RETURN_PATH", value, "bounce")


def own_address(name: str, value: str, example: str) -> str:
    """An address of which every letter gets its own."""
    local, at, host = value.rpartition("@")
    plain = value.isascii() and value.isprintable() and not any(c in value for c in ' +<>,;"')
    if value and not (local and at and host and plain and len(local) <= LONGEST_LOCAL and "@" not in local):
        raise BadSetting(f"{name} is not a usable address; expected {example}@example.org, without +.")
    return value


def operator(value: str) -> str:
    try:
        return address_of(value) if value else ""
    except EmailNotValidError as error:
        raise BadSetting("PBEM_OPERATOR is not an email address; expected you@example.org, without a name.") from error


def told(name: str, value: str) -> str:
    """A line that pages show as it is."""
    value = value.strip()
    if len(value) > LONGEST_TOLD or not value.isprintable():
        raise BadSetting(f"{name} must be one line of at most {LONGEST_TOLD} characters.")
    return value


def contact(value: str) -> str:
    expected = "expected an email address without a name, or https://HOST/PAGE"
    try:
        if not value.startswith("https:"):
            return address_of(value) if value else ""
        good = urlsplit(value).hostname and value.isascii() and value.isprintable() and len(value) <= LONGEST_TOLD
    except (EmailNotValidError, ValueError) as error:
        raise BadSetting(f"PBEM_CONTACT cannot be used; {expected}.") from error
    if not good or any(mark in value for mark in ' "<>\\'):
        raise BadSetting(f"PBEM_CONTACT cannot be used; {expected}.")
    return value


def terms(value: str) -> str:
    """What stands in the file; a change of it is seen at the next start."""
    if not value:
        return ""
    try:
        with open(value, "rb") as file:
            content = file.read(LONGEST_TERMS + 1)
        text = content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadSetting(f"PBEM_TERMS: {value[:LONGEST_TOLD]!r} cannot be read as a text file in UTF-8.") from error
    if len(content) > LONGEST_TERMS:
        raise BadSetting(f"PBEM_TERMS names a file with more than {LONGEST_TERMS:,} bytes.")
    return text


def metrics_token(value: str) -> str:
    if value and not (len(value) >= SHORTEST_KEY and value.isascii() and value.isprintable() and " " not in value):
        raise BadSetting(f"PBEM_METRICS_TOKEN must have at least {SHORTEST_KEY} characters and no space.")
    return value


def number(name: str, value: str, least: int, most: int) -> int:
    """A number from ``least`` to ``most``; nothing is 0."""
    if value and not (value.isascii() and value.isdigit() and len(value) < 6 and least <= int(value) <= most):
        raise BadSetting(f"{name} cannot be used; expected a number from {least} to {most}, or nothing.")
    return int(value or 0)


def one_of(name: str, value: str, words: tuple[str, ...]) -> str:
    """One of the words; nothing is the first."""
    if value not in ("", *words):
        raise BadSetting(f"{name} must be {', '.join(words)} or nothing.")
    return value or words[0]
