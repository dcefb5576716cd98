"""The maps: boards, numbered rules, where they come from."""

from collections import Counter
from typing import Any

from flask import Blueprint, render_template, url_for

from pbem.engine import Say, Sheet, catalog, say
from pbem.language.voice import capital, spoken, translated
from pbem.rails.board import Board
from pbem.rails.names import folded
from pbem.render.key import land_word
from pbem.service.games import guests
from pbem.service.own_maps import listing, states, versions
from pbem.service.statistics import figures
from pbem.service.statistics.figures import OfMap
from pbem.web.base import previews, summaries
from pbem.web.base.context import office
from pbem.web.base.forms import argument, number
from pbem.web.boards.pictures import Picture, dealt, geometry_of, sample, sheet_of

pages = Blueprint("maps", __name__)


WORDS = {
    "age-of-steam": say(
        "Issue shares, bid for your place, build track, deliver goods. Bills come every turn, and players "
        "who cannot pay lose income, or are out."
    ),
    "steam-power": say(
        "Two actions a turn: build track and factories, take money, draw contracts and fulfil them. Nobody "
        "goes bankrupt."
    ),
}


LENGTHS = {
    "short": say("Short: up to {n} turns", n=listing.SHORT),
    "medium": say("Medium"),
    "long": say("Long: {n} turns and more", n=listing.LONG),
}


ORDERS = {
    "newest": say("newest first"),
    "played": say("most played first"),
    "liked": say("most liked first"),
    "name": say("by name"),
}


@pages.get("/maps")
def index() -> str:
    """The maps of each game; with ``n`` in the address those for so many. With ``drawn``: those that people draw."""
    if argument("drawn") and states.is_on(office()):
        return _drawn()
    sheets = catalog.sheets()
    counts = sorted({n for sheet in sheets for n in sheet.player_counts()})
    players = next((n for n in counts if str(n) == argument("n", longest=2000)), 0)
    fitting = [sheet for sheet in sheets if not players or players in sheet.player_counts()]
    games = {sheet.game: sheet.game_name for sheet in sheets}
    return render_template(
        "maps.html",
        section="maps",
        players=players,
        counts=counts,
        draws=office().settings.own_maps != "off",
        lists=states.is_on(office()),
        games=[
            _of_game(game, title, [sheet for sheet in fitting if sheet.game == game]) for game, title in games.items()
        ],
        preview=previews.of_map(
            sheets[0],
            spoken(say("Maps for Age of Steam and Steam Power")),
            spoken(
                say(
                    "{n} maps and modes for one to six players, by email: their boards, rules and rulings.",
                    n=len(sheets),
                )
            ),
            url_for("maps.index"),
        ),
    )


@pages.get("/maps/<slug>")
def map(slug: str) -> str:
    """The page of a map. That of a version of an own map is for those who play on it: its own page has the ways to."""
    if catalog.is_own(slug):
        return page(sheet_of(slug), own=versions.of_slug(office(), slug), hidden=True)
    return page(sheet_of(slug), preview=_preview(sheet_of(slug)))


def page(sheet: Sheet, **more: Any) -> str:
    """A page about a map; ``own``: the version that it is, of an own map."""
    slug, board = sheet.slug, sample(sheet).board
    geometry = geometry_of(sheet)
    return render_template(
        "map.html",
        section="maps",
        sheet=sheet,
        remark=translated(sheet.remark),
        picture=Picture(
            url_for("pictures.printed", slug=slug),
            geometry.width,
            geometry.height,
            url_for("pictures.live_printed", slug=slug),
        ),
        robots=len(board_of.robots) if (board_of := guests.board(slug)) else 0,
        rules=sheet.rule_texts(),
        provenance=translated(sheet.provenance()),
        cities=sorted(board.cities.values(), key=lambda city: folded(city.name)),
        printed=any(city.colours or city.columns or city.cubes for city in board.cities.values()),
        ends=sheet.ends(),
        figures=sheet.map_figures(dealt(sheet)),
        lands=_lands(board),
        played=_played(figures.of_map(office(), sheet.game, sheet.slug)),
        grows=grows,
        hex_prices=any(hex_.price is not None for hex_ in board.hexes.values()),
        towns=sorted(board.towns.items(), key=lambda town: folded(town[1])),
        designer=board.designer,
        shared=_shared([*(city.name for city in board.cities.values()), *board.towns.values()]),
        **more,
    )


def _drawn() -> str:
    length, players, page = argument("length"), number("players", 0), number("page", 0)
    rule, order = argument("rule"), argument("order")
    wanted = listing.Wanted(
        argument("q").strip(),
        players,
        length if length in LENGTHS else "",
        rule if rule in catalog.rule_titles() else "",
        order if order in ORDERS else listing.ORDERS[0],
    )
    maps, more = listing.listed(office(), wanted, page)
    around = {"drawn": 1, "q": wanted.text or None, "players": players or None, "length": wanted.length or None}
    around |= {"rule": wanted.rule or None, "order": order if order in ORDERS else None}
    return render_template(
        "drawn_maps.html",
        section="maps",
        maps=maps,
        wanted=wanted,
        lengths=LENGTHS,
        rules=catalog.rule_titles(),
        orders=ORDERS,
        newer=url_for("maps.index", page=page - 1, **around) if page else "",  # type: ignore[arg-type] # a query
        older=url_for("maps.index", page=page + 1, **around) if more else "",  # type: ignore[arg-type]
    )


def _of_game(game: str, title: str, sheets: list[Sheet]) -> tuple[str, str, Say | str, int, list[Sheet]]:
    return title, game, WORDS.get(game, ""), catalog.maps(sheets), sheets


def grows(column: str) -> Say | str:
    """A column of the goods display as people call it: the half and the die."""
    half, die = column[:1], column[1:]
    if half == "L":
        # TRANSLATORS: A column of the goods display: a 3 of the dice of the light half.
        return say("light {die}", die=die)
    # TRANSLATORS: A column of the goods display: a 3 of the dice of the dark half.
    return say("dark {die}", die=die) if half == "D" else column


def _shared(names: list[str]) -> list[str]:
    return sorted(name for name, n in Counter(names).items() if name and n > 1)


def _lands(board: Board) -> list[tuple[str, Say, int]]:
    """How many hexes there are of each kind of land, the commonest first: the kind, its name, the number."""
    kinds = Counter(hex_.terrain for hex_ in board.hexes.values())
    return [(kind, word, n) for kind, n in kinds.most_common() if (word := land_word(kind)) is not None]


def _played(found: OfMap) -> tuple[int, int | None]:
    """How many games have ended, and the points of their winners on average."""
    firsts = [there for count in found.counts if count.players > 1 for place, there in count.places if place == 1]
    n = sum(there.n for there in firsts)
    return found.games, round(sum(there.mean * there.n for there in firsts) / n) if n else None


def _preview(sheet: Sheet) -> previews.Preview:
    size = say("{players}, {turns}.", players=summaries.counts_words(sheet), turns=summaries.length_words(sheet))
    text = f"{capital(spoken(Say(sheet.remark)))}. {capital(spoken(size))}"
    page = url_for("maps.map", slug=sheet.slug)
    title = say("{map}, a map for {game} by email", map=sheet.name, game=sheet.game_name)
    return previews.of_map(sheet, spoken(title), text, page)
