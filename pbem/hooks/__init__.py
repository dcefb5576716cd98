"""Telling other services by a request of ours to an address of theirs: where to, what, and how."""

from pbem.hooks.messages import KINDS, Message, body
from pbem.hooks.telling import NotTold, tell
from pbem.hooks.vetting import BadAddress, Resolve, Target, resolve, target

__all__ = [
    "KINDS", "BadAddress", "Message", "NotTold", "Resolve", "Target", "body", "resolve", "target", "tell",
]  # fmt: skip
