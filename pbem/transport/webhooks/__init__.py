"""Telling other services by a request of ours to an address of theirs: where to, what, and how."""

from pbem.transport.webhooks.allowed import BadAddress, Resolve, Target, resolve, target
from pbem.transport.webhooks.messages import KINDS, Message, body, ntfy_topic, receiver
from pbem.transport.webhooks.sending import NotTold, tell

__all__ = [
    "KINDS", "BadAddress", "Message", "NotTold", "Resolve", "Target", "body", "ntfy_topic",
    "receiver", "resolve", "target", "tell",
]  # fmt: skip
