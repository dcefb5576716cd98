"""What has just been done, on top of the page of the next question: from question to question no page is between."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from pbem.engine import Say
from pbem.engine.overview import Column
from pbem.service import NoSuch
from pbem.service.base.tokens import TurnClaim
from pbem.service.games import answering, views
from pbem.store.statuses import SubmissionStatus
from pbem.views.games import GameView, SeatView, SubmissionView
from pbem.views.log import LogLine
from pbem.views.people import BackView
from pbem.web.base import summaries
from pbem.web.base.context import office
from pbem.web.base.forms import number
from pbem.web.games import members
from pbem.web.turns import onward


@dataclass(frozen=True, slots=True)
class Change:
    """A figure of the player's row in the table of players that orders have changed. ``money``: in dollars."""

    head: Say
    before: int
    now: int
    money: bool


@dataclass(frozen=True, slots=True)
class Done:
    """Orders that led to this question, ``act`` as :func:`act_of` says.

    ``back``: whether and how they can be taken back, at ``back_at``.
    """

    sent: SubmissionView
    act: str
    told: tuple[LogLine, ...]
    back: BackView | None
    back_at: str


def straight_on(game_id: str, seat: str, found: int, on: str) -> str:
    """The page of the question that the same player is asked next, with what became of orders; empty: there is none.

    In the first game an email comes before each question, to be read first.
    """
    now = answering.player(office(), game_id, seat).game
    if now.waiting_for != seat or now.lesson:
        return ""
    return url_for("turns.turn", token=office().tokens.make(TurnClaim(game_id, seat, now.version)), done=found, on=on)


def just_done(game: GameView, player: SeatView) -> Done | None:
    """What the address of a question says was done right before it, for whoever has done it."""
    found = number("done", 0)
    if not found or not (onward.has_just_sent(game.id, player, found) or onward.is_own(game.id, player)):
        return None
    try:
        sent = views.submission(office(), found)
    except NoSuch:
        return None
    if (sent.game, sent.seat) != (game.id, player.seat) or sent.status != SubmissionStatus.PLAYED:
        return None
    return done(game, player, sent, office().tokens.make(TurnClaim(game.id, player.seat, sent.version or 0)))


def done(game: GameView, player: SeatView, sent: SubmissionView, token: str, leads_on: bool = True) -> Done:
    """What became of orders, ``token``: of the question they answered. ``leads_on``: for who has just sent them."""
    back = members.back_of(game, sent.move, player) if leads_on and sent.status == SubmissionStatus.PLAYED else None
    back_at = url_for("sent.take_back", token=token, number=sent.id, on=onward.given())
    first = sent.move or 0
    played = [move for move in game.log if first and first <= move.number < first + sent.moves]
    return Done(sent, act_of(sent), summaries.log_of(game, played, player.seat if leads_on else ""), back, back_at)


def act_of(sent: SubmissionView) -> str:
    """The first word of what was played, such as ``build``.

    Empty where it says nothing: several orders were played, one of a choice, or ``build nothing``.
    """
    lines = sent.text.split("\n")[: 1 if sent.moves == 1 else None]
    words = " ".join(lines).lower().split()
    return words[0] if words and len(lines) == 1 and not {"|", "nothing"} & set(words) else ""


def changed_by(sent: SubmissionView) -> tuple[Change, ...]:
    if not sent.move:
        return ()
    at = (sent.move - 1, sent.move + sent.moves - 1)
    return changes(sent.seat, *(views.game(office(), sent.game, number) for number in at))


def changes(seat: str, earlier: GameView, later: GameView) -> tuple[Change, ...]:
    """The figures of a seat that differ between two positions, in the order of the table."""
    (before, _), (after, columns) = (_figures(game, seat) for game in (earlier, later))
    return tuple(
        Change(column.head, before[column.key], after[column.key], column.money)
        for column in columns
        if before.get(column.key) != after.get(column.key) and {column.key} <= before.keys() & after.keys()
    )


def _figures(game: GameView, seat: str) -> tuple[dict[str, int], Sequence[Column]]:
    mine = next((row.cells for row in game.sheet.rows(game.state) if row.seat == seat), {})
    return {key: figure for key, figure in mine.items() if isinstance(figure, int)}, game.sheet.columns(game.state)
