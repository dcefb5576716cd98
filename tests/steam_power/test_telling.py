"""Whoever plays is told in a dozen positions what was told before: questions, tables, pictures, drafts, answers."""

from difflib import unified_diff

import pytest

from tests.steam_power.telling import HERE, MOMENTS, path_of, told


@pytest.mark.parametrize("name", MOMENTS)
def test_a_position_is_told_as_it_was(name: str) -> None:
    then, now = path_of(name).read_text("utf-8").splitlines(), told(MOMENTS[name])
    different = "\n".join(unified_diff(then, now, "kept", "now", n=1, lineterm=""))
    if different:
        pytest.fail(f"{different[:20_000]}\nWanted? Then: python -m tests.steam_power.telling", pytrace=False)


def test_nothing_else_is_kept() -> None:
    assert {path.name for path in HERE.iterdir()} == {path_of(name).name for name in MOMENTS}
