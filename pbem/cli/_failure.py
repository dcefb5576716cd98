"""How a command ends that cannot do what it was asked."""

from __future__ import annotations


class Failure(Exception):
    """One sentence for the person at the terminal; ``status`` is the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status
