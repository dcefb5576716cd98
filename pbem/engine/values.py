"""Frozen values: what play changes, what happens, what is asked, and what pages and letters are given."""

import msgspec
from msgspec import field
from msgspec.structs import replace
from typing_extensions import dataclass_transform

__all__ = ["Value", "field", "replace"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(msgspec.Struct, frozen=True):
    """Base of these values: fields with their types, as of a frozen dataclass."""
