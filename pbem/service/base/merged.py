"""Accounts that were merged into another: their numbers and addresses mean the one that was kept."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.base.office import Office
from pbem.store.tables import Account, MergedAccount


def at(session: Session, address: str) -> Account | None:
    """The account to which a clean address leads, its own or that of one that was merged into it."""
    known = session.scalar(select(Account).where(Account.address == address))
    if known is not None:
        return known
    kept = select(Account).join(MergedAccount, MergedAccount.account_id == Account.id)
    return session.scalar(kept.where(MergedAccount.address == address))


def number_now(session: Session, account_id: int) -> int:
    """The number of the account that an earlier one has become; the same for every other."""
    row = session.get(MergedAccount, account_id)
    return account_id if row is None else row.account_id


def meant(office: Office, account_id: int) -> int:
    """The same for whoever has only the number, from a link for instance."""
    with office.read() as session:
        return number_now(session, account_id)


def addresses(session: Session, account_id: int) -> tuple[str, ...]:
    """The addresses of accounts that were merged into this one, in the order of the alphabet."""
    query = select(MergedAccount.address).where(MergedAccount.account_id == account_id)
    return tuple(session.scalars(query.order_by(MergedAccount.address)))
