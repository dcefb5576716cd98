"""Letters as the service would fill them, one of every kind and every form of question, from a real game."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import quote_plus

from pbem.company import OfferView, PostView, VoteView
from pbem.engine.sheet import Standing
from pbem.engine.text import say
from pbem.statuses import GameStatus, MoveCause, SeatStatus, VoteStatus
from pbem.time_controls import Pace
from pbem.views import (
    ChoiceLink,
    ClockNews,
    ClockView,
    GameLine,
    GameView,
    LetterView,
    Links,
    MoveView,
    SeatView,
    VoidView,
)
from tests.mail.game import PACE, SEATS, SEED, SHEET, START, Moment, asked, moments

ROOT = "https://play.example.org"
TOKEN = "Q1GaAEe9ty7bZjZmteutfH-zsSSe.aScB5w._wEMVyMkZp98LZwBNXx"
REPLY = "orders+7-0123456789abcdef@play.example.org"
NAMES = dict(zip(SEATS, ("Davi", "Chloé", "Eva", "Ana"), strict=True))
HOST = "Ana"
READER = "pink"
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
STANDINGS = (
    Standing("brown", 1, 57, False, (("income", 78), ("track", 21), ("shares", -42))),
    Standing("pink", 2, 54, False, (("income", 78), ("track", 18), ("shares", -42))),
    Standing("purple", 3, -1, False, (("income", 36), ("track", 8), ("shares", -45))),
    Standing("yellow", 4, None, True),
)


ONE_DECLINED = {"Davi": SeatStatus.DECLINED, "Chloé": SeatStatus.INVITED}


def seats(**answers: SeatStatus) -> tuple[SeatView, ...]:
    """The seats; ``answers`` by name, all others have accepted."""
    return tuple(
        SeatView(number, seat, NAMES[seat], answers.get(NAMES[seat], SeatStatus.ACCEPTED), NAMES[seat] == HOST)
        for number, seat in enumerate(SEATS)
    )


def now(moment: Moment) -> datetime:
    return START + len(moment.log) * PACE


def game(moment: Moment, **changes: Any) -> GameView:
    """The running game at a moment, with three days for the answer."""
    values: dict[str, Any] = {
        "id": "k7m2", "title": "Slow train to Duluth", "sheet": SHEET, "options": {}, "status": GameStatus.RUNNING,
        "seats": seats(), "version": len(moment.log), "state": moment.state, "turn_time": timedelta(days=3),
        "opened_at": START - timedelta(days=2), "started_at": START, "ended_at": None,
        "waiting_for": moment.question.seat, "waiting_since": now(moment), "deadline": now(moment) + timedelta(days=3),
        "commitment": COMMITMENT, "seed": "", "log": moment.log,
    }  # fmt: skip
    return GameView(**(values | changes))


def unstarted(**changes: Any) -> GameView:
    """The game before all have accepted."""
    empty: dict[str, Any] = {
        "status": GameStatus.OPEN, "version": 0, "state": None, "started_at": None, "waiting_for": "", "deadline": None,
        "commitment": "", "log": (), "seats": seats(Davi=SeatStatus.INVITED, Chloé=SeatStatus.INVITED),
    }  # fmt: skip
    values = empty | changes
    return game(moments()[0], **(values | {"seats": tuple(replace(seat, seat="") for seat in values["seats"])}))


def links(**more: str) -> Links:
    common = {"game": f"{ROOT}/games/k7m2", "map": f"{ROOT}/maps/rust_belt", "unsubscribe": f"{ROOT}/u/{TOKEN}"}
    return Links(**(common | more))


def letter(kind: str, moment: Moment, **changes: Any) -> LetterView:
    """A letter to the pink player."""
    values: dict[str, Any] = {
        "id": 7, "kind": kind, "to": "ana@example.org", "name": NAMES[READER], "now": now(moment), "links": links(),
        "game": game(moment), "seat": READER, "message_id": f"<k7m2.v{len(moment.log)}.p3.{kind}.7@play.example.org>",
        "thread_id": "<k7m2.account4@play.example.org>", "zone": "Europe/Lisbon",
    }  # fmt: skip
    return LetterView(**(values | changes))


def question(kind: str, phase: str, seat: str = READER, **changes: Any) -> LetterView:
    """A letter that asks what the game asks of the seat in this phase of turn 3."""
    moment = asked(phase, seat)
    choices = tuple(
        ChoiceLink(choice, f"{ROOT}/t/{TOKEN}?order={quote_plus(choice.order)}") for choice in moment.question.choices
    )
    asking = {"question": moment.question, "choices": choices, "links": links(turn=f"{ROOT}/t/{TOKEN}"), "seat": seat}
    return letter(kind, moment, **(asking | {"since": since(moment, seat), "name": NAMES[seat]} | changes))


def since(moment: Moment, seat: str) -> tuple[MoveView, ...]:
    """The log after the seat's last own order."""
    own = max((move.number for move in moment.log if move.seat == seat), default=0)
    return moment.log[own:]


