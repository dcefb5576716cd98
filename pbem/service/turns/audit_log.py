"""The audit log: everything that people do to a game besides sending orders is a row, shown on its page."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from pbem.engine import Say, count_say, say, say_from_json
from pbem.service.base import GameWork, Office, queries
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, AuditEntry, Seat
from pbem.views.people import AuditView

SENTENCES: Mapping[str, Say] = {
    "opened": say("{name} opened the game."),
    "accepted": say("{name} accepted the invitation."),
    "declined": say("{name} declined the invitation."),
    "confirmed": say("{name} confirmed the email address."),
    "invites": say("{name} invited {other} instead of {before}."),
    "uninvites": say("{name} withdrew the invitation of {other}."),
    "reminds": say("{name} reminded {other} of the invitation."),
    "cancelled": say("{name} cancelled the game."),
    "operator-cancels": say("The operator of this server cancelled the game."),
    "took-back": say("{name} took back “{orders}”."),
    "asks": say("{asks}."),
    "asks-take-back": say("{name} asks all others to agree to take back “{orders}”."),
    "asks-end": say("{name} asks to end the game now."),
    "asks-remove": say("{name} asks to remove {other}."),
    "asks-pause": say("{name} asks for a pause."),
    "agrees": say("{name} agrees."),
    "refuses": say("{name} refuses."),
    "withdraws-vote": say("{name} no longer asks for this."),
    "changes-mind": say("{name} no longer agrees that the game ends."),
    "ends": say("Enough players have agreed: the game is about to end."),
    "goes-on": say("The game goes on."),
    "ended": say("The game ended early."),
    "deserted": say("Nobody is left: the game ended early."),
    "forsaken": say("Nobody has answered for four weeks: the game ended early."),
    "paused": say("Everybody has agreed: the game is paused."),
    "ends-pause": say("{name} ended the pause."),
    "pause-over": say("The pause is over."),
    "resigned": say("{name} resigned."),
    "removed": say("{name} removed {other} from the game."),
    "unseated": say("{name} is no longer in the game."),
    "voted-out": say("Enough players have agreed: {other} is no longer in the game."),
    "offered": say("The seat of {other} is offered to a substitute."),
    "asked-substitute": say("{name} asked somebody to take the seat of {other}."),
    "seats-robot": say("{name} gave the seat of {other} to {robot}."),
    "gives-robot": say("{name} gave a free seat to {robot}."),
    "robot-sits": say("{robot} took a free seat."),
    "asks-seat": say("{visitor} asked for a seat."),
    "joined": say("{name} joined the table."),
    "left-table": say("{name} left the table."),
    "changed-table": say("{name} changed the table."),
    "put-off": say("Seats are still free: the table waits another week."),
    "called-off": say("Seats were still free: the game was called off."),
    "took-seat": say("{name} took the seat of {other}."),
    "hosts": say("{name} is now the host."),
    "watch-on": say("{name} created a link for spectators."),
    "watch-off": say("{name} revoked the link for spectators."),
    "plays-on": say("{name} plays on from a finished game."),
    "rematch": say("{name} opened a game with the same people."),
}
"""Every kind of entry, with its sentence; ``{name}`` did it."""
WITHOUT_ORDERS: Mapping[str, Say] = {
    "took-back": say("{name} took back the last orders."),
    "asks-take-back": say("{name} asks all others to agree to take back the last orders."),
}
"""What others read while the game runs of entries that name orders."""
NOT_SHOWN = ("unseated", "asks-seat")
"""Kinds that pages leave out: another entry of the same moment says more, or anybody can have typed the name."""
LEFT = ("resigned", "unseated")
"""Kinds of which each is a game that somebody left unfinished."""


def write(work: GameWork, kind: str, *, seat: Seat | None = None, account: Account | None = None, **data: Any) -> None:
    """Add an entry. ``seat``: of the player who did it; ``account``: instead of it, a host without a seat."""
    if kind not in SENTENCES:
        raise ValueError(f"the audit log has no entries of kind {kind!r}")
    name = seat.name if seat else account.name if account else ""
    work.session.add(
        AuditEntry(
            game_id=work.game.id,
            account_id=seat.account_id if seat else account.id if account else None,
            seat_number=seat.number if seat else None,
            name=name,
            kind=kind,
            data=data,
            at=work.now,
        )
    )
    work.session.flush()


def of_game(office: Office, game_id: str, viewer: int | None = None) -> tuple[AuditView, ...]:
    """What people did to a game, oldest first, as the player of a seat may read it, by its number, or a guest."""
    with office.read() as session:
        colours = {seat.number: seat.colour for seat in queries.seats(session, game_id)}
        over = queries.game(session, game_id).status == GameStatus.OVER
        told = (AuditEntry.game_id == game_id, AuditEntry.kind.not_in(NOT_SHOWN))
        return tuple(
            AuditView(
                row.kind,
                sentence(row, whole=over or (viewer is not None and viewer == row.seat_number)),
                colours.get(-1 if row.seat_number is None else row.seat_number, ""),
                row.at,
            )
            for row in session.scalars(select(AuditEntry).where(*told).order_by(AuditEntry.id))
        )


def sentence(row: AuditEntry, *, whole: bool) -> Say:
    """The entry as a sentence; names are those people had then. ``whole``: with the orders it is about."""
    agreed = int(row.data.get("agreed") or 0)
    if row.kind == "took-back" and agreed:
        return _agreed(row, agreed, whole=whole)
    if not whole and row.kind in WITHOUT_ORDERS:
        return Say(WITHOUT_ORDERS[row.kind].one, {"name": row.name})
    if row.kind == "asks":
        return Say(SENTENCES[row.kind].one, {"asks": say_from_json(row.data["asks"])})
    return Say(SENTENCES[row.kind].one, {"name": row.name, **{key: str(value) for key, value in row.data.items()}})


def _agreed(row: AuditEntry, agreed: int, *, whole: bool) -> Say:
    if not whole:
        return count_say(
            "{name} took back the last orders; {n} other player agreed.",
            "{name} took back the last orders; {n} other players agreed.",
            agreed,
            name=row.name,
        )
    return count_say(
        "{name} took back “{orders}”; {n} other player agreed.",
        "{name} took back “{orders}”; {n} other players agreed.",
        agreed,
        name=row.name,
        orders=str(row.data["orders"]),
    )
