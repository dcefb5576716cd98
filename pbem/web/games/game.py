"""The page of a game: running, not started, or over with every turn to step through; the seat link; the record."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import replace, say
from pbem.language.voice import spoken
from pbem.service.archive import records
from pbem.service.base.seals import sealed
from pbem.service.base.tokens import PlanClaim, SeatClaim, TurnClaim, WatchClaim
from pbem.service.games import guests, listed_tables, remarks, views, watching
from pbem.service.own_maps import likes
from pbem.service.people import accounts, findable
from pbem.service.statistics import reviews
from pbem.service.turns import standing_orders
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.views import defaults
from pbem.views.games import GameView, SeatView
from pbem.views.position import beside_points
from pbem.web.base import headers, previews, summaries
from pbem.web.base.context import guest, now, office, reader, remember
from pbem.web.base.forms import argument
from pbem.web.boards import keys
from pbem.web.boards.pictures import board_picture, map_picture
from pbem.web.games import members, replay
from pbem.web.games.members import seat_of_token

pages = Blueprint("games", __name__)

LAST_SHOWN = 5
POSITIONS_SHOWN = 60
"""Positions with remarks to which a finished game's page leads."""


@pages.get("/games/<game_id>")
def game(game_id: str) -> str:
    """The game as its reader may see it; ``at`` looks at the position after an earlier move."""
    account = reader()
    player = views.seat_of(office(), game_id, account.id) if account else None
    view = views.game(office(), game_id, asked_position(game_id), player.seat if player else "")
    if not request.args and view.status == GameStatus.OVER and findable.may_be_found(office(), game_id):
        headers.let_be_found()
    may_cancel = (
        account is not None and view.status == GameStatus.OPEN and watching.hosts(office(), game_id, account.id)
    )
    return _page(view, player, may_cancel=may_cancel)


@pages.get("/s/<token>")
def seat(token: str) -> str:
    game_id, player = seat_of_token(token)
    return _page(views.game(office(), game_id, asked_position(game_id), player.seat), player, token)


@pages.get("/w/<token>")
def watch(token: str) -> str:
    game_id = watching.watched(office(), office().tokens.read(WatchClaim, token))
    return _page(views.game(office(), game_id, asked_position(game_id)), None, watch=token)


@pages.get("/games/<game_id>/stand.txt")
def stand(game_id: str) -> Response:
    """How the game stands: the page of who waits asks until it is something else."""
    return _stand(game_id)


@pages.get("/s/<token>/stand.txt")
def seat_stand(token: str) -> Response:
    return _stand(seat_of_token(token)[0])


@pages.get("/w/<token>/stand.txt")
def watch_stand(token: str) -> Response:
    return _stand(watching.watched(office(), office().tokens.read(WatchClaim, token)))


def _stand(game_id: str) -> Response:
    return Response(views.stand(office(), game_id), mimetype="text/plain", headers={"Cache-Control": "no-store"})


@pages.post("/s/<token>")
def stay(token: str) -> AnyResponse:
    claim = office().tokens.read(SeatClaim, token)
    response = redirect(url_for("games.game", game_id=claim.game), code=303)
    remember(response, accounts.log_in_seat(office(), claim, now()))
    return response


@pages.get("/games/<game_id>/record.json")
def record(game_id: str) -> Response:
    response = current_app.json.response(sealed(records.export(office(), game_id)))
    response.headers["Content-Disposition"] = f'inline; filename="{game_id}.json"'
    return make_response(response)


def asked_position(game_id: str) -> int | None:
    """The move the address names, held within the game; ``None`` for the latest."""
    text = argument("at", longest=2000)
    if not (text.isascii() and text.isdigit()):
        return None
    latest = views.latest(office(), game_id)
    return int(text[:12]) if int(text[:12]) < latest else None


