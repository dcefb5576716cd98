"""Board pictures, tile pictures and player marks; a picture of a position never changes and is kept."""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Protocol

from flask import Blueprint, Response, g, make_response, render_template, request, url_for
from werkzeug.exceptions import NotFound
from zlib_ng import zlib_ng

from pbem.engine import Seat, Sheet, State, Value, catalog, replace
from pbem.engine.chance import SeededChance
from pbem.language import current
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.rails.track import hexes_of
from pbem.render import (
    MapGeometry,
    board_png,
    card_png,
    clear_png,
    crop_png,
    map_geometry,
    map_png,
    map_svg,
    mark_svg,
    page_geometry,
    page_svg,
    thumb_png,
)
from pbem.render.page import WIDTH, laid_out
from pbem.render.palette import PLAYERS
from pbem.service.base.rate_limits import PICTURES
from pbem.service.games import views
from pbem.views.clear_colours import cleared
from pbem.views.games import GameView
from pbem.web.base import clients, headers
from pbem.web.base.context import context, look, now, office
from pbem.web.base.forms import argument
from pbem.web.base.voices import portraits
from pbem.web.boards import keys, spots
from pbem.web.boards.drafts import MOMENT, Steps, asked_ahead, built, read_steps
from pbem.web.boards.spots import Spots

pages = Blueprint("pictures", __name__)

Key = tuple[object, ...]
"""Everything that decides what is drawn."""
SAMPLE_SEED = bytes(range(32))


class Picture(Value):
    """A picture on a page: its address, its size in px, and where the same board is as SVG.

    ``here``: classes of the place that a narrow screen shows first.
    """

    url: str
    width: int
    height: int
    live: str = ""
    here: str = ""


class PictureAddress(Protocol):
    """Where pictures of one position are. ``kind``: ``map_alone``, ``live``, ``tile`` or ``board``."""

    def __call__(self, kind: str, **query: str | None) -> str: ...


def in_game(game_id: str, at: int) -> PictureAddress:
    def address(kind: str, **query: str | None) -> str:
        return url_for(f"pictures.{kind}", game_id=game_id, at=at, **query)  # type: ignore[arg-type] # a query

    return address


def map_picture(
    game: GameView,
    steps: tuple[str, ...] = (),
    address: PictureAddress | None = None,
    here: Iterable[Label] = (),
    seat: Seat = "",
) -> Picture:
    """The map alone after the last move of the view, with the steps of a draft upon it; ``here``: the hexes in whose
    middle a narrow screen opens it, without any where the track of ``seat`` lies."""
    here = tuple(here) or (hexes_of(game.sheet.scene(game.state).track, seat) if seat else ())
    geometry, address = geometry_of(game.sheet), address or in_game(game.id, game.version)
    draft = ";".join(steps) or None
    live = address("live", steps=draft)
    return Picture(
        address("map_alone", steps=draft), geometry.width, geometry.height, live, spots.place(geometry, here)
    )


def board_picture(game: GameView) -> Picture:
    """The picture with all tables after the last move of the view; it is not drawn for this."""
    height = laid_out(game.sheet.scene(game.state, subtitle=game.title, names=game.names)).height
    address = partial(url_for, game_id=game.id, at=game.version)
    return Picture(address("pictures.board"), WIDTH, height, address("pictures.live_board"))


@lru_cache(maxsize=64)
def geometry_of(sheet: Sheet) -> MapGeometry:
    return map_geometry(sample(sheet).board)


@lru_cache(maxsize=64)
def sample(sheet: Sheet) -> Scene:
    """A deal of the sheet for the fewest players, as good as any other, for pages about the map."""
    scene: Scene = sheet.scene(dealt(sheet), subtitle="")
    return scene


def dealt(sheet: Sheet) -> State:
    players = sheet.player_counts()[0]
    chance = SeededChance(SAMPLE_SEED, "sample")
    return sheet.start(
        sheet.colours[:players], chance, {option.key: option.default for option in sheet.options()}
    ).state


