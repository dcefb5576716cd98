"""What is said in a game by email is said once, also when the email comes twice."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("posts", sa.Column("source", sa.String(200), nullable=True))
    op.create_index("ix_posts_source", "posts", ["source"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_posts_source", "posts")
    op.drop_column("posts", "source")
