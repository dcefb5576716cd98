"""The statements that a transaction sends to the database."""

from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session


def noted(session: Session) -> list[str]:
    """The list to which each statement of the transaction is added from now on."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(statement)

    event.listen(session.connection(), "before_cursor_execute", note)
    return found
