"""A finished game as one page that needs nothing else: every position, the log, charts, dice and the record."""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from flask import current_app, render_template
from markupsafe import Markup

import pbem
from pbem.engine import State, replace, say
from pbem.rails.scene import Scene
from pbem.render import MapPieces, clear_png, map_png, mark_svg, palette, svg_document
from pbem.service import NotNow
from pbem.service.archive import proofs, records
from pbem.service.base.seals import seal
from pbem.service.games import views
from pbem.settings.paths import templates_folder
from pbem.store.statuses import GameStatus
from pbem.views.clear_colours import cleared
from pbem.views.games import GameLine, GameView, TableView
from pbem.views.position import beside_points
from pbem.web.base import styles, summaries
from pbem.web.base.context import look, office
from pbem.web.base.summaries import words
from pbem.web.boards.pictures import as_seen, geometry_of
from pbem.web.games import replay, reviews
from pbem.web.games.film import Film

STYLES = ("site", "marks", "rows", "board", "cards", "review", "replay", "alone")
SCRIPTS = ("alone.js", "dice.js")
ON_MAP = ("track", "chains", "cities", "towns", "cubes", "links", "bars", "prices", "marks", "hex_labels")
"""What of a scene the map alone shows."""
MARK = re.compile(r"url\(\.\./marks/(\w+)\.svg(?:\?look=c)?\)")
FONT = re.compile(r"url\(\"\.\./static/([\w.-]+)\?v=\d+\"\)")
USED = re.compile(r'<use href="#(\w+)"')
POLICY = (
    "default-src 'none'; style-src {styles}; script-src {scripts}; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def made_of(game: GameLine) -> tuple[object, ...]:
    """What a file is made of, but for language and colours: where it is the same, the file is."""
    people = tuple((seat.seat, seat.name) for seat in game.seats)
    return pbem.__version__, game.id, game.version, game.title, game.ended_at, people, reviews.stand(game.id)


def of_game(game_id: str) -> bytes:
    """The file of a game. Raises :class:`NoSuch`, and :class:`NotNow` while it goes on."""
    view = views.game(office(), game_id)
    if view.status != GameStatus.OVER:
        raise NotNow(say("This can be made when the game is over."))
    return written(view)


def written(view: GameView, archive_at: str = "", *, findable: bool = True, by_turn: bool = False) -> bytes:
    """The file of a game that is over, in the language and colours of who reads. ``view``: at its end.

    ``archive_at``: where the archive is, for a file of a site; ``findable``: search engines may list it; ``by_turn``:
    it shows the position after every turn, not after every order.
    """
    seats = [seat.seat for seat in view.seats]
    standings = view.standings
    record = records.export(office(), view.id)
    course, moments, charts = replay.course_of(view, seats)
    reviewed, best = reviews.named(view)
    style, scripts = _style(clear=look().clear), _scripts()
    page = render_template(
        "game_file.html",
        **film_values(view, by_turn=by_turn),
        archive_at=archive_at,
        findable=findable,
        policy=POLICY.format(styles=_hashes([style]), scripts=_hashes(scripts)),
        style=Markup(style),  # nosec B704 # noqa: S704 - our own
        scripts=[Markup(script) for script in scripts],  # nosec B704 # noqa: S704 - our own
        version=pbem.__version__,
        icon=_data("image/svg+xml", (templates_folder() / "static" / "favicon.svg").read_bytes()),
        winners=[line for line in standings if line.seat in view.sheet.winners(view.state, standings)],
        verdict=view.sheet.verdict(view.state),
        part_names=summaries.part_names(standings),
        beside=beside_points(view.sheet.columns(view.state), standings),
        at_end={row.seat: row.cells for row in view.sheet.rows(view.state)},
        sums={line.seat: view.sheet.sums(view.state, line.seat) for line in standings},
        course=course,
        moments=moments,
        charts=charts,
        reviewed=reviewed,
        best=best,
        marks={seat: Markup(_symbol(seat)) for seat in palette.PLAYERS},  # nosec B704 # noqa: S704 - drawn by us
        rolls=proofs.rolls(office(), view.id) if view.seed else (),
        record=_safe(record),
        digest=seal(record),
        bags=_safe(proofs.bags(office(), view.id)) if view.seed else "",
    )
    return page.encode()


def film_values(view: GameView, *, by_turn: bool = False) -> dict[str, Any]:
    """What ``game_film.html`` needs to show a game that is over."""
    game, turns = view.seen_by(), summaries.by_turn(view.log)[::-1]
    shown = [moves[-1] for _, moves in turns] if by_turn else view.log
    film, final = _filmed(view, {0, *(move.number for move in shown if move.number > 0), view.version})
    return {
        "game": game,
        "voice": game.voice,
        "player": None,
        "alone": True,
        "last": view.version,
        "turns": turns,
        "step_to": lambda number: f"#{number}",
        "geometry": geometry_of(view.sheet),
        "film": _packed(film),
        "final": Markup(_coloured(final)),  # nosec B704 # noqa: S704 - drawn by us
    }


def final_board(view: GameView) -> bytes:
    """The board at the end of a game, for whoever has no scripts, in a file of its own."""
    picture = map_png(as_seen(view.sheet.scene(view.state, names=view.names)))
    return clear_png(picture) if look().clear else picture


def _filmed(view: GameView, versions: Collection[int]) -> tuple[dict[str, Any], str]:
    """Board and tables after these orders: ``frame`` is the document of the board with what the ``board``s share; and
    the last board alone."""
    boards, tables, numbers = Film(), Film(), []
    defs: dict[str, str] = {}
    written = _Tables(view.version)
    pictures = MapPieces()
    last: Scene | None = None
    drawn: list[str] = []
    for at, scene in _positions(view, versions):
        if last is None or not _same_map(scene, last):
            shared, drawn = pictures.of(scene)
            defs |= shared
        boards.add(drawn)
        last = scene
        tables.add(written.of(at, scene))
        numbers.append(at.version)
    geometry = geometry_of(view.sheet)
    document = partial(svg_document, geometry.width, geometry.height)
    final = document([defs[name] for name in dict.fromkeys(USED.findall("".join(drawn)))], drawn)
    frame = document(defs.values(), ())
    return {"numbers": numbers, "frame": frame, "board": boards.as_json(), "tables": tables.as_json()}, final


class _Tables:
    """What stands under the boards of a game, in lines; ``last``: the number of its last order."""

    def __init__(self, last: int) -> None:
        self._last, self._jinja = last, current_app.jinja_env
        self._page: dict[str, Any] = {}
        current_app.update_template_context(self._page)
        self._macros: dict[tuple[object, ...], Any] = {}
        self._displays: dict[tuple[object, ...], str] = {}
        self._rows: tuple[object, ...] = ()
        self._players = ""

    def of(self, at: GameView, scene: Scene) -> list[str]:
        game, move = at.seen_by(), next(iter(at.log), None)
        macros = self._of_places(game)
        told = str(macros.told(game, at.version, self._last, move))
        new = tuple((city.letter, city.name) for city in scene.cities if city.letter)
        if (key := (scene.light, scene.dark, new)) not in self._displays:
            values = {"game": game, "voice": game.voice, "scene": scene}
            self._displays[key] = self._jinja.get_template("display.html").render(self._page, **values)
        rows = game.position.rows if game.position else ()
        if (macros, rows) != self._rows:
            self._rows, self._players = (macros, rows), str(macros.players(game))
        return f"{told}{self._players}{self._displays[key]}\n{words(game)}".splitlines(keepends=True)

    def _of_places(self, game: TableView) -> Any:
        """The macros, which read out what they are given with the names that places have then."""
        key = tuple(game.position.places.items()) if game.position else ()
        if key not in self._macros:
            template = self._jinja.get_template("game_file_position.html")
            self._macros[key] = template.make_module({**self._page, "game": game, "voice": game.voice})
        return self._macros[key]


def _same_map(one: Scene, other: Scene) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in ON_MAP)


