"""The sheet that has no rules of its own."""

import pytest

from pbem.engine import catalog
from pbem.engine.sheet import Sheet


@pytest.fixture(scope="module")
def rust_belt() -> Sheet:
    return catalog.sheet("age-of-steam", "rust_belt")
