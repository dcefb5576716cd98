"""A process of an older version that is in the middle of something: ``python -m tests.store.older URL``.

It knows the tables as they are when it starts. It says "ready", writes to two tables in each transaction, in an order
that a migration might cross, until a line comes, and prints the numbers of the rows that were committed.
"""

import json
import sys
import threading
from datetime import UTC, datetime

import sqlalchemy as sa

from pbem.store.database import open_engine

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def main() -> None:
    """Work until the line comes."""
    engine = open_engine(sys.argv[1]).execution_options(pbem_writes=True)
    tables = sa.MetaData()
    tables.reflect(engine)
    submissions, accounts = tables.tables["submissions"], tables.tables["accounts"]
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    done: list[int] = []
    while not ended.is_set():
        with engine.begin() as connection:
            connection.execute(sa.update(accounts).values(name=f"after {len(done)}"))
            row = {
                "game_id": "row1", "seat": "red", "text": "pass", "source": f"older {len(done)}", "via": "page",
                "status": "waiting", "rule": "", "line": 0, "step": 0, "moves": 1, "received_at": NOW,
            }  # fmt: skip
            made = connection.execute(sa.insert(submissions).values(row))
            number = made.inserted_primary_key
            assert number is not None
        done.append(number[0])
        if len(done) == 5:
            print("ready", flush=True)
    print(json.dumps(done))


if __name__ == "__main__":
    main()
