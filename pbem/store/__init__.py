"""Tables and how to reach them: rows only, no game, no rules, no clock."""
