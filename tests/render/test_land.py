"""The land of a board is kept small, and exactly as it was drawn."""

from collections.abc import Callable

import pytest
from PIL import Image

from pbem.render import land
from pbem.render.canvas import Canvas, FlatCanvas, Ground
from pbem.render.drawn import Drawn
from pbem.render.geometry import Lattice
from pbem.render.palette import GRID, INK, PAPER
from tests.render.scenes import SLUGS, board


@pytest.mark.parametrize("slug", SLUGS)
def test_the_land_of_every_map_is_kept_with_a_number_for_each_of_its_colours(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wholes: list[Image.Image] = []

    def noted(whole: Image.Image, drawn: Callable[[], tuple[Drawn, ...]]) -> Ground:
        wholes.append(whole)
        return Ground(whole, drawn)

    monkeypatch.setattr(land, "Ground", noted)
    land._picture.cache_clear()
    found = land.land_picture(board(slug), Lattice.of_radius(board(slug).orientation, 40))
    assert found.image.mode == "P"
    assert found.image.convert("RGB").tobytes() == wholes[0].tobytes()
    assert len(found.packed) < wholes[0].width * wholes[0].height // 10, "boards that were drawn hold on to theirs"
    land._picture.cache_clear()


def test_a_ground_of_too_many_colours_is_kept_as_it_is() -> None:
    many = Image.linear_gradient("L").resize((300, 300))
    whole = Image.merge("RGB", (many, many.rotate(90), many.rotate(180)))
    found = Ground(whole)
    assert found.image.mode == "RGB"
    page = Image.new("RGB", (200, 200), INK)
    found.onto(page, (-150, 20))
    assert page.crop((0, 20, 150, 200)).tobytes() == whole.crop((150, 0, 300, 180)).tobytes()
    assert page.getpixel((10, 10)) == page.getpixel((190, 100)) == INK


def test_colours_that_hardly_differ_are_told_apart() -> None:
    whole = Image.new("RGB", (40, 300), (200, 200, 200))
    for number in range(9):
        whole.paste((200 + number % 3, 200 + number // 3, 201), (4 * number, 100, 4 * number + 3, 280))
    assert Ground(whole).image.convert("RGB").tobytes() == whole.tobytes()


def test_numbered_samples_give_the_picture_that_coloured_ones_give() -> None:
    pictures = []
    for canvas in (
        Canvas(90, 300, scale=2, origin=(0, 0), ground=PAPER),
        FlatCanvas(90, 300, scale=2, origin=(0, 0), ground=PAPER),
    ):
        canvas.polygon([(3.3, 5.2), (80.1, 140.9), (12.0, 290.4)], GRID)
        canvas.stroke([(5, 5), (60, 200)], 7, INK, round_ends=True)
        canvas.box((20, 120, 50.5, 140.2), 4, PAPER)
        canvas.line([(0, 0), (90, 300)], 2, INK)
        pictures.append(canvas.done().tobytes())
    assert pictures[0] == pictures[1]


def test_after_a_land_was_drawn_free_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr(land, "give_back", lambda: called.append(1))
    land._picture.cache_clear()
    for _ in range(2):
        land.land_picture(board("st_lucia"), Lattice.of_radius("flat-top", 30))
    assert called == [1]
