"""The steps of a build are numbered as they were ordered."""

from dataclasses import replace

import pytest
from PIL import Image

from pbem.rails.scene import Marks
from pbem.render import changes
from pbem.render.canvas import Part
from pbem.render.geometry import map_geometry
from pbem.render.places import Places
from pbem.render.sketch import Sketch
from tests.render.scenes import late


def test_a_step_without_track_has_a_number_but_no_disc_and_the_next_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = next(chain for chain in late().chains if len(chain.pieces) >= 2)
    new_city: tuple[()] = ()
    scene = replace(late(), marks=Marks(laid=((chain.pieces[0],), new_city, (chain.pieces[1],))))
    geometry = map_geometry(scene.board)
    numbers: list[int] = []

    def noted(_: object, number: int) -> Part:
        numbers.append(number)
        return Part(Image.new("RGBA", (2, 2)))

    monkeypatch.setattr(changes, "_step", noted)
    changes.draw_steps(Sketch(2000, 2000), Places(scene, geometry.frame))
    assert numbers == [1, 3]
