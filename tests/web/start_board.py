"""The board of the start page, which plays itself: a kept game of our robots, drawn by our renderer.

``python -m tests.web.start_board`` draws it anew after a wanted change of the renderer. Only this command writes: no
test run does. Another game is another record of orders in ``start_board.toml``.
"""

import io
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.rails.scene import Scene
from pbem.render import board_png
from pbem.settings.paths import templates_folder

MOVING, STILL = "start-board.webp", "start-board-still.webp"
SHOWN = "build_track"
"""A picture of the game is shown whenever this phase has ended, and when the game has."""
BOX = (0, 0, 1400, 1112)
"""What is shown of the page: head and board, no tables."""
PACE, LAST = 2400, 8000
"""Milliseconds for which each picture is shown, and the last one."""
EXACT: dict[str, Any] = {"format": "WEBP", "lossless": True, "quality": 80, "method": 4}


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as it was played: the robots in the order of seats, and every order."""

    game: str
    map: str
    robots: tuple[str, ...]
    seed: str
    orders: tuple[str, ...]

    @property
    def sheet(self) -> Sheet:
        return catalog.sheet(self.game, self.map)

    def states(self) -> Iterator[State]:
        """The position before the first order and after each."""
        sheet, seed = self.sheet, self.seed.encode()
        options = {option.key: option.default for option in sheet.options()}
        state = sheet.start(sheet.colours[: len(self.robots)], SeededChance(seed, DEAL), options).state
        yield state
        for order in self.orders:
            chance = SeededChance(seed, sheet.place(state))
            state = sheet.play(state, sheet.to_act(state) or "", sheet.parse(state, order, {}), chance).state
            yield state


def record() -> Record:
    return msgspec.convert(tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")), Record)


def shown(game: Record) -> list[State]:
    """The positions that the page shows: the deal, what each phase of building has led to, and the end."""
    states = list(game.states())
    phases = [game.sheet.phase(state) for state in states]
    pairs = zip(phases, phases[1:], states[1:], strict=False)
    return [states[0], *(after for phase, following, after in pairs if phase == SHOWN != following), states[-1]]


def drawn(game: Record, state: State) -> Image.Image:
    """The picture of a position: nothing is marked as new, so that little differs from one to the next."""
    scene: Scene = game.sheet.scene(state, subtitle="")
    with Image.open(io.BytesIO(board_png(scene))) as picture:
        return picture.convert("RGB").crop(BOX)


def write(folder: Path) -> None:
    """Draw and write both files."""
    game = record()
    pictures = [drawn(game, state) for state in shown(game)]
    pictures[-1].save(folder / STILL, **EXACT)
    durations = [PACE] * (len(pictures) - 1) + [LAST]
    # no key frames: each picture holds only what differs from the one before
    pictures[0].save(
        folder / MOVING,
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        kmin=0,
        kmax=0,
        **EXACT,
    )


if __name__ == "__main__":
    write(templates_folder() / "static")
