"""Indexes of games hold those alone that are looked for in them: finished games that everybody may see, and rematches.
No turn writes them, who counts finished games counts entries, and rematches are found however many games are none."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

LISTED = {
    "ix_games_status_ended_at_id": ["status", "ended_at", "id"],
    "ix_games_status_map_ended_at_id": ["status", "map", "ended_at", "id"],
}
REMATCHES = {"ix_games_rematch_of": ["rematch_of"]}


def upgrade() -> None:
    dialect = op.get_bind().dialect.name
    listed = f"status = 'over' AND unlisted IS {'false' if dialect == 'postgresql' else '0'}"
    for indexes, which in ((LISTED, listed), (REMATCHES, "rematch_of != ''")):
        only: Any = {f"{dialect}_where": sa.text(which)}  # both would load what SQLAlchemy has for the other database
        for name, columns in indexes.items():
            op.drop_index(name, "games")
            op.create_index(name, "games", columns, **only)


def downgrade() -> None:
    for name, columns in (LISTED | REMATCHES).items():
        op.drop_index(name, "games")
        op.create_index(name, "games", columns)
