"""How each game is played: one page for each, with pictures of a game that was really played for it.

A guide is two files of ``templates/pages/how_to_play``: ``<game>.html`` says the words, ``<game>.toml`` holds the
orders of its game and says which part of the board is shown after which of them. A heading whose id is the name of
a phase, or of an order word, is where a question about it leads.
"""

import io
import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from flask import Blueprint, Response, make_response, render_template, url_for
from PIL import Image
from werkzeug.exceptions import NotFound

from pbem.engine import Sheet, catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.language import email_words
from pbem.language import orders as spoken_orders
from pbem.language.position_letters import position_words
from pbem.rails.scene import Scene
from pbem.render import map_png
from pbem.settings.paths import templates_folder
from pbem.web.base.context import office
from pbem.web.boards.pictures import Picture, geometry_of, png

pages = Blueprint("how_to_play", __name__, url_prefix="/how-to-play")

FOLDER = "how_to_play"
MARGIN = 1.15
"""Hex radii of board that are shown around the middle of the outermost hexes of a figure."""
KEPT = 32


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of the board around ``hexes`` after the first ``after`` orders."""

    after: int
    hexes: tuple[str, ...]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game of a guide: what it is called, its deal, its orders, and what of it is shown."""

    title: str
    map: str
    players: int
    seed: str
    orders: tuple[str, ...]
    figures: dict[str, Figure]


@cache
def games() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


@cache
def example(game: str) -> Example:
    read = tomllib.loads((_folder() / f"{game}.toml").read_text("utf-8"))
    return msgspec.convert(read, Example)


def titles() -> list[tuple[str, str]]:
    return [(game, example(game).title) for game in games()]


def help_with(sheet: Sheet, topic: str = "") -> str:
    """The address of what the guide says of a phase or an order word; empty when there is no guide."""
    if sheet.game not in games():
        return ""
    return url_for("how_to_play.guide", game=sheet.game, _anchor=topic if topic in topics(sheet.game) else None)


@cache
def topics(game: str) -> frozenset[str]:
    return frozenset(re.findall(r'<h2 id="([a-z_-]+)"', (_folder() / f"{game}.html").read_text("utf-8")))


@pages.get("")
def index() -> str:
    return render_template("how_to_play/index.html", section="how-to-play", games=titles())


@pages.get("/by-email")
def by_email() -> str:
    return render_template(
        "how_to_play/by_email.html",
        section="how-to-play",
        games=titles(),
        taken=bool(office().settings.orders_address),
        typed=email_words.typed,
        order=spoken_orders.spoken("issue 2"),
        say=email_words.spelled("say"),
        position_words=_position_words(),
    )


@pages.get("/by-email/words.json")
def words() -> Response:
    return make_response({"words": _position_words()})


@cache
def _position_words() -> list[dict[str, str]]:
    return position_words(catalog.sheets())


@pages.get("/<game>")
def guide(game: str) -> str:
    if game not in games():
        raise NotFound
    pictures = {name: _picture(game, name) for name in example(game).figures}
    return render_template(f"how_to_play/{game}.html", section="how-to-play", figures=pictures)


@pages.get("/<game>/orders")
def orders(game: str) -> str:
    if game not in games():
        raise NotFound
    title = example(game).title
    return render_template("how_to_play/orders.html", section="how-to-play", game=game, title=title)


@pages.get("/<game>/<name>.png")
def figure(game: str, name: str) -> Response:
    if game not in games() or name not in example(game).figures:
        raise NotFound
    return png(_drawn(game, name))


def scene(game: str, after: int) -> Scene:
    told = example(game)
    sheet = catalog.sheet(game, told.map)
    seed = told.seed.encode()
    step = sheet.start(sheet.colours[: told.players], SeededChance(seed, DEAL), _defaults(sheet))
    before = step.state
    for order in told.orders[:after]:
        before = step.state
        moves = sheet.parse(before, order, {})
        step = sheet.play(before, sheet.to_act(before) or "", moves, SeededChance(seed, sheet.place(before)))
    drawn: Scene = sheet.scene(step.state, marks=sheet.marks(before, step.state, step.events) if after else None)
    return drawn


def _defaults(sheet: Sheet) -> dict[str, str]:
    return {option.key: option.default for option in sheet.options()}


def _picture(game: str, name: str) -> Picture:
    left, top, right, bottom = _box(game, example(game).figures[name].hexes)
    return Picture(url_for("how_to_play.figure", game=game, name=name), right - left, bottom - top)


@lru_cache(maxsize=KEPT)
def _drawn(game: str, name: str) -> bytes:
    shown = example(game).figures[name]
    with Image.open(io.BytesIO(map_png(scene(game, shown.after)))) as whole, io.BytesIO() as out:
        whole.crop(_box(game, shown.hexes)).save(out, "PNG", optimize=True)
        return out.getvalue()


def _box(game: str, hexes: Sequence[str]) -> tuple[int, int, int, int]:
    geometry = geometry_of(catalog.sheet(game, example(game).map))
    xs, ys = zip(*(geometry.centre(label) for label in hexes), strict=True)
    margin = MARGIN * geometry.radius
    return (
        max(0, round(min(xs) - margin)),
        max(0, round(min(ys) - margin)),
        min(geometry.width, round(max(xs) + margin)),
        min(geometry.height, round(max(ys) + margin)),
    )


def _folder() -> Path:
    return templates_folder() / "pages" / FOLDER
