"""Mailboxes: several addresses may be one, and whoever floods it with letters does not care how it is written."""

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pbem.store.tables import Account

DOTLESS = ("gmail.com", "googlemail.com")
"""Where dots before the @ do not count, and both names are one."""


def mailbox(address: str) -> str:
    """What a clean address has in common with the others of its mailbox: without ``+tag``, at Gmail without dots."""
    local, _, domain = address.rpartition("@")
    local = local.partition("+")[0] or local
    return f"{local.replace('.', '')}@{DOTLESS[0]}" if domain in DOTLESS else f"{local}@{domain}"


def accounts_of(session: Session, address: str) -> list[int]:
    """The accounts whose letters come to the same mailbox as those to this address."""
    local, _, domain = address.rpartition("@")
    domains = DOTLESS if domain in DOTLESS else (domain,)
    near = Account.address.startswith(local[:1], autoescape=True)
    there = or_(*(Account.address.endswith(f"@{name}", autoescape=True) for name in domains))
    found = session.execute(select(Account.id, Account.address).where(near, there))
    return [number for number, other in found if mailbox(other) == mailbox(address)]
