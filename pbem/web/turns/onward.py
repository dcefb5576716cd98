"""Leading on from an answer to the next question: for whoever has just sent it, or is logged in as its player.

A link answers its question. If it led on as well, whoever finds an old mail could play the rest of the game; so what
leads on is a mark that the address of the result carries, for an hour, after orders were sent while the question was
open.
"""

from datetime import UTC, datetime, timedelta

from pbem.service.games import guests, views
from pbem.views.games import SeatView
from pbem.web.base.context import guest, now, office, reader
from pbem.web.base.forms import argument

WORKS = timedelta(hours=1)
LONGEST = 90


def mark(game_id: str, seat: SeatView, number: int) -> str:
    """What the address of a result carries after orders with this number were sent for the seat just now."""
    stamp = str(int(now().timestamp()))
    return f"{stamp}-{office().tokens.seal(*_about(game_id, seat, number, stamp))}"


def has_just_sent(game_id: str, seat: SeatView, number: int) -> bool:
    """Whether this address carries such a mark that still works."""
    stamp, _, seal = argument("on", longest=LONGEST).partition("-")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 12):
        return False
    sent = datetime.fromtimestamp(int(stamp), UTC)
    return office().tokens.sealed(seal, *_about(game_id, seat, number, stamp)) and sent <= now() < sent + WORKS


def given() -> str | None:
    """The mark of this address, to be carried on."""
    return argument("on", longest=LONGEST) or None


def is_own(game_id: str, seat: SeatView) -> bool:
    """Whether the player of the seat is logged in on this browser, or has begun the game on it."""
    claim = guest()
    if claim is not None and guests.plays(office(), claim, game_id, seat.number):
        return True
    account = reader()
    mine = views.seat_of(office(), game_id, account.id) if account else None
    return mine is not None and mine.number == seat.number


def _about(game_id: str, seat: SeatView, number: int, stamp: str) -> tuple[str, ...]:
    return "onward", game_id, str(seat.number), str(seat.holder), str(number), stamp
