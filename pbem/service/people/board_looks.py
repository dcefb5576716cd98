"""How somebody wants to see boards: on pages of their own, and in their emails."""

from __future__ import annotations

from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.store.tables import Account
from pbem.views.accounts import BoardLook


def of(account: Account) -> BoardLook:
    """What an account has chosen."""
    return BoardLook(account.clear_colours, account.hex_labels)


def choose(office: Office, account_id: int, look: BoardLook) -> None:
    """See boards so from now on."""
    with office.write() as session:
        account = queries.account(session, account_id)
        account.clear_colours, account.hex_labels = look.clear, look.labels
