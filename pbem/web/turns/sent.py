"""What became of orders that a turn page has sent, and taking them back from there."""

from datetime import timedelta
from typing import Any

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from pbem.engine import Refusal, say
from pbem.engine.moves import placed
from pbem.service.base.tokens import TurnClaim
from pbem.service.games import game_lists, guests, takeback, views, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.orders import submissions
from pbem.service.people import devices
from pbem.service.statistics import reviews
from pbem.store.statuses import GameStatus, SubmissionStatus
from pbem.views import defaults
from pbem.views.games import GameLine, SubmissionView
from pbem.web.base.context import guest, now, office, reader
from pbem.web.base.devices import Switch, switch, switch_on
from pbem.web.base.forms import NotAllowed, argument, field
from pbem.web.boards.pictures import map_picture
from pbem.web.turns import onward
from pbem.web.turns.done import changed_by, done, straight_on
from pbem.web.turns.opened import OpenedPage, answer, next_question, opened, submission_of

pages = Blueprint("sent", __name__)

ROBOTS_TAKE = timedelta(minutes=2)
"""How long a page waits for a robot; if it takes longer, something is wrong, and the page says so no more often."""


@pages.get("/t/<token>/sent/<int:number>")
def sent(token: str, number: int) -> str | Response:
    asked = opened(token)
    found = submission_of(asked.claim, number)
    goes_on, claim = _goes_on(asked, found), guest()
    if address := _straight_on(asked, found):
        return redirect(address)
    question = defaults.question(asked.game) if asked.open else None
    refused, voice = Refusal(found.sentence, found.rule) if found.sentence else None, asked.game.voice
    why = refused.sentence(voice) if refused else ""
    waits, frame = goes_on and _robots_think(asked, found), dict[str, Any]()
    if waits:
        game, seat = asked.game, found.seat
        frame = {"seat": seat, "picture": map_picture(game, seat=seat), "scene": game.sheet.scene(game.state)}
        frame["money"] = game.sheet.balance(game.state, seat)
    return asked.page(
        "turn_wait.html" if waits else "turn_sent.html",
        **frame,
        sent=found,
        asked=asked.open,
        question=question,
        refusal=placed(why, found.line, found.step, refused is not None and refused.whole),
        next=next_question(asked) if goes_on else None,
        goes_on=goes_on,
        elsewhere=_elsewhere(asked) if found.status == SubmissionStatus.PLAYED else None,
        unconfirmed=claim is not None and guests.plays(office(), claim, asked.game.id),
        done=done(asked.game, asked.player, found, token, goes_on),
        changed=changed_by(found) if goes_on else (),
        reviewed=asked.game.status == GameStatus.OVER and reviews.there_is(office(), asked.game.id),
        switch=_switch(asked, found) if goes_on else None,
        switched_on=argument("device") == "1",
        stand=_stand(asked.game.id, number),
        stand_at=url_for("sent.stand", token=token, number=number),
    )


@pages.get("/t/<token>/sent/<int:number>/stand.txt")
def stand(token: str, number: int) -> Response:
    """What has become of the orders, and how the game stands, in a word that is another one once either goes on."""
    claim = answer(token).claim
    submission_of(claim, number)
    return Response(_stand(claim.game, number), mimetype="text/plain", headers={"Cache-Control": "no-store"})


def _stand(game_id: str, number: int) -> str:
    return f"{submissions.status(office(), number)}-{views.stand(office(), game_id)}"


@pages.post("/t/<token>/sent/<int:number>/back")
def take_back(token: str, number: int) -> Response:
    asked = opened(token)
    claim, via, found = asked.claim, office(), submission_of(asked.claim, number)
    if not _goes_on(asked, found):
        raise NotAllowed(
            say("These orders were sent a while ago. To take them back, open the game from your own link.")
        )
    if field("do", default="back") == "ask":
        votes.ask(via, claim.game, asked.player.number, TakingBack(found.move or 0), now())
    else:
        takeback.take_back(via, claim.game, asked.player.number, now(), only=found.move or 0)
    after = views.game(via, claim.game)
    if after.waiting_for == claim.seat:
        address = via.tokens.make(TurnClaim(after.id, claim.seat, after.version))
        return redirect(url_for("turns.turn", token=address), code=303)
    return redirect(url_for("sent.sent", token=token, number=number, on=onward.given()), code=303)


@pages.post("/t/<token>/sent/<int:number>/device")
def tell_device(token: str, number: int) -> Response:
    asked = opened(token)
    found = submission_of(asked.claim, number)
    owner = _owner(asked, found) if _goes_on(asked, found) else None
    if owner is None:
        raise NotAllowed(say("To be told on this device, log in and open the page of notifications."))
    switch_on(owner, "" if _logged_in(owner) else asked.game.id)
    return redirect(url_for("sent.sent", token=token, number=number, on=onward.given(), device=1), code=303)


def _switch(asked: OpenedPage, found: SubmissionView) -> Switch | None:
    owner = _owner(asked, found)
    if owner is None:
        return None
    at = url_for("sent.tell_device", token=asked.token, number=found.id, on=onward.given())
    return switch(at, owner, "" if _logged_in(owner) else asked.game.id)


def _owner(asked: OpenedPage, found: SubmissionView) -> int | None:
    """Whose browser it is, if there is anything to be told of in the game."""
    goes_on = found.status == SubmissionStatus.PLAYED and asked.game.status == GameStatus.RUNNING
    return devices.owner(office(), asked.game.id, asked.player.number) if goes_on else None


def _logged_in(account_id: int) -> bool:
    account = reader()
    return account is not None and account.id == account_id


def _elsewhere(asked: OpenedPage) -> GameLine | None:
    """The other game in which the reader, who is logged in as this player, is to answer soonest."""
    account = reader()
    if account is None or not asked.own:
        return None
    waiting = game_lists.lobby(office(), account.id).your_turn
    return next((line for line in waiting if line.id != asked.game.id), None)


def _robots_think(asked: OpenedPage, found: SubmissionView) -> bool:
    """Whether it is worth while to look again in a moment: a robot is asked that answers at once."""
    game = asked.game
    played, since = found.status == SubmissionStatus.PLAYED, game.waiting_since or now()
    return played and game.robot_asked and not game.robot_pause and now() < since + ROBOTS_TAKE


def _straight_on(asked: OpenedPage, found: SubmissionView) -> str:
    """The page of the next question, for whoever has just sent these orders and waited until they were played."""
    if found.status != SubmissionStatus.PLAYED or asked.version is None:
        return ""
    if not onward.has_just_sent(asked.game.id, asked.player, found.id):
        return ""
    return straight_on(asked.game.id, found.seat, found.id, onward.given() or "")


def _goes_on(asked: OpenedPage, found: SubmissionView) -> bool:
    """Whether the page of a result leads on: after an answer that counted, for who has just given it."""
    answered = found.status in (SubmissionStatus.PLAYED, SubmissionStatus.TAKEN_BACK)
    return asked.own or (answered and onward.has_just_sent(asked.game.id, asked.player, found.id))