@pages.get("/games/<game_id>/board.png")
def board(game_id: str) -> Response:
    game = _position(game_id)
    key = (current().code, "board", game.id, game.version)
    return png(drawn_once(key, lambda: board_png(as_seen(views.scene(office(), game)))))


@pages.get("/games/<game_id>/map.png")
def map_alone(game_id: str) -> Response:
    game, key = _for_draft(game_id)
    steps = read_steps()
    return png(drawn_once(("map", *key, steps), lambda: map_png(as_seen(_drawn(game, key, steps)))))


@pages.get("/games/<game_id>/map.svg")
def live(game_id: str) -> Response:
    game, key = _for_draft(game_id)
    steps = read_steps()
    return live_map((*key, steps), lambda: _drawn(game, key, steps))


@pages.get("/games/<game_id>/board.svg")
def live_board(game_id: str) -> Response:
    game = _position(game_id)

    def drawn() -> str:
        scene = as_seen(views.scene(office(), game))
        return page_svg(scene, _above(scene, page_geometry(scene)))

    return svg(("live board", game.id, game.version), drawn)


def live_map(key: Key, scene: Callable[[], Scene]) -> Response:
    """The board of a scene as SVG, with what every hex answers; ``key``: everything that decides what it shows."""

    def drawn() -> str:
        shown = as_seen(scene())
        return map_svg(shown, _above(shown, map_geometry(shown.board)))

    return svg(("live", *key), drawn)


def _above(scene: Scene, geometry: MapGeometry) -> str:
    return render_template("board_spots.svg", spots=Spots(scene, geometry))


@pages.get("/games/<game_id>/thumb.png")
def small(game_id: str) -> Response:
    """The board of a position without letters, for lists of games."""
    game = _position(game_id)
    return png(drawn_once(("small", game.id, game.version), lambda: thumb_png(game.sheet.scene(game.state))))


@pages.get("/games/<game_id>/card.png")
def card(game_id: str) -> Response:
    """The board of a position as other sites show it beside a link to the game."""
    game = _position(game_id)
    return png(drawn_once(("card", game.id, game.version), lambda: card_png(game.sheet.scene(game.state))))


@pages.get("/games/<game_id>/tile.png")
def tile(game_id: str) -> Response:
    """A hex of a draft with its neighbours and new track upon it, named by its ends: ``new=2.4,-1.3``."""
    game, key = _for_draft(game_id)
    steps = read_steps()
    return tile_picture(game, key, steps, lambda: _drawn(game, key, steps))


def tile_picture(game: GameView, key: Key, steps: Steps, scene: Callable[[], Scene]) -> Response:
    """The tile that the address of this request names, cut from the scene of a draft; ``key``: of the position."""
    hex_, new = argument("hex"), _ends(argument("new"))
    if hex_ not in geometry_of(game.sheet).centres or not new:
        raise NotFound
    seat = game.sheet.to_act(game.state) or ""
    return png(drawn_once(("tile", *key, steps, hex_, new), lambda: crop_png(as_seen(scene()), hex_, new, seat)))


@pages.get("/maps/<slug>/board.png")
def printed(slug: str) -> Response:
    sheet = sheet_of(slug)
    return png(drawn_once(("printed", slug), lambda: map_png(as_seen(sample(sheet)))))


@pages.get("/maps/<slug>/board.svg")
def live_printed(slug: str) -> Response:
    sheet = sheet_of(slug)
    return live_map(("printed", slug), lambda: sample(sheet))


@pages.get("/maps/<slug>/thumb.png")
def thumb(slug: str) -> Response:
    sheet = sheet_of(slug)
    return png(drawn_once(("thumb", slug), lambda: thumb_png(sample(sheet))))


@pages.get("/maps/<slug>/card.png")
def map_card(slug: str) -> Response:
    sheet = sheet_of(slug)
    return png(drawn_once(("map card", slug), lambda: card_png(sample(sheet))))


@pages.get("/marks/<seat>.svg")
def mark(seat: str) -> Response:
    if seat not in PLAYERS:
        raise NotFound
    drawn = cleared(mark_svg(seat)) if look().clear else mark_svg(seat)
    return _kept(drawn.encode(), "image/svg+xml", immutable=False)