def before_start(kind: str, view: GameView, **changes: Any) -> LetterView:
    """A letter about a game that has not started."""
    values: dict[str, Any] = {"game": view, "seat": "", "host_name": HOST}
    return letter(kind, moments()[0], **(values | changes))


def _missed() -> LetterView:
    """Pink's time ended while building; the next player has been asked."""
    moment = asked("move_goods", "brown")
    *earlier, last = moment.log
    log = (*earlier, replace(last, cause=MoveCause.DEADLINE))
    view = game(moment, log=log)
    return letter("default-played", moment, game=view, since=log[-4:], text=last.orders)


def _answered_by_mail() -> LetterView:
    """Pink's build has been played as it was ordered by mail, and a delivery waits."""
    moment = asked("move_goods", "brown")
    waits = "“{orders}” waits for your moment in turn {turn}: {moment}."
    kept = say(waits, orders="move 1", turn=3, moment=say("moving goods"))
    return letter("played", moment, since=moment.log[-4:], kept=(kept,), links=links(seat=f"{ROOT}/s/{TOKEN}"))


def _over() -> LetterView:
    moment = moments()[-1]
    ended = {"ended_at": now(moment), "waiting_for": "", "deadline": None, "standings": STANDINGS, "seed": SEED.hex()}
    return letter(
        "game-over",
        moment,
        game=game(moment, status=GameStatus.OVER, **ended),
        since=since(moment, READER),
        links=links(archive=f"{ROOT}/archive", record=f"{ROOT}/games/k7m2/record.json"),
    )


def _planning() -> LetterView:
    moment = next(m for m in moments() if m.turn == 3)
    plan = SHEET.turn_plan(moment.state, READER)
    page = links(turn=f"{ROOT}/t/{TOKEN}?plan")
    return letter("planning", moment, plan=plan, links=page, since=since(moment, READER))


def line(title: str, seat: str, moment: Moment, hours: int, **changes: Any) -> GameLine:
    """A running game in a list, answered by ``seat`` within hours."""
    values: dict[str, Any] = {
        "id": "k7m2", "title": title, "sheet": SHEET, "status": GameStatus.RUNNING, "seats": seats(), "turn": 3,
        "phase": moment.question.phase, "waiting_for": seat, "waiting_since": now(moment),
        "deadline": now(moment) + timedelta(hours=hours), "version": 7, "opened_at": START, "ended_at": None,
    }  # fmt: skip
    return GameLine(**(values | changes))


def lines() -> tuple[GameLine, ...]:
    """Two games that wait for the reader."""
    first, second = asked("build_track", READER), asked("move_goods", "yellow")
    return (
        line("Ruhr by Christmas", READER, first, 60, turn_page=f"{ROOT}/t/{TOKEN}"),
        line("Cotton by rail", READER, second, 70, turn_page=f"{ROOT}/t/{TOKEN}"),
    )


def roundup(kind: str, games: tuple[GameLine, ...], **changes: Any) -> LetterView:
    """A letter about several games."""
    addresses = Links(
        lobby=f"{ROOT}/", account=f"{ROOT}/account", ways=f"{ROOT}/account/ways", unsubscribe=f"{ROOT}/u/{TOKEN}"
    )
    own: dict[str, Any] = {"game": None, "seat": "", "links": addresses, "games": games}
    return letter(kind, asked("build_track", READER), **(own | changes))


def _clocks() -> tuple[ClockView, ...]:
    """Davi is away, a caretaker plays for Chloé, and Ana's bank is empty."""
    day = timedelta(days=1)
    moment = now(asked("build_track", READER))
    return (
        ClockView("brown", 3 * day, 7 * day, absences=((moment.date(), moment.date() + 4 * day),)),
        ClockView("purple", 3 * day, 7 * day, caretaker_since=moment),
        ClockView("yellow", 3 * day, 2 * day, absences=((date(2026, 12, 23), date(2027, 1, 2)),)),
        ClockView("pink", 3 * day, 0 * day, asked=True),
    )


