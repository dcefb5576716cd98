"""The portraits of the robots: files of ``templates/robots``, 96 px wide, each by the key of the robot."""

from collections.abc import Mapping
from functools import cache

from pbem.settings.paths import templates_folder

STRANGER = "stranger"
"""Whose face stands for robots that have none of their own: those of a later version."""


@cache
def portraits() -> Mapping[str, bytes]:
    """Every portrait as PNG, clear at its corners."""
    return {path.stem: path.read_bytes() for path in sorted((templates_folder() / "robots").glob("*.png"))}
