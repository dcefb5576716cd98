"""Tables and how to reach them: rows only, no game, no rules, no clock."""

from pbem.store import ahead, clocks, limits, people, tables, ways  # every table is known as soon as one is

__all__ = ["ahead", "clocks", "limits", "people", "tables", "ways"]
