"""Long railway board games by email."""

import gc

gc.set_threshold(20_000, 20, 50)
"""How many new objects make Python look for those that only refer to each other. It looks after 700 by itself, which is
a fifth of the time a process takes to start, and of replaying a game: values and modules that all stay."""


def __getattr__(name: str) -> str:
    """``pbem.__version__``: that of the tag it was built from, looked up only when somebody asks."""
    if name == "__version__":
        from importlib import metadata

        return metadata.version("pbem")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
