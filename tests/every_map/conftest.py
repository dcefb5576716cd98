"""The sheet that has no rules of its own."""

import pytest

from pbem.engine import Sheet, catalog


@pytest.fixture(scope="module")
def rust_belt() -> Sheet:
    return catalog.sheet("age-of-steam", "rust_belt")
