"""Emails as they arrive."""

import email
import email.policy
from email.message import EmailMessage

from pbem.views.letters import Email


def arrived(sent: Email) -> EmailMessage:
    """The email as the program of its reader reads it."""
    read = email.message_from_bytes(sent.content, policy=email.policy.default)
    assert isinstance(read, EmailMessage)
    return read
