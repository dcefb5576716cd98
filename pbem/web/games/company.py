"""What the page of a game shows of its people: votes, talk, notes, what was done. Guests read less."""

from typing import Any

from flask import url_for

from pbem.service.games import members
from pbem.service.letters import talk
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView, SeatView
from pbem.views.people import BackView
from pbem.web.base.context import now, office, reader


def of_game(view: GameView, player: SeatView | None, token: str, watching: bool = False) -> dict[str, Any]:
    """The values of the parts. ``watching``: by the link of spectators."""
    account = account_of(view, player, token)
    company = members.company(office(), view.id, player.number if player else None, account, now())
    member = player is not None or company.host
    return {
        "company": company,
        "member": member,
        "posts": talk.said(office(), view.id),
        "note": talk.note(office(), view.id, account) if player and account is not None else "",
        "audit_log": audit_log.of_game(office(), view.id, player.number if player else None),
        "base": url_for("games.seat", token=token) if token else url_for("games.game", game_id=view.id),
        "people_page": _people_page(view, token) if member else "",
        "watching": watching,
        "may_rematch": view.status == GameStatus.OVER and not view.imported and player is not None and not token,
    }


def back_of(view: GameView, number: int | None, player: SeatView) -> BackView | None:
    """What can be taken back, if it is the orders of this move."""
    back = members.company(office(), view.id, player.number, None, now()).back
    return back if back is not None and number is not None and back.number == number else None


def account_of(view: GameView, player: SeatView | None, token: str) -> int | None:
    if token and player is not None:
        return accounts.of_seat(office(), view.id, player.number)
    account = reader()
    return account.id if account else None


def _people_page(view: GameView, token: str) -> str:
    return url_for("people.people", token=token) if token else url_for("people.people", game_id=view.id)