def _page(view: GameView, player: SeatView | None, token: str = "", may_cancel: bool = False, watch: str = "") -> str:
    if watch:
        keys.show_spectators(view, office().tokens.read(WatchClaim, watch).key)
    elif token and player is not None:
        keys.show_seat(view, player)
    g.watch = watch
    if view.state is None:
        named = {
            status: [seat.name for seat in view.seats if seat.status == status]
            for status in (SeatStatus.INVITED, SeatStatus.DECLINED)
        }
        free = sum(seat.status == SeatStatus.VACANT for seat in view.seats)
        return _render(
            "game_open.html",
            view,
            player,
            token,
            waiting=named[SeatStatus.INVITED],
            declined=named[SeatStatus.DECLINED],
            may_cancel=may_cancel,
            sure=may_cancel and argument("sure") == "cancel",
            table=listed_tables.is_one(office(), view.id),
            free=free,
        )
    if view.status == GameStatus.OVER:
        return _over(view, player, token)
    return _running(view, player, token)


def _render(template: str, view: GameView, player: SeatView | None, token: str, **values: Any) -> str:
    private = bool(token or g.watch)
    game = view.seen_by(player.seat if player else "")
    return render_template(
        template,
        game=game,
        voice=game.voice,
        player=player,
        private=private,
        section="archive" if view.status == GameStatus.OVER else "games",
        token=token,
        stand=f"{view.status}-{view.latest}",
        stand_at=_stand_at(view, token),
        words_at=_words_at(view, token),
        preview=None if private or view.unlisted or view.state is None else _preview(view),
        **members.of_game(view, player, token, bool(g.watch)),
        **values,
    )


def _stand_at(view: GameView, token: str) -> str:
    if token:
        return url_for("games.seat_stand", token=token)
    return url_for("games.watch_stand", token=g.watch) if g.watch else url_for("games.stand", game_id=view.id)


def _words_at(view: GameView, token: str) -> str:
    at = view.version if view.version < view.latest else None
    if token:
        return url_for("words.seat", token=token, at=at)
    return url_for("words.watch", token=g.watch, at=at) if g.watch else url_for("words.game", game_id=view.id, at=at)


def _running(view: GameView, player: SeatView | None, token: str) -> str:
    seat = player.seat if player else ""
    new = summaries.since(view, seat) if view.has_ordered(seat) else view.log[1:][-LAST_SHOWN:]
    shown = {move.number for move in new} if view.version == view.latest else set()
    asked = bool(seat) and view.waiting_for == seat and view.version == view.latest
    address = office().tokens.make(TurnClaim(view.id, seat, view.version)) if asked else ""
    return _render(
        "game.html",
        view,
        player,
        token,
        at=view.version,
        last=view.latest,
        picture=map_picture(view),
        full=url_for("pictures.board", game_id=view.id, at=view.version),
        try_at=_try_at(view, player, token),
        scene=view.sheet.scene(view.state),
        since=new,
        **_log(view, shown),
        turn_url=url_for("turns.turn", token=address) if asked else "",
        question=defaults.question(view) if asked else None,
        plays_at=view.plays_at if asked else None,
        **_standing_orders(view, player),
        here=_step_to(view, token)(None),
        step_to=_step_to(view, token),
        stay=url_for("games.stay", token=token) if token else "",
        plays_on=_began(view),
    )


def _log(view: GameView, shown: set[int]) -> dict[str, Any]:
    """The log of one turn, the latest unless the address names another, without what stands elsewhere on the page.

    Of a whole game it would make the page three times as heavy.
    """
    turns = summaries.by_turn(view.log)
    named, at = argument("log", longest=2000), view.version if view.version < view.latest else None
    chosen = next((turn for turn, _ in turns if str(turn) == named), turns[0][0] if turns else 0)
    return {
        "log_turn": chosen,
        "log_moves": [move for turn, moves in turns if turn == chosen for move in moves if move.number not in shown],
        "log_rest": bool(shown) and bool(turns) and chosen == turns[0][0],
        "log_turns": [
            (turn, f"?at={at}&log={turn}#log" if at is not None else f"?log={turn}#log") for turn, _ in reversed(turns)
        ],
    }


