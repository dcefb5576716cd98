"""The server that all requests here are made to."""

import pytest

from tests.fuzz.world import Made, build


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Made once; whoever asks works on a copy."""
    return build(tmp_path_factory.mktemp("world"))
