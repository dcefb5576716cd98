"""The board in words: what is asked and the whole position, with headings, tables and lists instead of a picture."""

from collections.abc import Callable
from typing import NamedTuple

from flask import Blueprint, render_template, url_for

from pbem.engine import Seat, Who, Word
from pbem.engine.position_text import (
    Fixed,
    Line,
    Named,
    Paragraph,
    Section,
    TableColumn,
    line_reader,
    split,
    spoken,
)
from pbem.rails.walks import OPEN, TRACK
from pbem.robot import answers, map_answers
from pbem.service import NoSuch
from pbem.service.base.tokens import TurnClaim, WatchClaim
from pbem.service.games import views, watching
from pbem.views import defaults
from pbem.views.games import GameView, SeatView, TableView
from pbem.web.base.context import office, reader
from pbem.web.base.forms import argument
from pbem.web.games.game import asked_position
from pbem.web.games.members import seat_of_token

pages = Blueprint("words", __name__)


class Item(NamedTuple):
    """``cubes``: its colours, ``""`` for an empty box."""

    text: str
    cubes: tuple[str, ...] = ()


class Clause(NamedTuple):
    """``label``: the word it begins with, where the head of the column does not say it."""

    label: str
    items: tuple[Item, ...]


class Row(NamedTuple):
    """A line of a table; ``cells`` hold the clauses of each column."""

    name: str
    hexes: str
    cells: tuple[tuple[Clause, ...], ...]


class Table(NamedTuple):
    head: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Track(NamedTuple):
    """The walks of an owner, ``""`` for those of nobody; ``links``: how many of them are complete."""

    owner: Seat
    head: str
    links: int
    walks: tuple[str, ...]


class BoardInWords(NamedTuple):
    """The sections of a position as a page shows them: tables and what stands below them, track, what stands beside."""

    tables: list[Table]
    below: list[Paragraph]
    track: list[Track]
    beside: list[Paragraph]


@pages.get("/games/<game_id>/words")
def game(game_id: str) -> str:
    account = reader()
    player = views.seat_of(office(), game_id, account.id) if account else None
    return _of_game(game_id, player, url_for("games.game", game_id=game_id))


@pages.get("/s/<token>/words")
def seat(token: str) -> str:
    game_id, player = seat_of_token(token)
    return _of_game(game_id, player, url_for("games.seat", token=token), private=True)


@pages.get("/w/<token>/words")
def watch(token: str) -> str:
    game_id = watching.watched(office(), office().tokens.read(WatchClaim, token))
    return _of_game(game_id, None, url_for("games.watch", token=token), private=True)


def _of_game(game_id: str, player: SeatView | None, here: str, *, private: bool = False) -> str:
    seat = player.seat if player else ""
    view = views.game(office(), game_id, asked_position(game_id), seat)
    if view.state is None:
        raise NoSuch(f"Game {view.id} has no position yet.")
    asked = bool(seat) and view.waiting_for == seat and view.version == view.latest
    token = office().tokens.make(TurnClaim(view.id, seat, view.version)) if asked else ""
    return page(view, player, here, url_for("turns.turn", token=token) if asked else "", private=private)


def page(view: GameView, player: SeatView | None, here: str, turn_url: str, *, private: bool) -> str:
    """The page as the player of a seat may see it, or a guest. ``here``: the page with the picture. ``turn_url``: where
    the open question is answered, ``""`` where the reader is asked nothing. ``private``: its address is a secret."""
    game = view.seen_by(player.seat if player else "")
    question = defaults.question(view) if turn_url else None
    place = argument("place")
    return render_template(
        "game_words.html",
        game=game,
        voice=game.voice,
        player=player,
        private=private,
        section="games",
        here=here,
        turn_url=turn_url,
        question=question,
        choices=answers.listed(view.sheet, view.state, question) if question else (),
        board=board_in_words(game),
        place=place,
        described=_described(view, game, place) if place.strip() else (),
    )


def _described(view: GameView, game: TableView, place: str) -> tuple[Paragraph, ...]:
    """A place, what lies beside it and which links end there, or why it is not known."""
    answer = map_answers.describe(view.sheet, view.state, game.viewer or None, place)
    return spoken(answer.sections, game.position_voice, game.names)


def board_in_words(game: TableView) -> BoardInWords:
    """The position without the figures of the players, which have a table of their own, and without the line by which
    programs check it."""
    line = line_reader(game.position_voice, game.names)
    board = BoardInWords([], [], [], [])
    for section in game.position.words if game.position else ():
        if section.columns:
            board.tables.append(_table(section, line))
        elif section.head[0] == Fixed(TRACK):
            board.track.append(_track(section, line))
        elif section.lines and not isinstance(section.lines[0][0], Named):
            said = Paragraph(line(section.head), tuple(map(line, section.lines)))
            (board.below if board.tables else board.beside).append(said)
    return board


def _track(section: Section, line: Callable[[Line], str]) -> Track:
    owner = next((part.seat for part in section.head if isinstance(part, Who)), "")
    links = sum(Fixed(OPEN) not in walk for walk in section.lines)
    return Track(owner, line(section.head), links, tuple(map(line, section.lines)))


def _table(section: Section, line: Callable[[Line], str]) -> Table:
    rows = []
    for whole in section.lines:
        (name, hexes), *said = split(whole, ": ")
        clauses = split(said[0], "; ")
        cells = [tuple(_clause(one, column, line) for one in clauses if column.has(one)) for column in section.columns]
        rows.append(Row(line((name,)), line((hexes,)).strip(), tuple(cells)))
    return Table(line(section.head), tuple(line(column.head) for column in section.columns), tuple(rows))


def _clause(clause: Line, column: TableColumn, line: Callable[[Line], str]) -> Clause:
    label, listed = (clause[:2], clause[2:]) if column.words else ((), clause)
    items = tuple(Item(line(item), _cubes(item) if column.cubes else ()) for item in split(listed, ", "))
    return Clause("" if label[:1] == column.head else line(label).strip(), items)


def _cubes(item: Line) -> tuple[str, ...]:
    """What an item of a list of cubes shows: a colour, with a number behind it where there are several, or "empty"."""
    match item:
        case (Word(colour),):
            return (colour,)
        case (Word(colour), str(number)):
            return (colour,) * int(number)
    return ("",)
