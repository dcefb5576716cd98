"""What the pages of the operator have in common: for everybody else there are none."""

from werkzeug.exceptions import NotFound

from pbem.service.base.numbers import NUMBERS
from pbem.service.operator import hosting
from pbem.views.accounts import AccountView
from pbem.web.base.context import form_sender, office, reader


def who_looks() -> AccountView:
    """The operator, who looks at a page; raises a 404 for all others."""
    own = reader()
    if own is None or not _runs(own):
        raise NotFound
    return own


def who_acts() -> AccountView:
    """The operator, by a form of one of the pages; raises a 404 for all others."""
    own = form_sender()
    if not _runs(own):
        raise NotFound
    return own


def _runs(account: AccountView) -> bool:
    return hosting.runs(office().settings, account.address)


def number(text: str) -> int:
    """The number of a row; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and int(text) in NUMBERS else 0