def _reminder() -> LetterView:
    moment = asked("build_track", READER)
    pace = Pace(timedelta(days=3), bank=timedelta(days=7))
    view = game(moment, pace=pace, clocks=_clocks())
    return question("reminder", "build_track", now=now(moment) + timedelta(days=2), game=view)


def _moved() -> LetterView:
    moment = asked("build_track", READER)
    games = (lines()[0], line("Cotton by rail", "brown", moment, 100))
    return roundup("clocks-moved", games, gap=(now(moment) - timedelta(hours=49), now(moment)))


def _set_back() -> LetterView:
    moment = asked("build_track", READER)
    games = (lines()[0], line("Cotton by rail", "brown", moment, 100))
    return roundup("set-back", games, gap=(now(moment) - timedelta(hours=7), now(moment)))


def clock_news(kind: str, **news: Any) -> LetterView:
    """A letter about the clocks of a game in which brown is asked."""
    moment = asked("move_goods", "brown")
    return letter(kind, moment, news=ClockNews(**news))


def clock_news_to_host() -> LetterView:
    """The host can pass the seat on."""
    offered = clock_news("seat-offered", person="Davi", until=START + timedelta(days=20))
    return replace(offered, how="host", offer=_offer("host").offer, links=links(take=f"{ROOT}/o/{TOKEN}"))


def _ended_early() -> LetterView:
    letter_view = _over()
    assert letter_view.game is not None
    return replace(letter_view, game=replace(letter_view.game, ended_early=True))


def people_news(kind: str, **values: Any) -> LetterView:
    """A letter about the people of a game in which brown is asked."""
    return letter(kind, asked("move_goods", "brown"), **values)


def _vote(kind: str, what: str, needed: int, until: date | None = None) -> LetterView:
    """Eva asks the others for something, and Chloé has agreed."""
    letters = {"take-back": "consent-asked", "end": "end-asked", "remove": "remove-asked", "pause": "pause-asked"}
    agreed = ("Chloé",) if kind == "take-back" else ("Eva", "Chloé")
    voters = 3 if kind != "end" else 4
    asked_at = now(asked("move_goods", "brown"))
    vote = VoteView(3, kind, VoteStatus.OPEN, "Eva", what, agreed, (), ("Ana",), needed, voters, asked_at, 20, until)
    answers = {answer: f"{ROOT}/v/{TOKEN}?answer={answer}" for answer in ("agree", "refuse")}
    return people_news(letters[kind], vote=vote, links=links(**answers))


def _offer(how: str = "") -> LetterView:
    since = now(asked("move_goods", "brown"))
    offer = OfferView(
        5, "k7m2", "Slow train to Duluth", "Rust Belt", 0, "brown", "Davi", 3, since, since + timedelta(days=3),
        timedelta(days=3),
    )  # fmt: skip
    return people_news(
        "substitute-wanted", offer=offer, how=how, links=links(take=f"{ROOT}/o/{TOKEN}"), seat="",
        to="fay@example.org", name="Fay",
    )  # fmt: skip


TALK = (
    PostView(4, "purple", "Chloé", "Five blue cubes in Detroit and nobody with a way out. Enjoy.", START),
    PostView(
        5, "yellow", "Eva", "I am away until Monday.\nMy moves are ordered, do not wait for me: <b>really</b>, and here"
        " is a line that is long enough to be wrapped where the text part is 72 columns wide.", START + PACE,
    ),
)  # fmt: skip


