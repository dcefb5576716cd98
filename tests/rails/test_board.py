"""A board is read only where its sketch and its tables say the same."""

from pathlib import Path

import pytest

from pbem.rails.board import BadBoard
from pbem.rails.drawing import load_board

RUST_BELT = (Path(__file__).parents[2] / "maps/rust_belt/board.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ('"Toledo" = "K12"', "", "The town on K12 has no name."),
        ('"Toledo" = "K12"', '"Toledo" = "S10"', "The town Toledo lies on S10, where the sketch has no town."),
        ('"Toledo" = "K12"', '"Toledo" = "Z99"', "The town Toledo lies on Z99, which is not on the map."),
    ],
)
def test_the_sketch_and_the_table_name_the_same_towns(tmp_path: Path, was: str, now: str, wrong: str) -> None:
    path = tmp_path / "board.toml"
    assert was in RUST_BELT
    path.write_text(RUST_BELT.replace(was, now), "utf-8")
    with pytest.raises(BadBoard, match=wrong):
        load_board(path)
