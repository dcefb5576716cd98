"""Figures that a question is decided by, as a small table beside it."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.text import Say


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a column; ``money``: its numbers are dollars."""

    title: Say
    money: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A row: what it is about, a cell for every column but the first. ``now``: it is what the question is about."""

    about: Say
    cells: tuple[int | Say | None, ...]
    now: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """``columns``: the first is that of what the rows are about; none at all where each row explains itself."""

    title: Say
    columns: tuple[Heading, ...]
    lines: tuple[Line, ...]
    note: Say | None = None
