"""A board is read only where its sketch and its tables say the same."""

from pathlib import Path

import pytest

from pbem.rails.board import BadBoard, load_board

RUST_BELT = (Path(__file__).parents[2] / "maps/rust_belt/board.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ('"Toledo" = "K12"', "", r"the sketch has a town on K12, which \[towns\] does not name"),
        ('"Toledo" = "K12"', '"Toledo" = "S10"', "the town on S10 is not in the sketch"),
        ('"Toledo" = "K12"', '"Toledo" = "Z99"', "the town on Z99 is not in the sketch"),
    ],
)
def test_the_sketch_and_the_table_name_the_same_towns(tmp_path: Path, was: str, now: str, wrong: str) -> None:
    path = tmp_path / "board.toml"
    assert was in RUST_BELT
    path.write_text(RUST_BELT.replace(was, now), "utf-8")
    with pytest.raises(BadBoard, match=wrong):
        load_board(path)