def _positions(view: GameView, versions: Collection[int]) -> Iterator[tuple[GameView, Scene]]:
    """The game after each of these orders, with the log of that order alone, and its scene."""
    logged = {move.number: move for move in view.log}
    before: State = None
    with office().read() as session:
        for number, state in views.states(session, view, sorted(versions)):
            log = (logged[number],) if number in logged else ()
            at = replace(view, version=number, state=state, log=log, standings=())
            yield at, as_seen(views.scene_after(at, before))
            before = state


def _coloured(markup: str) -> str:
    return cleared(markup) if look().clear else markup


def _packed(film: Mapping[str, Any]) -> str:
    text = json.dumps(film, separators=(",", ":"), ensure_ascii=False)
    return b64encode(zlib.compress(_coloured(text).encode(), 9)).decode()


def _safe(value: object) -> Markup:
    """JSON that may stand in a page: nothing in it can end the element it stands in."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # nosec B704 # noqa: S704 - no markup is left


def _symbol(seat: str) -> str:
    drawn = _coloured(mark_svg(seat))
    inside = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
    return f'<symbol id="mark-{seat}" viewBox="0 0 20 20">{inside}</symbol>'


@lru_cache(maxsize=2)
def _style(*, clear: bool) -> str:
    """One style sheet with all it needs in it: marks of players and companies, fonts."""
    folder = templates_folder() / "static"

    def mark(found: re.Match[str]) -> str:
        drawn = mark_svg(found[1])
        return f'url("{_data("image/svg+xml", (cleared(drawn) if clear else drawn).encode())}")'

    def font(found: re.Match[str]) -> str:
        return f'url("{_data("font/woff2", (folder / found[1]).read_bytes())}")'

    return FONT.sub(font, MARK.sub(mark, styles.joined((*STYLES, "clear") if clear else STYLES)))


@lru_cache(maxsize=1)
def _scripts() -> tuple[str, ...]:
    return tuple((templates_folder() / "static" / name).read_text("utf-8") for name in SCRIPTS)


def _hashes(texts: list[str] | tuple[str, ...]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"
