"""The land of a board is kept small, and exactly as it was drawn."""

from PIL import Image

from pbem.render.canvas import Canvas, FlatCanvas, Ground
from pbem.render.palette import GRID, INK, PAPER


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
