"""The steps of a build are numbered as they were ordered."""

from __future__ import annotations
