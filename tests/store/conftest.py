"""Databases of each kind, empty and migrated or without tables."""

from tests.service.conftest import postgresql, sqlite

__all__ = ["postgresql", "sqlite"]
