"""What people do in a game beside their orders: taking back, voting, leaving, joining, talking, notes, pausing."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, say
from pbem.robot import opponents
from pbem.service import BadInput, NotNow, Office
from pbem.service.base.tokens import VoteClaim
from pbem.service.games import (
    companions,
    departures,
    invitations,
    members,
    pauses,
    proposals,
    remarks,
    seat_changes,
    takeback,
    views,
    votes,
    watching,
)
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.games.remarks import NewRemark
from pbem.service.letters import talk
from pbem.service.orders import robots
from pbem.service.people import absences, accounts, blocks
from pbem.service.turns import caretaker
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.web.base.context import form_sender, now, office, read_as_seat
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field, named
from pbem.web.games.members import Member, acting, looking, seat_of_token

pages = Blueprint("people", __name__)

ANSWERS = ("agree", "refuse")
DONE = {
    "asked": say("The others are asked by email."),
    "voted": say("Your vote is recorded."),
    "removed": say("The seat is free now."),
    "sent": say("The email is on its way."),
    "host": say("There is a new host."),
    "watch": say("The link for spectators is below."),
    "unwatch": say("The link for spectators no longer works."),
    "blocked": say("You will not be in a new game together."),
    "robot": say("A robot has the seat now."),
    "invited": say("The invitation is on its way."),
    "uninvited": say("The invitation is withdrawn."),
}


@pages.post("/games/<game_id>/back")
@pages.post("/s/<token>/back")
def take_back(game_id: str = "", token: str = "") -> Response:
    """Take back the last orders, alone in their grace time; else ask the others."""
    member = acting(game_id, token)
    if field("do", default="back") == "ask":
        votes.ask(office(), member.game, member.number, TakingBack(), now())
    else:
        takeback.take_back(office(), member.game, member.number, now())
    return redirect(member.page(), code=303)


@pages.post("/games/<game_id>/talk", endpoint="say")
@pages.post("/s/<token>/talk", endpoint="say")
def speak(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    text = field("say", longest=20_000)
    _text(lambda: talk.post(office(), member.game, member.number, text, now()), text)
    return redirect(member.page("talk"), code=303)


@pages.post("/games/<game_id>/talk/read", endpoint="have_read")
@pages.post("/s/<token>/talk/read", endpoint="have_read")
def have_read(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    talk.read(office(), member.game, member.number, named("post"), now())
    return redirect(member.page("talk"), code=303)


@pages.post("/games/<game_id>/notes")
@pages.post("/s/<token>/notes")
def note(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    text = field("note", longest=40_000)
    _text(lambda: talk.write_note(office(), member.game, member.account, text, now()), text)
    return redirect(member.page("notes", saved="notes"), code=303)


@pages.post("/games/<game_id>/vote")
@pages.post("/s/<token>/vote")
def vote(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    if field("answer") == "withdraw":
        votes.withdraw(office(), member.game, named("vote"), member.number, now())
    else:
        votes.answer(office(), member.game, named("vote"), member.number, _answer() == "agree", now())
    return redirect(member.page(), code=303)


@pages.get("/games/<game_id>/people", endpoint="people")
@pages.get("/s/<token>/people", endpoint="people")
def show(game_id: str = "", token: str = "") -> str:
    return _people(
        looking(game_id, token), sure=argument("sure") if argument("sure") in SURE else "", about=argument("seat")
    )


SURE = ("resign", "ask-end", "hand-over")


@pages.post("/games/<game_id>/people")
@pages.post("/s/<token>/people")
def act(game_id: str = "", token: str = "") -> Response | tuple[str, int]:
    member = acting(game_id, token)
    wish = field("do")
    try:
        if wish in SURE and field("sure", default="") != "yes":
            seat = named("seat") if wish == "hand-over" else None
            return redirect(member.people(sure=wish, seat=seat), code=303)
        if wish == "resign":
            departures.resign(office(), member.game, member.number, now())
            return redirect(url_for("games.game", game_id=member.game), code=303)
        return redirect(member.people(done=_do(member, wish)), code=303)
    except BadInput as bad:
        return _people(member, problem=bad.problems[0].sentence, typed=field("address", default="")), 400
    except NotNow as refused:
        return _people(member, problem=refused.sentence), 409


def _people(member: Member, *, problem: Say | None = None, typed: str = "", sure: str = "", about: str = "") -> str:
    game = views.game(office(), member.game).seen_by(member.player.seat if member.player else "")
    number = member.player.number if member.player else None
    company = members.company(office(), game.id, number, member.account, now())
    asking = company.host and game.status == GameStatus.OPEN
    return render_template(
        "people.html",
        game=game,
        voice=game.voice,
        player=member.player,
        token=member.token,
        private=bool(member.token),
        offered=proposals.offered(),
        company=company,
        companions=companions.recent(office(), member.account, game.id) if asking else (),
        inviting=next((seat.number for seat in game.seats if seat.status in EMPTY), None),
        ratings=members.rated(office(), game.id),
        here=member.people(),
        back_to=member.page(),
        problem=problem,
        typed=typed,
        sure=sure,
        other=next((seat for seat in game.seats if str(seat.number) == about), None),
        done=DONE.get(argument("done"), ""),
        robots=opponents.every().values(),
        robot_can_have=defaultdict(tuple, ROBOT_CAN_HAVE),
    )


BY_HOST: Mapping[str, tuple[Callable[[Office, str, int, int, datetime], None], str]] = {
    "remove": (departures.remove, "removed"),
    "hand-over": (seat_changes.hand_over, "host"),
    "remind": (invitations.remind, "invited"),
    "uninvite": (invitations.withdraw, "uninvited"),
}
"""What the host does with a seat, and what the page says then."""


def _do(member: Member, wish: str) -> str:
    """Do what a button of the page says, and tell what the page says then. Raises :class:`BadForm` for no button."""
    via, game, own, moment = office(), member.game, member.account, now()
    if wish in BY_HOST:
        act, done = BY_HOST[wish]
        act(via, game, own, named("seat"), moment)
        return done
    match wish:
        case "ask-remove":
            votes.ask(via, game, member.number, Removal(named("seat")), moment)
            return "asked"
        case "ask-end":
            votes.ask(via, game, member.number, EndingEarly(), moment)
            return "asked"
        case "ask" if asked := {kind.kind: kind for kind in proposals.offered()}.get(field("vote")):
            votes.ask(via, game, member.number, asked(), moment)
            return "asked"
        case "ask-somebody":
            seat_changes.ask_somebody(via, game, own, named("seat"), field("address", longest=20_000), moment)
            return "sent"
        case "watch":
            watching.open_link(via, game, own, moment)
            return "watch"
        case "unwatch":
            watching.close_link(via, game, own, moment)
            return "unwatch"
        case "block":
            blocks.block(via, own, game, named("seat"), moment)
            return "blocked"
        case "invite":
            invitations.invite(via, game, own, named("seat"), field("address", longest=20_000), moment)
            return "invited"
        case "invite-known":
            invitations.invite_companion(via, game, own, named("seat"), named("known"), moment)
            return "invited"
        case "robot":
            robots.sit_down(via, game, own, named("seat"), field("robot"), moment)
            return "robot"
    raise BadForm(NO_BUTTON)


EMPTY = (SeatStatus.VACANT, SeatStatus.DECLINED)
"""How a seat stands to which people are offered by name: nobody is asked for it."""
ROBOT_CAN_HAVE = {GameStatus.OPEN: invitations.FREE, GameStatus.RUNNING: (SeatStatus.VACANT,)}
"""How a seat stands that the host can give to a robot."""


@pages.post("/games/<game_id>/rematch")
def rematch(game_id: str) -> Response:
    account = form_sender()
    return redirect(url_for("games.game", game_id=members.rematch(office(), game_id, account.id, now())), code=303)


@pages.get("/v/<token>")
def ballot(token: str) -> str:
    """What is asked of the reader of a letter; ``answer`` in the address asks to confirm it. Changes nothing."""
    answer = argument("answer")
    return _ballot(token, answer=answer if answer in ANSWERS else "", done=argument("done") == "1")


@pages.post("/v/<token>")
def cast(token: str) -> Response | tuple[str, int]:
    claim = office().tokens.read(VoteClaim, token)
    try:
        votes.answer_by_link(office(), claim, _answer() == "agree", now())
    except NotNow as late:
        return _ballot(token, problem=late.sentence), 409
    return redirect(url_for("people.ballot", token=token, done=1), code=303)


def _ballot(token: str, *, answer: str = "", done: bool = False, problem: Say | None = None) -> str:
    claim = office().tokens.read(VoteClaim, token)
    game_id, found = votes.vote_of(office(), claim, now())
    game = views.game(office(), game_id)
    player = next(seat for seat in game.seats if seat.number == claim.number)
    read_as_seat(game_id, claim.number)
    values: dict[str, Any] = {"vote": found, "answer": "" if done else answer, "done": done, "problem": problem}
    shown = game.seen_by(player.seat)
    return render_template(
        "vote.html", private=True, game=shown, voice=shown.voice, player=player, token=token, **values
    )


def _answer() -> str:
    answer = field("answer")
    if answer not in ANSWERS:
        raise BadForm(say("Answer “agree” or “refuse”."))
    return answer


def _text(keep: Callable[[], None], text: str) -> None:
    """Keep what was typed; what cannot be kept is given back."""
    try:
        keep()
    except (BadInput, NotNow) as refused:
        raise BadForm(refused.sentence, text) from refused


@pages.post("/games/<game_id>/clocks")
@pages.post("/s/<token>/clocks")
def change_clocks(game_id: str = "", token: str = "") -> Response:
    member = acting(game_id, token)
    match field("do"):
        case "pause":
            until = field("until", default="")
            votes.ask(office(), member.game, member.number, Pausing(_day(until) if until else None), now())
        case "resume":
            pauses.end(office(), member.game, member.number, now())
        case "back":
            caretaker.back(office(), member.game, member.account, now())
        case _:
            raise BadForm(NO_BUTTON)
    return redirect(member.page("clocks"), code=303)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadForm(absences.NO_DAY, text) from error


@pages.post("/games/<game_id>/remarks")
@pages.post("/s/<token>/remarks")
def remark(game_id: str = "", token: str = "") -> Response:
    game, account = _who(game_id, token)
    at = named("at")
    match field("do"):
        case "keep":
            text = field("remark", longest=20_000, default="")
            new = NewRemark(at, text, field("shared", default="") == "1")
            try:
                remarks.write(office(), game, account, new, now())
            except (BadInput, NotNow) as refused:
                raise BadForm(refused.sentence, text) from refused
        case "remove":
            remarks.remove(office(), game, account, named("remark"), now())
        case _:
            raise BadForm(NO_BUTTON)
    page = {"token": token} if token else {"game_id": game}
    return redirect(url_for("games.seat" if token else "games.game", at=at, _anchor="remarks", **page), code=303)  # type: ignore[arg-type] # of the page


def _who(game_id: str, token: str) -> tuple[str, int]:
    if token:
        game, seat = seat_of_token(token)
        return game, accounts.of_seat(office(), game, seat.number)
    account = form_sender()
    return game_id, account.id
