"""Moves, events, chance, phases and the flow between them: pure, and no game in it."""
