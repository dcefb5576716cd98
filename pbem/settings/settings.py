"""The settings, read once from the environment: ``Settings.read(surroundings())``.

``.env.example`` lists every variable; they come from the environment, and those it lacks, or has empty, from a file
``.env`` in the folder of the start. A value that cannot be used ends the start with one sentence that names the
variable (:class:`BadSetting`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from pbem.settings import keys, values
from pbem.settings.environment import LONGEST_NAME, BadSetting, surroundings, unknown

COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of a library, with the folder in which processes count; see ``pbem.runtime.metrics``."""
NOT_AGAIN = 3
"""The status of a process that need not be started again as it is; gunicorn then ends instead of trying for ever."""
LOCAL_URL = "http://127.0.0.1:8000"


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
    orders; empty: letters are not answered by mail. ``mailin_port`` 0: no mail is
    taken in by SMTP; empty ``imap_url``: none is fetched from a mailbox.
    ``webhooks_loopback``: webhooks may also be http addresses of this machine, which only tests need. ``operator``: the
    address of who runs the server, who is told when something broke; ``metrics_token``: what a request for
    ``/metrics`` must carry, empty: there are none; ``log``: text json. ``old_secret_keys``: links signed with them hold
    as well; ``proxies``: how many stand before the web, each of which adds to X-Forwarded-For; ``rate_limits``: whether
    anybody can do too much of something. ``backup_dir``: where the clock makes backups; ``None``: it makes none.
    ``operator_name``, ``contact`` (an email address, or the https address of a page), ``postal_address``: what pages
    say of who runs the server; ``terms``: the operator's own terms, as Markdown. Empty: they say nothing of it.
    ``own_maps``: ``off``, ``playtest`` (by link, in no list) or ``on``.
    """

    data_dir: Path
    database_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    smtp_url: str = field(repr=False)
    public_url: str
    secret_key: str = field(repr=False)
    push_key: str = field(repr=False)
    mail_from: str
    return_path: str = ""
    orders_address: str = ""
    mailin_host: str = "127.0.0.1"
    mailin_port: int = 0
    imap_url: str = field(default="", repr=False)
    webhooks_loopback: bool = False
    operator: str = ""
    metrics_token: str = field(default="", repr=False)
    log: str = "text"
    old_secret_keys: tuple[str, ...] = field(default=(), repr=False)
    proxies: int = 0
    rate_limits: bool = True
    own_maps: str = "playtest"
    backup_dir: Path | None = None
    operator_name: str = ""
    contact: str = ""
    postal_address: str = ""
    terms: str = field(default="", repr=False)

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """Read and check every variable; makes the data directory and the keys when they are missing."""

        def of(name: str) -> str:
            return environ.get(name, "")

        data_dir = values.data_dir(of("PBEM_DATA_DIR") or "var")
        public_url = values.public_url(of("PBEM_PUBLIC_URL") or LOCAL_URL)
        mail_from = values.mail_from(of("PBEM_MAIL_FROM") or f"pbem <pbem@{urlsplit(public_url).hostname}>")
        mailin_port = values.number("PBEM_MAILIN_PORT", of("PBEM_MAILIN_PORT"), 1, 65535)
        return cls(
            data_dir=data_dir,
            database_url=values.database_url(of("PBEM_DATABASE_URL") or f"sqlite:///{data_dir / 'pbem.sqlite'}"),
            broker_url=values.broker_url(of("PBEM_BROKER_URL")),
            smtp_url=values.smtp_url(of("PBEM_SMTP_URL")),
            public_url=public_url,
            secret_key=keys.secret_key(of("PBEM_SECRET_KEY"), data_dir),
            push_key=keys.push_key(of("PBEM_PUSH_KEY"), data_dir),
            mail_from=mail_from,
            return_path=values.return_path(of("PBEM_RETURN_PATH"), mail_from, mailin_port),
            orders_address=values.own_address("PBEM_ORDERS_ADDRESS", of("PBEM_ORDERS_ADDRESS"), "orders"),
            mailin_host=of("PBEM_MAILIN_HOST") or "127.0.0.1",
            mailin_port=mailin_port,
            imap_url=values.imap_url(of("PBEM_IMAP_URL")),
            webhooks_loopback=values.one_of("PBEM_WEBHOOKS_LOOPBACK", of("PBEM_WEBHOOKS_LOOPBACK"), ("no", "yes"))
            == "yes",
            operator=values.operator(of("PBEM_OPERATOR")),
            metrics_token=values.metrics_token(of("PBEM_METRICS_TOKEN")),
            log=values.one_of("PBEM_LOG", of("PBEM_LOG"), ("text", "json")),
            old_secret_keys=keys.old_secret_keys(of("PBEM_OLD_SECRET_KEYS")),
            proxies=values.number("PBEM_PROXIES", of("PBEM_PROXIES"), 0, 9),
            rate_limits=values.one_of("PBEM_RATE_LIMITS", of("PBEM_RATE_LIMITS"), ("on", "off")) == "on",
            own_maps=values.one_of("PBEM_OWN_MAPS", of("PBEM_OWN_MAPS"), ("playtest", "off", "on")),
            backup_dir=values.backup_dir(of("PBEM_BACKUP_DIR")),
            operator_name=values.told("PBEM_OPERATOR_NAME", of("PBEM_OPERATOR_NAME")),
            contact=values.contact(of("PBEM_CONTACT")),
            postal_address=values.told("PBEM_POSTAL_ADDRESS", of("PBEM_POSTAL_ADDRESS")),
            terms=values.terms(of("PBEM_TERMS")),
        )

    @property
    def said_of_operator(self) -> dict[str, str]:
        """By variable, what pages of a public server must say of who runs it; empty where it is not set."""
        return {"PBEM_OPERATOR_NAME": self.operator_name, "PBEM_CONTACT": self.contact}

    @property
    def outbox_dir(self) -> Path:
        return self.data_dir / "outbox"

    @property
    def mail_host(self) -> str:
        """The right side of our Message-IDs."""
        return parseaddr(self.mail_from)[1].rpartition("@")[2]
