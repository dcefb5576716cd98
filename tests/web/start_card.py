"""The picture beside a link to the start page: two kept games late in play, one of each family, as our renderer draws
them.

``python -m tests.web.start_card`` draws it anew after a wanted change of the renderer. Only this command writes: no
test run does.
"""

from pathlib import Path

from PIL import Image, ImageChops

from pbem.engine.record import replay
from pbem.rails.scene import Scene
from pbem.render.encode import png, scene_palette
from pbem.render.page import map_sketch
from pbem.render.palette import FRAME, PAPER
from pbem.render.thumb import CARD
from pbem.settings.paths import templates_folder
from tests.playthroughs.record import sheet_of
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.web import start_board

FILE = "start-card.png"
STEAM_POWER = "ireland-5-to-the-end-cash_action=5"
LEFT, GAP, EDGE = 780, 10, 6
"""Px: the width of the first board, what lies between the two, and around them."""
SHARES = 0.68, 0.62
"""The size of both boards, of that on the pages."""
BUSY = 0.66
"""Of the orders of the second game so many are played: later most of its factories are used up, and gray."""


def age_of_steam() -> Scene:
    """The game of the start page at its end."""
    game = start_board.record()
    scene: Scene = game.sheet.scene(list(game.states())[-1], subtitle="")
    return scene


def steam_power() -> Scene:
    """A kept game of five with many factories."""
    record = load(GAMES / f"{STEAM_POWER}{SUFFIX}").record
    sheet = sheet_of(record)
    played = list(replay(sheet, record))
    scene: Scene = sheet.scene(played[round(BUSY * len(played))].state, subtitle="")
    return scene


def cut(scene: Scene, share: float, size: tuple[int, int], place: tuple[float, float]) -> Image.Image:
    """A part of the board, ``share`` of its usual size; ``place``: how much of what is cut away is left and above."""
    whole = map_sketch(scene).picture()
    whole = whole.resize((round(whole.width * share), round(whole.height * share)), Image.Resampling.LANCZOS)
    left, top = (round(before * (all_ - part)) for before, all_, part in zip(place, whole.size, size, strict=True))
    return whole.crop((left, top, left + size[0], top + size[1]))


def card() -> Image.Image:
    """The whole picture: Age of Steam at the left, Steam Power at the right."""
    high = CARD[1] - 2 * EDGE
    page = Image.new("RGB", CARD, FRAME)
    page.paste(PAPER, (EDGE // 2, EDGE // 2, CARD[0] - EDGE // 2, CARD[1] - EDGE // 2))
    first = cut(age_of_steam(), SHARES[0], (LEFT, high), (0.1, 0.5))
    second = cut(steam_power(), SHARES[1], (CARD[0] - LEFT - GAP - 2 * EDGE, high), (0.9, 0.1))
    page.paste(first, (EDGE, EDGE))
    page.paste(FRAME, (EDGE + LEFT + GAP // 2 - 1, 0, EDGE + LEFT + GAP // 2 + 1, CARD[1]))
    page.paste(second, (EDGE + LEFT + GAP, EDGE))
    return page


def differs(kept: Image.Image) -> bool:
    """Whether a kept picture shows something else."""
    apart = ImageChops.difference(kept.convert("RGB").reduce(6), card().reduce(6)).convert("L")
    return sum(apart.histogram()[40:]) > 20


def write(folder: Path) -> None:
    colours = dict.fromkeys((*scene_palette(age_of_steam()), *scene_palette(steam_power())))
    (folder / FILE).write_bytes(png(card(), tuple(colours)))


if __name__ == "__main__":
    write(templates_folder() / "static")
