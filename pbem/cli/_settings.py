"""The settings of this environment. Apart from the office, so that only commands that need one load all it needs."""

from pbem.cli._terminal import Failure
from pbem.settings.environment import BadSetting, surroundings
from pbem.settings.settings import Settings


def environment() -> dict[str, str]:
    """The environment with what ``.env`` adds; a file that cannot be read ends the command with its sentence."""
    try:
        return surroundings()
    except BadSetting as bad:
        raise Failure(str(bad)) from bad


def settings() -> Settings:
    """The settings of this environment; a bad one ends the command with its sentence."""
    try:
        return Settings.read(environment())
    except BadSetting as bad:
        raise Failure(str(bad)) from bad
