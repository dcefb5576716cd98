"""The checks of ``pbem doctor`` that look at the machine and the settings."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy.engine import make_url

from pbem.cli._settings import environment
from pbem.service.operator.health import Finding
from pbem.service.operator.hosting import ROOM, disk, newest
from pbem.settings.addresses import is_loopback, is_public
from pbem.settings.environment import LONGEST_NAME, unknown
from pbem.settings.settings import Settings
from pbem.store import kept_backups

NAMED = 5
MAKE_ROOM = (
    "Free space on this disk before it is full: remove old backups, or files of other programs. With a full disk, pbem "
    "accepts no orders and sends no emails; nothing is lost, and it continues by itself once there is space."
)
REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs"})
"""File systems of other machines, on which SQLite's locks cannot be relied on."""
MOUNTS = Path("/proc/self/mounts")


def findings(chosen: Settings) -> Iterator[Finding]:
    """Disk, variables, key, address, operator, what pages say of them, limits, and where SQLite lies."""
    yield _disk(chosen)
    yield from _backups(chosen)
    yield from _variables()
    yield _key(chosen)
    yield _address(chosen)
    yield _operator(chosen)
    yield _named(chosen)
    yield _limits(chosen)
    url = make_url(chosen.database_url)
    if url.drivername == "sqlite" and (remote := remote_kind(Path(url.database or ""))):
        yield Finding(
            "sqlite", False, f"the database is on a network file system ({remote})",
            "Move it to a local disk, or use PostgreSQL.",
        )  # fmt: skip


def _disk(chosen: Settings) -> Finding:
    found = disk(chosen)
    says = f"{found.free // 2**20:,} MB free for {found.folder}"
    return Finding("disk", found.free >= ROOM, says, "" if found.free >= ROOM else MAKE_ROOM)


def _backups(chosen: Settings) -> Iterator[Finding]:
    """Whether the backups of the clock are made; other ways to make some cannot be seen from here."""
    if chosen.backup_dir is None:
        return
    made = newest(chosen.backup_dir)
    if made is not None and datetime.now(UTC) - made < kept_backups.LATE:
        yield Finding("backup", True, f"made at {made:%Y-%m-%d %H:%M} UTC, and restored on trial")
        return
    says = f"the newest in {chosen.backup_dir} is of {made:%Y-%m-%d %H:%M} UTC" if made else "there is none yet"
    yield Finding("backup", made is None, says, "The log of the clock says why. To make one now: pbem backup")


def _variables() -> Iterator[Finding]:
    if strange := unknown():
        named = ", ".join(name[:LONGEST_NAME] for name in strange[:NAMED])
        do = "Check the spelling; .env.example lists every variable."
        yield Finding("variables", True, f"ignored, because pbem has no such variables: {named}", do)


def _key(chosen: Settings) -> Finding:
    several = make_url(chosen.database_url).drivername != "sqlite"
    if several and not environment().get("PBEM_SECRET_KEY") and _kept(chosen) == chosen.secret_key:
        return Finding(
            "key", True, f"kept only in {chosen.data_dir / 'secret_key'}",
            "Set PBEM_SECRET_KEY to its content: every machine needs the same key, and it must outlive this disk.",
        )  # fmt: skip
    return Finding("key", True, "links are signed")


def _kept(chosen: Settings) -> str:
    file = chosen.data_dir / "secret_key"
    return file.read_text("ascii", "replace").strip() if file.is_file() else ""


def _address(chosen: Settings) -> Finding:
    says = f"links in emails lead to {chosen.public_url}"
    if chosen.smtp_url and is_loopback(urlsplit(chosen.public_url).hostname or ""):
        return Finding("address", False, says, "Set PBEM_PUBLIC_URL to an address that players can reach.")
    return Finding("address", True, says)


def _operator(chosen: Settings) -> Finding:
    if chosen.smtp_url and not chosen.operator:
        do = "Set PBEM_OPERATOR to your address; without it only the hosts of games hear of errors."
        return Finding("operator", True, "no operator is told by email about errors", do)
    return Finding("operator", True, chosen.operator or "not needed without a mail server")


def _named(chosen: Settings) -> Finding:
    """Whether the pages of a server that others can reach say who runs it."""
    lacking = [name for name, value in chosen.said_of_operator.items() if not value]
    if not lacking:
        return Finding("about", True, f"pages say that {chosen.operator_name} runs this server")
    if is_public(urlsplit(chosen.public_url).hostname or ""):
        do = f"Set {' and '.join(lacking)}: people may know who has their address, and many laws ask for it."
        return Finding("about", True, "pages do not say who runs this server", do)
    return Finding("about", True, "not needed on a private address")


def _limits(chosen: Settings) -> Finding:
    if not chosen.rate_limits:
        return Finding("limits", True, "rate limits are off", "Remove PBEM_RATE_LIMITS=off; it is for tests only.")
    if chosen.public_url.startswith("https:") and not chosen.proxies:
        do = "Set PBEM_PROXIES to the number of proxies in front of the web process (docs/hosting.md, “Limits”)."
        return Finding("limits", True, "everyone who comes through a proxy counts as one client", do)
    return Finding("limits", True, "each client is counted separately")


def remote_kind(path: Path, mounts: Path = MOUNTS) -> str:
    """The kind of the file system that a file is on, if another machine has it; empty where that cannot be seen."""
    if not mounts.is_file():
        return ""
    kinds: dict[Path, str] = {}
    for line in mounts.read_text("utf-8", "replace").splitlines():
        _, where, kind, *_ = line.split()
        kinds[Path(where.replace("\\040", " "))] = kind
    above = next((kinds[folder] for folder in [path, *path.parents] if folder in kinds), "")
    return above if above in REMOTE else ""
