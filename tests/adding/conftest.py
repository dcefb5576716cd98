"""What all that is added has to work with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import workers.mailin
import workers.work  # noqa: F401 - they load all that speaks
from pbem.engine import catalog, text
from tests.databases import Sqlite
from tests.web.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server on which nothing has begun yet."""
    made = Site(Sqlite(tmp_path).fresh(), tmp_path)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def forms_of_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an added module registers of its sentences goes with the test; all of ours is loaded before."""
    catalog.sheets()
    monkeypatch.setattr(text, "_TO_READER", dict(text._TO_READER))