LETTERS: dict[str, LetterView] = {
    "invitation": before_start(
        "invitation", unstarted(), to="davi@example.org", name="Davi",
        links=links(accept=f"{ROOT}/i/{TOKEN}?answer=accept", decline=f"{ROOT}/i/{TOKEN}?answer=decline"),
    ),
    "declined": before_start("declined", unstarted(seats=seats(**ONE_DECLINED)), text="Davi"),
    "cancelled": before_start("cancelled", unstarted(status=GameStatus.CANCELLED), to="davi@example.org", name="Davi"),
    "game-started": letter(
        "game-started", moments()[0], links=links(seat=f"{ROOT}/s/{TOKEN}"),
        thread_id="<k7m2.v0.p3.game-started.7@play.example.org>",
    ),
    "your-turn-shares": question("your-turn", "issue_shares"),
    "your-turn-bid": question("your-turn", "turn_order"),
    "your-turn-action": question("your-turn", "select_actions"),
    "your-turn-build": question("your-turn", "build_track"),
    "your-turn-move": question("your-turn", "move_goods", seat="yellow"),
    "your-turn-void": question(
        "your-turn", "build_track",
        void=VoidView("build N7 N-S", "The build now costs $5; it was given for $2 (P5)."),
    ),
    "planning": _planning(),
    "reminder": _reminder(),
    "refused": question(
        "refused", "build_track", since=(), line=2, step=3,
        text="# towards the lake\nbuild K10 SW-NE; J11 SW-NE; L9 @N\nmove blue Chicago to Detroit",
        sentence="L9 @N costs $3, and after the first two steps you have $1 (R24).",
    ),
    "default-played": _missed(),
    "played": _answered_by_mail(),
    "your-turn-reply": question("your-turn", "issue_shares", links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)),
    "caretaker": replace(_missed(), kind="caretaker", links=links(seat=f"{ROOT}/s/{TOKEN}")),
    "digest": roundup("digest", lines()),
    "clocks-moved": _moved(),
    "set-back": _set_back(),
    "away": clock_news(
        "away", person="Davi", first=date(2026, 12, 23), last=date(2027, 1, 2), before=START + timedelta(days=9)
    ),
    "back": clock_news("back", person="Davi", before=START + timedelta(days=30)),
    "paused": letter(
        "paused", asked("move_goods", "brown"), game=game(asked("move_goods", "brown"), deadline=None),
        news=ClockNews("Davi", until=START + timedelta(days=40)),
    ),
    "resumed": clock_news("resumed", person="Davi"),
    "seat-offered": clock_news("seat-offered", person="Davi", until=START + timedelta(days=20)),
    "seat-offered-host": clock_news_to_host(),
    "your-turn-talk": question("your-turn", "build_track", talk=TALK),
    "taken-back": people_news("taken-back", person="Eva", text="build K10 SW-NE; J11 SW-NE", time=START),
    "pause-asked": _vote("pause", "", 3, until=date(2027, 1, 2)),
    "consent-asked": _vote("take-back", "build K10 SW-NE; J11 SW-NE", 3),
    "end-asked": _vote("end", "", 3),
    "remove-asked": _vote("remove", "Davi", 2),
    "not-agreed": replace(_vote("take-back", "issue 2", 3), kind="not-agreed", person="Davi"),
    "game-ending": people_news("game-ending", time=START + timedelta(days=20)),
    "resigned": people_news("resigned", person="Davi", how="resigned"),
    "removed": people_news("removed", person="Ana", how="removed", seat=""),
    "substitute-wanted": _offer(),
    "substitute-wanted-host": _offer("host"),
    "seat-taken": people_news("seat-taken", person="Davi", links=links(seat=f"{ROOT}/s/{TOKEN}")),
    "test": letter(
        "test", moments()[0], game=None, seat="", thread_id="", links=Links(deliveries=f"{ROOT}/letters"),
    ),
    "mail-returned": people_news("mail-returned", person="Davi", how="brown", sentence="There is no such mailbox."),
    "mail-returned-invitation": before_start(
        "mail-returned", unstarted(), person="Davi", sentence="There is no such mailbox.", seat="",
    ),
    "submission-stuck": people_news(
        "submission-stuck", person="Davi", how="operator", text="submission", line=17, seat="",
        to="olga@example.org", name="Olga",
    ),
    "submission-stuck-host": people_news("submission-stuck", person="Davi", how="host", text="submission", line=17),
    "submission-stuck-order": people_news("submission-stuck", person="Davi", how="operator", text="order", line=4),
    "account-deleted": roundup("account-deleted", (), links=Links(lobby=f"{ROOT}/")),
    "webhook-stopped": roundup(
        "webhook-stopped", (), person="discord.com", text="Slow train to Duluth",
        sentence="The answer was 404: there is no such webhook any more.",
    ),
    "game-over": _over(),
    "game-over-early": _ended_early(),
    "login": letter(
        "login", moments()[0], game=None, seat="", thread_id="", expires=now(moments()[0]) + timedelta(minutes=20),
        links=Links(login=f"{ROOT}/login/{TOKEN}"),
    ),
}  # fmt: skip
"""One letter of every kind, and one of your-turn for every form of question."""
