"""What people do in a game beside their orders: taking back, voting, leaving, joining, talking, taking notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine.text import Say, say
from pbem.robot import opponents
from pbem.service import BadInput, NotNow
from pbem.service.base.tokens import VoteClaim
from pbem.service.games import (
    departures,
    invitations,
    members,
    proposals,
    seat_changes,
    takeback,
    views,
    votes,
    watching,
)
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters import talk
from pbem.service.orders import robots
from pbem.service.people import blocks
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.web.base.context import form_sender, now, office, read_as_seat
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field, named
from pbem.web.games.members import Member, acting, looking

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
"""What a page says after something was done."""


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
    """Mark the talk as read, as far as it was shown."""
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
    """Agree or refuse on the page of the game; who asked can withdraw the question."""
    member = acting(game_id, token)
    if field("answer") == "withdraw":
        votes.withdraw(office(), member.game, named("vote"), member.number, now())
    else:
        votes.answer(office(), member.game, named("vote"), member.number, _answer() == "agree", now())
    return redirect(member.page(), code=303)


@pages.get("/games/<game_id>/people", endpoint="people")
@pages.get("/s/<token>/people", endpoint="people")
def show(game_id: str = "", token: str = "") -> str:
    """The people of a game and what one of them can do about the others; changes nothing."""
    return _people(
        looking(game_id, token), sure=argument("sure") if argument("sure") in SURE else "", about=argument("seat")
    )


SURE = ("resign", "ask-end", "hand-over")
"""What is asked once more before it is done."""


@pages.post("/games/<game_id>/people")
@pages.post("/s/<token>/people")
def act(game_id: str = "", token: str = "") -> Response | tuple[str, int]:
    member = acting(game_id, token)
    wish = ACTS.get(field("do"))
    if wish is None:
        raise BadForm(NO_BUTTON)
    try:
        return redirect(wish(member), code=303)
    except BadInput as bad:
        return _people(member, problem=bad.problems[0].sentence, typed=field("address", default="")), 400
    except NotNow as refused:
        return _people(member, problem=refused.sentence), 409


def _people(member: Member, *, problem: Say | None = None, typed: str = "", sure: str = "", about: str = "") -> str:
    game = views.game(office(), member.game).seen_by(member.player.seat if member.player else "")
    number = member.player.number if member.player else None
    return render_template(
        "people.html",
        game=game,
        voice=game.voice,
        player=member.player,
        token=member.token,
        private=bool(member.token),
        offered=proposals.offered(),
        company=members.company(office(), game.id, number, member.account, now()),
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


def _is_sure() -> bool:
    """Whether the button was that of the second question."""
    return field("sure", default="") == "yes"


def _resign(member: Member) -> str:
    if not _is_sure():
        return member.people(sure="resign")
    departures.resign(office(), member.game, member.number, now())
    return url_for("games.game", game_id=member.game)


def _remove(member: Member) -> str:
    departures.remove(office(), member.game, member.account, named("seat"), now())
    return member.people(done="removed")


def _ask_remove(member: Member) -> str:
    votes.ask(office(), member.game, member.number, Removal(named("seat")), now())
    return member.people(done="asked")


def _ask_end(member: Member) -> str:
    if not _is_sure():
        return member.people(sure="ask-end")
    votes.ask(office(), member.game, member.number, EndingEarly(), now())
    return member.people(done="asked")


def _ask_for(member: Member) -> str:
    asked = {kind.kind: kind for kind in proposals.offered()}.get(field("vote"))
    if asked is None:
        raise BadForm(NO_BUTTON)
    votes.ask(office(), member.game, member.number, asked(), now())
    return member.people(done="asked")


def _ask_somebody(member: Member) -> str:
    address = field("address", longest=20_000)
    seat_changes.ask_somebody(office(), member.game, member.account, named("seat"), address, now())
    return member.people(done="sent")


def _hand_over(member: Member) -> str:
    if not _is_sure():
        return member.people(sure="hand-over", seat=named("seat"))
    seat_changes.hand_over(office(), member.game, member.account, named("seat"), now())
    return member.people(done="host")


def _watch(member: Member) -> str:
    watching.open_link(office(), member.game, member.account, now())
    return member.people(done="watch")


def _unwatch(member: Member) -> str:
    watching.close_link(office(), member.game, member.account, now())
    return member.people(done="unwatch")


def _block(member: Member) -> str:
    blocks.block(office(), member.account, member.game, named("seat"), now())
    return member.people(done="blocked")


def _remind(member: Member) -> str:
    invitations.remind(office(), member.game, member.account, named("seat"), now())
    return member.people(done="invited")


def _invite(member: Member) -> str:
    address = field("address", longest=20_000)
    invitations.invite(office(), member.game, member.account, named("seat"), address, now())
    return member.people(done="invited")


def _uninvite(member: Member) -> str:
    invitations.withdraw(office(), member.game, member.account, named("seat"), now())
    return member.people(done="uninvited")


def _robot(member: Member) -> str:
    robots.sit_down(office(), member.game, member.account, named("seat"), field("robot"), now())
    return member.people(done="robot")


ROBOT_CAN_HAVE = {GameStatus.OPEN: invitations.FREE, GameStatus.RUNNING: (SeatStatus.VACANT,)}
"""How a seat stands that the host can give to a robot."""
ACTS: dict[str, Callable[[Member], str]] = {
    "resign": _resign,
    "remove": _remove,
    "ask-remove": _ask_remove,
    "ask-end": _ask_end,
    "ask": _ask_for,
    "ask-somebody": _ask_somebody,
    "hand-over": _hand_over,
    "watch": _watch,
    "unwatch": _unwatch,
    "block": _block,
    "robot": _robot,
    "remind": _remind,
    "invite": _invite,
    "uninvite": _uninvite,
}


@pages.post("/games/<game_id>/rematch")
def rematch(game_id: str) -> Response:
    """Open the same game once more with the same people."""
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
