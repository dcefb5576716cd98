"""Databases of each kind, empty and migrated or without tables."""

from __future__ import annotations

from tests.service.conftest import postgresql, sqlite

__all__ = ["postgresql", "sqlite"]