@pages.get("/robots/<robot>.png")
def portrait(robot: str) -> Response:
    if robot not in portraits():
        raise NotFound
    return _kept(portraits()[robot], "image/png", immutable=False)


def sheet_of(slug: str) -> Sheet:
    if catalog.is_own(slug):
        try:
            return catalog.sheet(catalog.GAME_OF_DRAWINGS, slug)
        except catalog.UnknownSheet:
            raise NotFound from None
    for sheet in catalog.sheets():
        if sheet.slug == slug:
            return sheet
    raise NotFound


def drawn_once(key: Key, draw: Callable[[], bytes]) -> bytes:
    """The picture for a key in the language that is read; one that has to be drawn counts for the client who asks."""

    def counted() -> bytes:
        clients.use(office(), PICTURES, clients.client(), now())
        return draw()

    return context().pictures.get((current().code, look().labels, *key), counted)


def as_seen(scene: Scene) -> Scene:
    return scene if look().labels else replace(scene, hex_labels=False)


def _drawn(game: GameView, key: Key, steps: Steps) -> Scene:
    """The scene of a draft in the reader's language; kept, because the tiles of a hex are cut from the same one."""

    def scene() -> Scene:
        return built(game, steps) if steps else views.scene(office(), game)

    return context().scenes.get((current().code, *key, steps), scene)


def _for_draft(game_id: str) -> tuple[GameView, Key]:
    """The position in which a draft is drawn, with its key: the real one, or that in which ``ahead`` is asked."""
    game = _position(game_id)
    seat, _, moment = argument("ahead", longest=MOMENT).partition(":")
    if not seat:
        return game, (game.id, game.version)
    shown = asked_ahead(game, seat, moment)
    if shown is None:
        raise NotFound
    return shown, (game.id, game.version, seat, moment)


def _ends(text: str) -> tuple[tuple[int, int], ...]:
    """Ends of track as an address names them; nothing when they are not readable."""
    found = re.fullmatch(r"(-1|[0-5])\.(-1|[0-5])(?:,(-1|[0-5])\.(-1|[0-5])){0,3}", text)
    if not found:
        return ()
    pairs = (pair.split(".") for pair in text.split(","))
    ends = tuple((int(a), int(b)) for a, b in pairs)
    return ends if all(a != b for a, b in ends) else ()


def _position(game_id: str) -> GameView:
    """The game at the move the address names, or now; a 404 when it has not started.

    A move that was taken back is not drawn while the game runs, but the position before it.
    """
    number = argument("at", longest=12)
    if number and not (number.isascii() and number.isdigit()):
        raise NotFound
    game = views.game(office(), game_id, int(number) if number else None)
    if game.state is None or not keys.may_see(game):
        raise NotFound
    g.private_picture = game.unlisted
    shown = views.position_shown(office(), game)
    g.only_now = shown != game.version
    return views.game(office(), game_id, shown) if g.only_now else game


def png(picture: bytes) -> Response:
    return _kept(clear_png(picture) if look().clear else picture, "image/png", immutable="at" in request.args)


def svg(key: Key, draw: Callable[[], str]) -> Response:
    """The SVG for a key in the reader's language; packed it takes a tenth of the memory, and less than a picture."""
    packed = drawn_once((current().code, *key), lambda: zlib_ng.compress(draw().encode(), 2))
    drawn = zlib_ng.decompress(packed)
    if look().clear:
        drawn = cleared(drawn.decode()).encode()
    return _kept(drawn, "image/svg+xml", immutable="at" in request.args)


def _kept(body: bytes, kind: str, *, immutable: bool) -> Response:
    response = make_response(body)
    response.mimetype = kind
    kept = headers.FOR_EVER if immutable and not g.get("only_now") else "public, max-age=300"
    response.headers["Cache-Control"] = kept.replace("public", "private") if g.get("private_picture") else kept
    response.set_etag(hashlib.sha256(body).hexdigest()[:16])
    response.make_conditional(request)
    return response
