"""What a letter says: from its row to the values the templates are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy.orm import Session

from pbem.engine.moves import Refusal
from pbem.engine.sheet import Question, State
from pbem.engine.standing_orders import TurnPlan
from pbem.engine.text import say_from_json
from pbem.service import kinds
from pbem.service.accounts import bounces
from pbem.service.base import queries
from pbem.service.base.errors import NoSuch
from pbem.service.base.office import Office
from pbem.service.base.urls import Addresses
from pbem.service.kinds.accounts import AccountDeleted
from pbem.service.kinds.orders import Refused
from pbem.service.letters import newsletters, roundups
from pbem.service.outbox import webhook_texts
from pbem.service.outbox.letters import reader
from pbem.service.reading import views
from pbem.service.turns import standing_orders
from pbem.statuses import GameStatus, MoveCause
from pbem.store.tables import Account, Game, Letter, Login, Seat, StandingOrderRow, Submission
from pbem.views import ChoiceLink, ClockNews, GameView, LetterView, Links, MoveView, VoidView

ASKING = ("your-turn", "reminder")
CLOCK_NEWS = ("away", "back", "paused", "resumed", "seat-offered")


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter about to be made: its values, and the position before the one it shows (for the picture)."""

    view: LetterView
    before: State = None


def letter(office: Office, letter_id: int, now: datetime) -> Draft:
    """The values of a letter. Raises :class:`NoSuch`."""
    with office.read() as session:
        row = session.get(Letter, letter_id)
        if row is None:
            raise NoSuch(f"There is no letter {letter_id}.")
        to = reader(session, row)
        return _private(office, session, row, to, now) if row.game_id is None else _game(office, session, row, to, now)


def _private(office: Office, session: Session, row: Letter, to: Account, now: datetime) -> Draft:
    if row.kind in roundups.KINDS:
        made = roundups.letter(office, session, row, to, now)
        own, thread = _message_id(office, f"{row.kind}.{row.id}"), _message_id(office, f"account.{to.id}")
        return Draft(replace(made, message_id=own, thread_id=thread))
    if row.kind == "test":
        made = newsletters.test_letter(office, row, to, now)
        own, thread = _message_id(office, f"{row.kind}.{row.id}"), _message_id(office, f"account.{to.id}")
        return Draft(replace(made, message_id=own, thread_id=thread))
    if row.kind == AccountDeleted.kind:
        made = newsletters.last_letter(office, row, now)
        return Draft(replace(made, message_id=_message_id(office, f"{row.kind}.{row.id}")))
    if row.kind == "webhook-stopped":
        made = webhook_texts.stopped_letter(office, row, to, now)
        own, thread = _message_id(office, f"{row.kind}.{row.id}"), _message_id(office, f"account.{to.id}")
        return Draft(replace(made, message_id=own, thread_id=thread))
    login = session.get_one(Login, row.data["login"])
    view = LetterView(
        id=row.id,
        kind=row.kind,
        to=to.address,
        name=to.name,
        now=now,
        links=Links(login=office.addresses.login(login.id), archive=office.addresses.archive()),
        expires=login.expires_at,
        message_id=_message_id(office, f"{row.kind}.{row.id}"),
        thread_id=_message_id(office, f"account.{to.id}"),
        zone=to.zone,
    )
    return Draft(view)


def _game(office: Office, session: Session, row: Letter, to: Account, now: datetime) -> Draft:
    game = queries.game(session, row.game_id or "")
    seat = None if row.seat_number is None else queries.numbered(session, game.id, row.seat_number)
    view = views.game_view(session, game.id, row.version, seat.colour if seat else "")
    question = _question(row, view, seat.colour if seat else "")
    about = _about(session, row, view)
    host = None if game.host_id is None else session.get_one(Account, game.host_id)
    letter_view = LetterView(
        id=row.id,
        kind=row.kind,
        to=to.address,
        name=seat.name if seat else to.name,
        now=now,
        links=_links(office, row, game, seat, question),
        game=view,
        seat=seat.colour if seat else "",
        question=question,
        choices=_choices(office, view, question),
        since=_since(session, row, view, seat.colour) if seat and seat.colour else (),
        text=str(about.get("text", "")),
        sentence=str(about.get("sentence", "")),
        line=int(about.get("line", 0)),
        step=int(about.get("step", 0)),
        more=int(about.get("more", 0)),
        last=bool(about.get("last", False)),
        host_name=_host_name(session, game, host),
        message_id=_message_id(office, f"{game.id}.v{row.version or 0}.p{row.seat_number or 0}.{row.kind}.{row.id}"),
        thread_id=_message_id(office, f"{game.id}.account{to.id}"),
        zone=to.zone,
        void=_void(session, row, view),
        plan=_plan(row, view, seat),
        own=kinds.of(row).values(kinds.Case(session, row, game)),
        news=_news(row) if row.kind in CLOCK_NEWS else None,
        kept=standing_orders.taken_words(standing_orders.of_submission(session, row.data["submission"]))
        if row.kind == "played"
        else (),
    )
    letter_view = newsletters.with_people(office, session, row, game, letter_view, now)
    return Draft(letter_view, _before(session, view))


