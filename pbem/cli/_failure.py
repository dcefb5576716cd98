"""How a command fails: with one sentence and an exit status."""

from __future__ import annotations


class Failure(Exception):
    """One sentence for the person at the terminal; ``status`` is the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status