def _preview(view: GameView) -> previews.Preview:
    over, count = view.status == GameStatus.OVER, len(view.seats)
    what = {"sheet": view.sheet.full_name, "players": summaries.players_said(count)}
    text = say("{sheet}, {players}. Every order of the finished game, on the board, with dice you can check.", **what)
    if not over:
        turn = summaries.turn_said(view.sheet, count, view.sheet.turn(view.state))
        text = say("{sheet}, {players}, {turn}. The board now, and the log.", turn=turn, **what)
    return previews.of_game(view.sheet, view.title, spoken(text), view.id, view.latest)


def _began(view: GameView) -> bool:
    """Whether the reader has begun the game on this browser and not confirmed an address yet."""
    claim = guest()
    return claim is not None and guests.plays(office(), claim, view.id)


def _standing_orders(view: GameView, player: SeatView | None) -> dict[str, Any]:
    if player is None or view.version != view.latest or not view.sheet.moments(view.state, player.seat):
        return {"standing_orders": (), "plan_token": ""}
    token = office().tokens.make(PlanClaim(view.id, player.seat, view.sheet.turn(view.state), player.holder))
    return {"standing_orders": standing_orders.of_seat(office(), view.id, player.seat), "plan_token": token}


def _over(view: GameView, player: SeatView | None, token: str) -> str:
    whole = view if view.version == view.latest else views.game(office(), view.id)
    at = view.version
    standings = whole.standings
    return _render(
        "game_over.html",
        replace(view, standings=whole.standings),
        player,
        token,
        at=at,
        last=view.latest,
        picture=board_picture(view),
        try_at=_try_at(view, player, token),
        winners=[line for line in standings if line.seat in whole.sheet.winners(whole.state, standings)],
        verdict=whole.sheet.verdict(whole.state),
        reviewed=reviews.there_is(office(), view.id),
        opinion=likes.asked(office(), view.id, account.id) if (account := reader()) is not None else None,
        part_names=summaries.part_names(standings),
        beside=beside_points(whole.sheet.columns(whole.state), standings),
        at_end={row.seat: row.cells for row in whole.sheet.rows(whole.state)},
        sums={line.seat: whole.sheet.sums(whole.state, line.seat) for line in standings},
        **_remarks(view, player, token),
        **replay.values(whole, at, _step_to(view, token)),
    )


def _remarks(view: GameView, player: SeatView | None, token: str) -> dict[str, Any]:
    """The remarks on the position that the reader may see, where there are more, and whether to offer the form."""
    account = members.account_of(view, player, token)
    found = remarks.of_game(office(), view.id, account)
    return {
        "remarks_here": [remark for remark in found if remark.number == view.version],
        "remarked": [*Counter(remark.number for remark in found).items()][:POSITIONS_SHOWN],
        "may_remark": account is not None and not g.watch,
    }


def _try_at(view: GameView, player: SeatView | None, token: str) -> str:
    """Where a trial of this position begins; nothing where nobody is asked, or the reader may not try."""
    if view.sheet.over(view.state) or g.watch or (view.status != GameStatus.OVER and player is None):
        return ""
    at = view.version if view.version < view.latest else None
    if token:
        return url_for("trials.seat_begin", token=token, at=at)
    return url_for("trials.game_begin", game_id=view.id, at=at)


def _step_to(view: GameView, token: str) -> Callable[..., str]:
    """A function from a move number (``None``: the latest), and whom one follows, to the address of this page there."""
    game_id, watch = view.id, g.watch  # templates get this function, and must not reach the state by it

    def address(number: int | None, follow: str = "") -> str:
        if number is not None:  # of this page: a log has a hundred of them, and a token is long
            return f"?at={number}&follow={follow}" if follow else f"?at={number}"
        if token:
            return url_for("games.seat", token=token, follow=follow or None)
        if watch:
            return url_for("games.watch", token=watch, follow=follow or None)
        return url_for("games.game", game_id=game_id, follow=follow or None)

    return address
