"""Long railway board games by mail."""

__version__ = "0.1.0"
