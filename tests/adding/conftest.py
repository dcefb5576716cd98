"""What all that is added has to work with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Sqlite
from tests.web.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server on which nothing has begun yet."""
    made = Site(Sqlite(tmp_path).fresh(), tmp_path)
    yield made
    made.close()
