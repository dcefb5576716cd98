"""Templates are compiled once in a run of tests, not once in each of its processes.

A run has a folder of its own: what is compiled holds results of filters, which may have changed since another run.
"""

from pathlib import Path

from flask import Flask
from jinja2 import Environment, FileSystemBytecodeCache

from pbem.mail.environment import environment

_folder: list[Path] = []


def share(folder: Path) -> None:
    """Keep what is compiled in this folder; the processes of a run name the same one."""
    folder.mkdir(parents=True, exist_ok=True)
    _folder[:] = [folder]
    _keep(environment(), "mail")


def shared(app: Flask) -> Flask:
    """The application, with templates compiled for others like it."""
    _keep(app.jinja_env, "pages")
    return app


def _keep(compiling: Environment, name: str) -> None:
    """Of one kind of environment: another one compiles the same file otherwise."""
    if _folder:
        compiling.bytecode_cache = FileSystemBytecodeCache(str(_folder[0]), f"{name}-%s.cache")
