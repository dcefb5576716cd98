"""Bring a database to the tables this version of the code knows."""

from __future__ import annotations

from importlib import resources

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.files("pbem.store") / "migrations"))
    return config


def upgrade(engine: Engine) -> None:
    """Run every migration that is missing, all in one transaction; does nothing when there is none."""
    config = _config()
    with engine.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def missing(engine: Engine) -> list[str]:
    """The migrations that have not been run yet, oldest first."""
    script = ScriptDirectory.from_config(_config())
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    return [revision.revision for revision in script.iterate_revisions("head", current)][::-1]