def _news(row: Letter) -> ClockNews:
    first, last, before, until = (row.data.get(key) for key in ("first", "last", "before", "until"))
    return ClockNews(
        person=row.data.get("person", ""),
        first=date.fromisoformat(first) if first else None,
        last=date.fromisoformat(last) if last else None,
        before=datetime.fromisoformat(before) if before else None,
        until=datetime.fromisoformat(until) if until else None,
    )


def _plan(row: Letter, view: GameView, seat: Seat | None) -> TurnPlan | None:
    """What the reader of a planning letter can order, without what he has ordered already."""
    plan = view.sheet.turn_plan(view.state, seat.colour) if row.kind == "planning" and seat else None
    if plan is None:
        return None
    return replace(plan, parts=tuple(part for part in plan.parts if part.moment in row.data["phases"]))


def _void(session: Session, row: Letter, view: GameView) -> VoidView | None:
    """The standing order that could not be played, so that the reader is asked."""
    if "void" not in row.data:
        return None
    order = standing_orders.view(session.get_one(StandingOrderRow, row.data["void"]))
    sentence = Refusal(order.reason, order.rule).sentence(view.voice) if order.reason else ""
    return VoidView(order.orders, sentence)


def _before(session: Session, view: GameView) -> State:
    if view.state is None or view.version == 0:
        return None
    return views.state_at(session, view, view.version - 1)


def _question(row: Letter, view: GameView, colour: str) -> Question | None:
    """What is asked of the reader: what the letter is about, or what is asked as it leaves if orders were refused."""
    asked = row.kind in ASKING or (row.kind == "refused" and view.waiting_for == colour)
    return view.sheet.question(view.state) if asked and colour else None


def _choices(office: Office, view: GameView, question: Question | None) -> tuple[ChoiceLink, ...]:
    if question is None:
        return ()
    return tuple(
        ChoiceLink(choice, office.addresses.turn(view.id, question.seat, view.version, choice.order))
        for choice in question.choices
    )


def _since(session: Session, row: Letter, view: GameView, colour: str) -> tuple[MoveView, ...]:
    """What happened after the reader's last own move, or from the orders on that the letter is about.

    His own automatic default counts as news.
    """
    if row.kind == "played":
        first = session.get_one(Submission, row.data["submission"]).move_number or view.version + 1
        return tuple(move for move in view.log if move.number >= first)
    own = [move.number for move in view.log if move.seat == colour and move.cause == MoveCause.PLAYER and move.counts]
    return tuple(move for move in view.log if move.number > (own[-1] if own else -1))


def _about(session: Session, row: Letter, view: GameView) -> Mapping[str, Any]:
    """What a letter says about one order: the refused one, the default that was played, who has declined."""
    match row.kind:
        case "refused":
            return _not_played(session, row, view)
        case "default-played" | "caretaker":
            return {"text": view.log[-1].orders}
        case "mail-returned":
            return {"sentence": str(bounces.meaning(row.data["status"]))}
        case "submission-stuck":
            return {"text": row.data["what"], "line": row.data["number"]}
        case "declined":
            return {"text": row.data["name"]}
    return {}


def _not_played(session: Session, row: Letter, view: GameView) -> Mapping[str, Any]:
    """The latest orders that were not played, and how many others the reader hears of by this letter alone."""
    told = Refused.read(row.data).untold(session) or [session.get_one(Submission, row.data["submission"])]
    forgotten = row.data.get("number", 1) - len(row.data.get("all", [0]))
    more = len(told) - 1 + forgotten
    return {**_refused(told[0], view), "more": more, "last": row.data.get("last", False)}


def _refused(submission: Submission, view: GameView) -> Mapping[str, Any]:
    sentence = "" if submission.sentence is None else _sentence(submission, view)
    return {"text": submission.text, "sentence": sentence, "line": submission.line, "step": submission.step}


def _sentence(submission: Submission, view: GameView) -> str:
    return Refusal(say_from_json(submission.sentence or {}), submission.rule).sentence(view.voice)


def _host_name(session: Session, game: Game, host: Account | None) -> str:
    if host is None:
        return ""
    own = [seat.name for seat in queries.seats(session, game.id) if seat.account_id == host.id]
    return own[0] if own else host.name


def _links(office: Office, row: Letter, game: Game, seat: Seat | None, question: Question | None) -> Links:
    to = office.addresses
    invited = seat is not None and row.kind == "invitation"
    return Links(
        turn=_turn_page(to, row, game, seat, question),
        game=to.game(game.id),
        map=to.map(game.map),
        seat=to.seat(game.id, seat.number, seat.holder) if seat else "",
        accept=to.invitation(game.id, seat.number, "accept") if seat and invited else "",
        decline=to.invitation(game.id, seat.number, "decline") if seat and invited else "",
        unsubscribe=to.unsubscribe(row.account_id, game.id, row.kind),
        archive=to.archive(),
        record=to.record(game.id) if game.status == GameStatus.OVER else "",
        reply=to.reply(row.id) if question or row.kind == "planning" else "",
    )


def _turn_page(to: Addresses, row: Letter, game: Game, seat: Seat | None, question: Question | None) -> str:
    if row.kind == "planning" and seat is not None:
        return to.plan(game.id, seat.colour, row.data["turn"], seat.holder)
    return to.turn(game.id, question.seat, game.version) if question else ""


def _message_id(office: Office, left: str) -> str:
    return f"<{left}@{office.settings.mail_host}>"
