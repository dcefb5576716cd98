"""Playing at once: a game against robots from the start page, and the confirmation of the address afterwards."""

from functools import cache
from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Sheet, catalog, say
from pbem.language.voice import spoken
from pbem.robot import opponents
from pbem.service import BadInput, NotNow
from pbem.service.archive import archive
from pbem.service.base.tokens import ConfirmClaim, GuestClaim, TurnClaim
from pbem.service.games import game_lists, guests, listed_tables, members, opening, views
from pbem.web.base import forms, previews, summaries
from pbem.web.base.clients import client
from pbem.web.base.context import guest, now, office, own_form, read_as_account, reader, remember, remember_guest
from pbem.web.boards.pictures import map_picture
from pbem.web.games import how_to_play

pages = Blueprint("play", __name__)


NOVICE = "penny"
"""The robot that is chosen until somebody chooses another."""
FINISHED, TABLES, ENDING = 3, 2, 3
"""How many games that are over, open tables, and games in their last turn the start page shows."""


def boards(chosen: str) -> list[tuple[guests.Board, Sheet]]:
    """The boards on which a game against robots begins at once, each with its sheet; one that is chosen among them."""
    found = guests.board(chosen)
    more = [] if found is None or found.lesson or found in guests.BOARDS else [found]
    return [(one, catalog.sheet(one.game, one.map)) for one in (*guests.BOARDS, *more)]


def levels() -> list[opponents.Robot]:
    return [robot for robot in opponents.every().values() if robot.level is not None]


def card(account_id: int | None) -> dict[str, Any]:
    """What ``robots_card.html`` needs: the boards, and the one that was chosen last. ``against``: the map of a button
    against robots, that one or the first where nobody else plays on it."""
    chosen = guests.BOARDS[0].map if account_id is None else guests.last_board(office(), account_id)
    offered = boards(chosen)
    against = next((sheet for board, sheet in offered if board.map == chosen and board.robots), offered[0][1])
    return {"boards": offered, "chosen": chosen, "against": against, "levels": levels(), "level": NOVICE}


@pages.post("/play")
def start() -> Response | tuple[str, int]:
    account = reader()
    chosen, robot = forms.field("map", default=""), forms.field("robot", default="")
    if account is not None:
        own_form()
        return _for_account(account.id, chosen, robot)
    name, address = forms.field("name", longest=20_000, default=""), forms.field("email", longest=20_000, default="")
    try:
        claim = guests.start(office(), chosen, name, address, now(), client(), robot)
    except BadInput as bad:
        problems = {problem.field: problem.sentence for problem in bad.problems}
        typed = {"name": name[:200], "email": address[:320]}
        return welcome(problems=problems, typed=typed, chosen=chosen, level=robot), 400
    response = redirect(url_for("play.go_on"), code=303)
    remember_guest(response, claim)
    return response


def _for_account(account_id: int, chosen: str, robot: str) -> Response:
    where = guests.board(chosen)
    if where is None:
        raise forms.BadForm(say("Choose one of the boards."))
    if robot and robot not in opponents.every():
        raise forms.BadForm(say("Choose one of the robots."))
    game_id = opening.open_game(office(), account_id, where.against(robot).new_game(), now())
    return redirect(url_for("games.game", game_id=game_id), code=303)


@pages.get("/play")
def go_on() -> str | Response:
    """The question that is open for whoever began a game on this browser; while robots think, a page that waits.

    Once the address is confirmed, whoever it belongs to is the one who has logged in.
    """
    claim = guest()
    if claim is None or not _own(claim):
        return redirect(url_for("lobby.lobby"))
    game = views.game(office(), claim.game)
    seat = next(seat for seat in game.seats if seat.number == claim.number)
    if game.waiting_for == seat.seat:
        return redirect(url_for("turns.turn", token=office().tokens.make(TurnClaim(game.id, seat.seat, game.version))))
    if game.status == "over":
        return redirect(url_for("games.game", game_id=game.id))
    shown = game.seen_by(seat.seat)
    return render_template(
        "turn_wait.html",
        private=True,
        game=shown,
        voice=shown.voice,
        player=seat,
        picture=map_picture(game),
        scene=game.sheet.scene(game.state),
        seat=seat.seat,
        since=summaries.since(shown, seat.seat),
        stand=f"{game.status}-{game.latest}",
        stand_at=url_for("games.stand", game_id=game.id),
    )


def _own(claim: GuestClaim) -> bool:
    if guests.plays(office(), claim, claim.game):
        return True
    account = reader()
    if account is None or not guests.confirmed(office(), claim):
        return False
    seat = views.seat_of(office(), claim.game, account.id)
    return seat is not None and seat.number == claim.number


@pages.get("/p/<token>")
def confirm(token: str) -> str:
    claim = office().tokens.read(ConfirmClaim, token)
    read_as_account(claim.account)
    return render_template("play_confirm.html", private=True, token=token, title=guests.title_of(office(), claim))


@pages.post("/p/<token>")
def confirmed(token: str) -> Response:
    claim = office().tokens.read(ConfirmClaim, token)
    try:
        secret = guests.confirm(office(), claim, now())
    except NotNow:
        return redirect(url_for("lobby.lobby"), code=303)
    response = redirect(url_for("games.game", game_id=claim.game), code=303)
    remember(response, secret)
    return response


def welcome(chosen: str = "", **values: Any) -> str:
    """The start page; ``chosen``: the map on which somebody wants to play against robots."""
    found = guests.board(chosen)
    chosen = guests.BOARDS[0].map if found is None or found.lesson else found.map
    claim = guest()
    begun = views.game(office(), claim.game) if claim and guests.plays(office(), claim, claim.game) else None
    return render_template(
        "welcome.html",
        section="games",
        robots=opponents.every().values(),
        maps=_maps(),
        tables=listed_tables.first(office(), None, TABLES),
        offers=len(members.free_seats(office(), None)),
        finished=archive.page(office(), size=FINISHED).games,
        ending=game_lists.in_last_turn(office(), now(), ENDING),
        summary=summaries.public_words,
        preview=_preview(),
        guides=how_to_play.titles(),
        confirmed=guests.confirmed(office(), claim) if claim and not begun else "",
        begun=begun.title if begun and begun.status == "running" else "",
        **{
            "boards": boards(chosen),
            "problems": {},
            "typed": {},
            "levels": levels(),
            "level": NOVICE,
            **values,
            "chosen": chosen,
        },
    )


def _preview() -> previews.Preview:
    text = say(
        "Build railways, ship goods, pay your bills: long board games by email, over days and weeks. Play against "
        "robots at once, join a table, or invite friends."
    )
    title = say("Age of Steam and Steam Power by email")
    return previews.of_start(spoken(title), spoken(text), url_for("lobby.lobby"))


@cache
def _maps() -> dict[str, int]:
    games = {sheet.game_name for sheet in catalog.sheets()}
    return {game: catalog.maps(sheet for sheet in catalog.sheets() if sheet.game_name == game) for game in games}
