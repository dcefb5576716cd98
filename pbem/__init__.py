"""Long railway board games by email."""

import gc

__version__ = "0.1.0"

gc.set_threshold(20_000, 20, 50)
"""How many new objects make Python look for those that only refer to each other. It looks after 700 by itself, which is
a fifth of the time a process takes to start, and of replaying a game: values and modules that all stay."""
