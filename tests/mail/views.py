"""Letters as the service would fill them, one of every kind and every form of question, from a real game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import SimpleNamespace as Own
from typing import Any
from urllib.parse import quote_plus

from msgspec.structs import asdict
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Sheet, Who, Word, replace, say
from pbem.engine.sheet import Standing
from pbem.robot import answers, map_answers
from pbem.robot.review.doubts import in_words
from pbem.robot.tutor import Ending
from pbem.service.games import proposals, trials
from pbem.service.games.proposals import Proposal
from pbem.service.games.proposals.declaration import Consent
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.accounts import AccountDeleted
from pbem.service.letters.kinds.answers import ToldBoard
from pbem.service.letters.kinds.clocks import Away, Back, Paused, Resumed
from pbem.service.letters.kinds.games import Declined, GameEnding, GameStarted
from pbem.service.letters.kinds.leagues import LeagueLine
from pbem.service.letters.kinds.lessons import AnswerValues, LookBack
from pbem.service.letters.kinds.orders import SubmissionStuck, TakenBack
from pbem.service.letters.kinds.questions import Reminder
from pbem.service.letters.kinds.seats import Removed, Resigned, SeatTaken
from pbem.service.letters.kinds.talk import Talk
from pbem.store.statuses import GameStatus, MoveCause, SeatStatus, VoteStatus
from pbem.store.tables import Seat, Vote
from pbem.store.time_controls import TimeControl
from pbem.views.games import ClockView, GameLine, GameView, MoveView, SeatView, VoidView
from pbem.views.lessons import WORDS
from pbem.views.letters import AskedQuestion, Envelope, LetterView, Links
from pbem.views.log import from_own_orders, own_by_mail, since_own_orders
from pbem.views.people import BackView, PostView, VoteView
from tests.mail import steam
from tests.mail.game import APART, SEATS, SEED, SHEET, START, Moment, asked, moments

ROOT = "https://play.example.org"
TOKEN = "Q1GaAEe9ty7bZjZmteutfH-zsSSe.aScB5w._wEMVyMkZp98LZwBNXx"
REPLY = "orders+7-0123456789abcdef@play.example.org"
STOP = "orders+7-fedcba9876543210@play.example.org"
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


ONE_FREE = {"Davi": SeatStatus.VACANT, "Chloé": SeatStatus.INVITED}
ONE_DECLINED = {"Davi": SeatStatus.DECLINED, "Chloé": SeatStatus.INVITED}


def seats(**answers: SeatStatus) -> tuple[SeatView, ...]:
    """The seats; ``answers`` by name, all others have accepted."""
    return tuple(
        SeatView(number, seat, NAMES[seat], answers.get(NAMES[seat], SeatStatus.ACCEPTED), NAMES[seat] == HOST)
        for number, seat in enumerate(SEATS)
    )


def now(moment: Moment) -> datetime:
    return START + len(moment.log) * APART


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


ANSWERED_WITH_YES = ("invitation", "substitute-wanted", "seat-at-table", "digest")
"""Kinds that say that they can be answered, though no question is in them."""


def links(**more: str) -> Links:
    common = {
        "game": f"{ROOT}/games/k7m2",
        "map": f"{ROOT}/maps/rust_belt",
        "rulings": f"{ROOT}/rulings/age-of-steam",
        "account": f"{ROOT}/account",
        "orders": f"{ROOT}/how-to-play/age-of-steam/orders",
        "unsubscribe": f"{ROOT}/u/{TOKEN}",
        "unsubscribe_by_mail": STOP,
    }
    return Links(**(common | more))


MOSTLY: dict[str, dict[str, Any]] = {
    "game-over": {"back": None, "next": None, "by_operator": False},
    "guest-game": {"lesson": False},
    "played": {"cancelled": (), "clashes": ()},
    "refused": {
        "examples": (),
        "whole": False,
        "similar": (),
        "words": (),
        "answered": "",
        "back": None,
        "stands": None,
    }
    | {"line": 0, "step": 0, "more": 0, "last": False, "part": (0, "")},
    "told": {"orders": (), "more": False, "words": (), "ahead": ()},
    "tried": {"whole": False, "part": (0, "")},
}
"""What most letters of a kind say, by kind."""


def letter(kind: str, own: object, moment: Moment, **changes: Any) -> LetterView:
    """A letter to the pink player."""
    values: dict[str, Any] = {
        "id": 7, "kind": kind, "to": "ana@example.org", "name": NAMES[READER], "now": now(moment), "links": links(),
        "game": game(moment), "seat": READER, "seat_number": SEATS.index(READER),
        "message_id": f"<k7m2.v{len(moment.log)}.p3.{kind}.7@play.example.org>",
        "thread_id": "<k7m2.v0.p3.invitation.4@play.example.org>", "zone": "Europe/Lisbon", "language": "en",
        "own": Own(**MOSTLY.get(kind, {}) | _fields(own)), "pictures": "inside",
        "reply_to": REPLY if kind in ANSWERED_WITH_YES else "",
    }  # fmt: skip
    values |= changes
    envelope = Envelope(**{name: values.pop(name) for name in Envelope.__struct_fields__ if name in values})
    return LetterView(envelope, **values)


def _fields(own: object) -> dict[str, Any]:
    return asdict(own) if isinstance(own, LetterKind) else vars(own)


def addressed(view: LetterView, **changes: Any) -> LetterView:
    """The same letter in another envelope."""
    return replace(view, envelope=replace(view.envelope, **changes))


def turn_page(order: str) -> str:
    """The address that asks to confirm an order."""
    return f"{ROOT}/t/{TOKEN}?order={quote_plus(order)}"


def asked_question(moment: Moment, sheet: Sheet) -> AskedQuestion:
    return AskedQuestion(moment.question, turn_page, answers.listed(sheet, moment.state, moment.question))


def question(kind: str, own: object, phase: str, seat: str = READER, **changes: Any) -> LetterView:
    """A letter that asks what the game asks of the seat in this phase of turn 3."""
    moment = asked(phase, seat)
    asking = {
        "asked": asked_question(moment, SHEET),
        "links": links(turn=f"{ROOT}/t/{TOKEN}"),
        "seat": seat,
    }
    return letter(kind, own, moment, **(asking | {"moves": since(moment, seat), "name": NAMES[seat]} | changes))


def your_turn(phase: str, void: VoidView | None = None, **changes: Any) -> LetterView:
    """The question of a phase."""
    return question("your-turn", Own(void=void), phase, **changes)


def since(moment: Moment, seat: str) -> tuple[MoveView, ...]:
    """What has happened since the seat's last own order."""
    return since_own_orders((move.seen_by(seat) for move in moment.log), seat)


def by_mail(moment: Moment, seat: str) -> tuple[MoveView, ...]:
    """What the seat has ordered last, as if it had come by email."""
    *_, last = (move for move in moment.log if move.seat == seat)
    return own_by_mail([replace(last, by_mail=True)], seat)


def steam_turn(orders: int, **changes: Any) -> LetterView:
    """A question of Steam Power, after so many orders, to the seat that is asked."""
    moment = steam.moments()[orders]
    seat, names = moment.question.seat, dict(zip(steam.SEATS, ("Ana", "Ben", "Chloé"), strict=True))
    players = [SeatView(number, colour, names[colour], SeatStatus.ACCEPTED) for number, colour in enumerate(names)]
    view = game(moment, sheet=steam.SHEET, title="Steam to Sligo", seats=tuple(players))
    here = {"game": view, "seat": seat, "name": names[seat], "seat_number": steam.SEATS.index(seat)}
    page = {"asked": asked_question(moment, steam.SHEET), "links": links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)}
    return letter("your-turn", Own(void=None), moment, moves=since(moment, seat), **here, **page, **changes)


def before_start(kind: str, own: object, view: GameView, **changes: Any) -> LetterView:
    """A letter about a game that has not started."""
    return letter(kind, own, moments()[0], game=view, seat="", **changes)


def _missed() -> LetterView:
    """Pink's time ended while building; the next player has been asked."""
    moment = asked("move_goods", "brown")
    *earlier, last = moment.log
    log = (*earlier, replace(last, cause=MoveCause.DEADLINE))
    view = game(moment, log=log)
    own = Own(orders=last.orders, at=last.at)
    return letter("default-played", own, moment, game=view, moves=log[-4:])


def _answered_by_mail() -> LetterView:
    """Pink's build has been played as it was ordered by mail, and a delivery waits."""
    moment = asked("move_goods", "brown")
    waits = "“{orders}” waits for your moment in turn {turn}: {moment}."
    kept = say(waits, orders="move 1", turn=3, moment=say("{phase}, round {n}", phase=Word("move_goods"), n=1))
    page = links(seat=f"{ROOT}/s/{TOKEN}", reply=REPLY)
    return letter("played", Own(kept=(kept,)), moment, moves=moment.log[-4:], links=page)


def _done(what: str) -> LetterView:
    """What an email has asked for was done."""
    first, last = (date(2026, 12, 23), date(2027, 1, 2)) if what == "away" else (None, None)
    vote = _vote(Pausing(date(2027, 1, 2)), 3) if what == "asked" else None
    here = links(by_email=f"{ROOT}/how-to-play/by-email")
    own = Own(what=what, first=first, last=last, vote=vote, orders="")
    return letter("done", own, asked("move_goods", "brown"), links=here)


def _asked_back(what: str, sender: str = "") -> LetterView:
    first, last = (date(2026, 12, 23), date(2027, 1, 2)) if what == "away" else (None, None)
    vote = _vote(EndingEarly(), 3) if what in ("yes", "no") else None
    here = links(by_email=f"{ROOT}/how-to-play/by-email")
    own = Own(what=what, first=first, last=last, vote=vote, sender=sender)
    return letter("asked-back", own, asked("move_goods", "brown"), links=here)


def _tried(text: str) -> LetterView:
    """Orders for an auction that were tried, or some of them."""
    moment = asked("turn_order", READER)
    attempt = trials.attempt(game(moment), READER, "seed", text)
    why = attempt.refusal.sentence(attempt.game.voice) if attempt.refusal else ""
    own = Own(text=text, sentence=why, line=attempt.line, step=0, start=len(moment.log) - 1, hides=False)
    here = links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)
    return letter("tried", own, moment, game=attempt.game, moves=attempt.game.tried, links=here)


def _over() -> LetterView:
    moment = moments()[-1]
    ended = {"ended_at": now(moment), "waiting_for": "", "deadline": None, "standings": STANDINGS, "seed": SEED.hex()}
    return letter(
        "game-over",
        Own(archive=f"{ROOT}/archive", record=f"{ROOT}/games/k7m2/record.json", file=f"{ROOT}/games/k7m2/game.html"),
        moment,
        game=game(moment, status=GameStatus.OVER, **ended),
        moves=from_own_orders(moment.log, READER)[0],
    )


def _reviewed() -> LetterView:
    """A turn in which nothing was built cost points, and the first shares were better than a robot's."""
    built, issued = asked("build_track", READER), asked("issue_shares", READER)

    def told(moment: Moment, played: str, better: str, **figures: int) -> dict[str, Any]:
        words = {key: in_words(SHEET, moment.state, order) for key, order in (("played", played), ("better", better))}
        return {"order": 17, "turn": 3, **figures, **words}

    own = Own(
        dearest=told(built, "build nothing", "build K10 SW-NE; J11 SW-NE", points=7, give=5),
        best=told(issued, "issue 2", "issue 4", points=18, give=18),
        turn=SHEET.unit.nth(3), turned=3, mine=[33, 40, 41, 64, 58], url=f"{ROOT}/archive/k7m2/review",
        account=f"{ROOT}/account#reviewed",
    )  # fmt: skip
    return replace(_over(), own=own, envelope=replace(_over().envelope, kind="review"), moves=())


def _planning() -> LetterView:
    moment = next(m for m in moments() if m.turn == 3)
    plan = SHEET.turn_plan(moment.state, READER)
    page = links(turn=f"{ROOT}/t/{TOKEN}?plan")
    return letter("planning", Own(plan=plan), moment, links=page, moves=since(moment, READER))


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


def about_no_game(kind: str, own: object, **changes: Any) -> LetterView:
    """A letter about an account, or about several games."""
    addresses = Links(lobby=f"{ROOT}/", account=f"{ROOT}/account", unsubscribe=f"{ROOT}/u/{TOKEN}")
    values: dict[str, Any] = {"game": None, "seat": "", "links": addresses}
    return letter(kind, own, asked("build_track", READER), **(values | changes))


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
    control = TimeControl(timedelta(days=3), bank=timedelta(days=7))
    view = game(moment, time_control=control, clocks=_clocks())
    return question("reminder", Reminder(), "build_track", now=now(moment) + timedelta(days=2), game=view)


def _moved() -> LetterView:
    moment = asked("build_track", READER)
    games = (lines()[0], line("Cotton by rail", "brown", moment, 100))
    return about_no_game("clocks-moved", _gap(moment, timedelta(hours=49), games))


def _set_back() -> LetterView:
    moment = asked("build_track", READER)
    games = (lines()[0], line("Cotton by rail", "brown", moment, 100))
    return about_no_game("set-back", _gap(moment, timedelta(hours=7), games))


def _gap(moment: Moment, length: timedelta, games: tuple[GameLine, ...]) -> Own:
    return Own(since=now(moment) - length, until=now(moment), games=games, length=length, backwards=False)


def news(own: LetterKind, **changes: Any) -> LetterView:
    """A letter that says what it stores, about a game in which brown is asked."""
    return letter(own.kind, own, asked("move_goods", "brown"), **changes)


def _seat_offered(take: str = "") -> LetterView:
    """The game waits for a substitute of Davi; the host can pass the seat on."""
    own = Own(person="Davi", until=START + timedelta(days=20), take=take)
    return letter("seat-offered", own, asked("move_goods", "brown"))


def _ended_early() -> LetterView:
    letter_view = _over()
    assert letter_view.game is not None
    return replace(letter_view, game=replace(letter_view.game, ended_early=True))


def _vote(proposal: Proposal, needed: int) -> VoteView:
    """Eva asks the others for something, and Chloé has agreed."""
    agreed = (Who("purple"),) if isinstance(proposal, Consent) else (Who("yellow"), Who("purple"))
    at = now(asked("move_goods", "brown"))
    row = Vote(game_id="k7m2", asked_by=2, version=20, kind=proposal.kind)
    seats = {2: Seat(name="Eva", colour="yellow"), 3: Seat(name="Davi", colour="brown")}
    about = proposals.VoteContext(Session(), row, seats, at)
    return VoteView(
        3, proposal.kind, VoteStatus.OPEN, "Eva", 2, proposal.words(about), proposal.title(about),
        proposal.terms(about), proposal.if_refused(about), agreed, (), (Who(READER),), needed,
        4 if isinstance(proposal, EndingEarly) else 3, at, 20,
    )  # fmt: skip


@dataclass(frozen=True)
class _TakingBack(TakingBack):
    """Orders that are in no database."""

    typed: str = ""

    @override
    def _orders(self, asked: proposals.VoteContext) -> str:
        return self.typed


def _asks(kind: str, vote: VoteView) -> LetterView:
    """The letter by which a vote asks."""
    agree, refuse = (f"{ROOT}/v/{TOKEN}?answer={answer}" for answer in ("agree", "refuse"))
    return letter(kind, Own(vote=vote, agree=agree, refuse=refuse), asked("move_goods", "brown"))


def _offer(*, to_host: bool = False) -> LetterView:
    own = Own(person="Davi", turn_time=timedelta(days=3), take=f"{ROOT}/o/{TOKEN}", to_host=to_host)
    reader = {"seat": "", "to": "fay@example.org", "name": "Fay"}
    return letter("substitute-wanted", own, asked("move_goods", "brown"), **reader)


def _answers(*orders: str) -> tuple[AnswerValues, ...]:
    """Answers of a lesson, the first one the best, each three points worse than the one before."""
    choices = {choice.order: choice for moment in moments() for choice in moment.question.choices}
    why = say("Issues {n} shares: ${cost} of track brings {gain} income this turn.", n=2, cost=8, gain=3)
    return tuple(
        AnswerValues(
            order, order, getattr(choices.get(order), "title", None), getattr(choices.get(order), "effect", None),
            None if number else why,
            Ending(57 - 3 * number, number + 1, 3 - 3 * number),
            3 * number, turn_page(order),
        )
        for number, order in enumerate(orders)
    )  # fmt: skip


OUT = AnswerValues("build nothing", "build nothing", None, None, None, Ending(None, 4, -57), 60, "")


def _lesson(phase: str, topic: str, number: int, *orders: str, **changes: Any) -> LetterView:
    """A letter of a lesson about the question of a phase."""
    values: dict[str, Any] = {
        "void": None, "topic": topic, "words": WORDS[topic], "number": number, "of": 7, "again": False,
        "answers": _answers(*orders), "back": None, "guide": f"{ROOT}/how-to-play/age-of-steam#{phase}",
    }  # fmt: skip
    page = links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)
    return question("lesson", Own(**(values | changes)), phase, links=page)


def _back(chosen: AnswerValues, topic: str, *, own: bool = True) -> LookBack:
    return LookBack(chosen, own, _answers("issue 2")[0], 21, topic)


def _lesson_over() -> LetterView:
    best, worse = _answers("move red M5 > K6", "pass")
    own = Own(
        archive=f"{ROOT}/archive", record=f"{ROOT}/games/k7m2/record.json", file=f"{ROOT}/games/k7m2/game.html",
        back=LookBack(worse, True, best, 54, "last"),
        next={"new_game": f"{ROOT}/new", "tables": f"{ROOT}/tables", "guide": f"{ROOT}/how-to-play/age-of-steam"},
    )  # fmt: skip
    return replace(_over(), own=Own(**vars(_over().own) | _fields(own)))


TALK = (
    PostView(4, "purple", "Chloé", "Five blue cubes in Detroit and nobody with a way out. Enjoy.", START),
    PostView(
        5, "yellow", "Eva", "I am away until Monday.\nMy moves are ordered, do not wait for me: <b>really</b>, and here"
        " is a line that is long enough to be wrapped where the text part is 72 columns wide.", START + APART,
    ),
)  # fmt: skip


LETTERS: dict[str, LetterView] = {
    "invitation": before_start(
        "invitation",
        Own(
            host=HOST, accept=f"{ROOT}/i/{TOKEN}?answer=accept", decline=f"{ROOT}/i/{TOKEN}?answer=decline",
            first_game=f"{ROOT}/first-game?invitation={TOKEN}",
        ),
        unstarted(), to="davi@example.org", name="Davi", seat_number=SEATS.index("brown"),
    ),
    "declined": before_start("declined", Declined("Davi"), unstarted(seats=seats(**ONE_DECLINED))),
    "cancelled": before_start(
        "cancelled", Own(host=HOST), unstarted(status=GameStatus.CANCELLED), to="davi@example.org", name="Davi"
    ),
    "cancelled-operator": before_start(
        "cancelled", Own(host=""), unstarted(status=GameStatus.CANCELLED), to="davi@example.org", name="Davi"
    ),
    "put-off": before_start(
        "put-off", Own(free=2, until=START + timedelta(days=9), tables=f"{ROOT}/tables"),
        unstarted(seats=seats(**ONE_FREE)),
    ),
    "table-news": before_start(
        "table-news",
        Own(
            news=(("joined", "Eva"), ("asks-seat", "Davi"), ("accepted", "Chloé"), ("left-table", "Eva")), free=2,
            tables=f"{ROOT}/tables", since=START, until=START + timedelta(minutes=10),
        ),
        unstarted(seats=seats(**ONE_FREE)),
    ),
    "called-off": before_start(
        "called-off", Own(free=1, tables=f"{ROOT}/tables"), unstarted(status=GameStatus.CANCELLED)
    ),
    "game-started": letter(
        "game-started", GameStarted(), moments()[0], links=links(seat=f"{ROOT}/s/{TOKEN}"),
        thread_id="",
    ),
    "your-turn-shares": your_turn("issue_shares"),
    "your-turn-bid": your_turn("turn_order"),
    "your-turn-action": your_turn("select_actions"),
    "your-turn-build": your_turn("build_track"),
    "your-turn-move": your_turn("move_goods", seat="yellow"),
    "your-turn-mailed": your_turn("build_track", confirmed=by_mail(asked("build_track", READER), READER)),
    "your-turn-steam": steam_turn(32),
    "your-turn-steam-mailed": steam_turn(27, confirmed=by_mail(steam.moments()[27], "blue")),
    "your-turn-void": your_turn(
        "build_track", VoidView("build N7 N-S", "The build now costs $5; it was given for $2 (P5).")
    ),
    "planning": _planning(),
    "reminder": _reminder(),
    "refused": question(
        "refused",
        Own(
            text="# towards the lake\nbuild K10 SW-NE; J11 SW-NE; L9 @N\nmove blue Chicago to Detroit",
            sentence="L9 @N costs $3, and after the first two steps you have $1 (R24).", line=2, step=3,
            similar=("build K10 SW-NE; J11 SW-NE; L9 @SE", "build K10 SW-NE; J11 SW-NE; L9 @S"),
            words=("help", "status", "board", "try", "resign"),
        ),
        "build_track", moves=(),
    ),
    "refused-answered": letter(
        "refused",
        Own(
            text="issue 4", sentence="That question has been answered with “issue 2”.", 
            words=("help", "undo"), answered="issue 2", back=BackView(20, "issue 2", START + timedelta(days=16)),
        ),
        asked("move_goods", "brown"), moves=(),
    ),
    "refused-lesson": question(
        "refused",
        Own(
            text="What shall I do?", sentence="“What shall I do?” begins with no word of an order.", line=1,
            examples=("build K10 SW-NE; J11 SW-NE", "build nothing"),
        ),
        "build_track", moves=(), links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY),
    ),
    "told-help": question(
        "told", Own(
            word="help", orders=("issue 0", "issue 1", "issue 2"),
            words=("help", "status", "log", "rules", "board", "say", "note", "away", "back", "try", "undo", "cancel",
                   "yes", "no", "pause", "resume", "resign"),
        ), "issue_shares", moves=(),
        links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY),
    ),
    "told-more": question(
        "told", Own(word="more"), "move_goods", moves=(), links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)
    ),
    "explained": question(
        "explained",
        Own(
            more=False,
            explanations=tuple(
                map_answers.map_answer(SHEET, asked("move_goods", READER).state, READER, line)
                for line in ("map", "describe Chicago", "link Chicago to Toledo", "link Chicago", "reach Detroit")
            )
        ),
        "move_goods", moves=(), links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY),
    ),
    "told-status": question("told", Own(word="status"), "issue_shares", moves=()),
    "told-log": question("told", Own(word="log"), "issue_shares"),
    "told-rules": question("told", Own(word="rules"), "issue_shares", moves=()),
    "board": question("board", ToldBoard(), "issue_shares", moves=()),
    "tried": _tried("bid 3\nbid 4\ndrop"),
    "tried-in-part": _tried("bid 3\nbid 99"),
    "tried-in-vain": _tried("bid 99"),
    "default-played": _missed(),
    "played": _answered_by_mail(),
    "played-cancel": letter(
        "played", Own(kept=(), cancelled=("bid max 4", "issue 2")), asked("move_goods", "brown"), moves=(),
        links=links(seat=f"{ROOT}/s/{TOKEN}"),
    ),
    "not-taken": about_no_game(
        "not-taken", Own(why=say("Replies to that email are not read, so nothing was done with yours.")),
        links=Links(
            lobby=f"{ROOT}/", account=f"{ROOT}/account", unsubscribe=f"{ROOT}/u/{TOKEN}",
            by_email=f"{ROOT}/how-to-play/by-email",
        ),
    ),
    "from-elsewhere": letter(
        "from-elsewhere", Own(sender="someone@example.net", account=f"{ROOT}/account#own-mail"),
        asked("move_goods", "brown"),
    ),
    "done-away": _done("away"),
    "done-asked": _done("asked"),
    "asked-back-resign": _asked_back("resign"),
    "asked-back-away": _asked_back("away", "someone@example.net"),
    "asked-back-vote": _asked_back("yes"),
    "your-turn-reply": your_turn("issue_shares", links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY)),
    "caretaker": addressed(replace(_missed(), links=links(seat=f"{ROOT}/s/{TOKEN}")), kind="caretaker"),
    "digest": about_no_game("digest", Own(games=lines())),
    "clocks-moved": _moved(),
    "set-back": _set_back(),
    "away": news(Away("Davi", date(2026, 12, 23), date(2027, 1, 2), before=START + timedelta(days=9))),
    "back": news(Back("Davi", date(2026, 12, 23), date(2027, 1, 2), before=START + timedelta(days=30))),
    "paused": news(
        Paused("Davi", until=START + timedelta(days=40)), game=game(asked("move_goods", "brown"), deadline=None)
    ),
    "resumed": news(Resumed("Davi")),
    "seat-offered": _seat_offered(),
    "seat-offered-host": _seat_offered(f"{ROOT}/o/{TOKEN}"),
    "your-turn-talk": your_turn(
        "build_track", talk=TALK,
        links=links(turn=f"{ROOT}/t/{TOKEN}", reply=REPLY, by_email=f"{ROOT}/how-to-play/by-email"),
    ),
    "taken-back": news(TakenBack("Eva", START)),
    "talk": news(
        Talk(), talk=TALK[:1], links=links(by_email=f"{ROOT}/how-to-play/by-email"),
    ),
    "pause-asked": _asks("pause-asked", _vote(Pausing(date(2027, 1, 2)), 3)),
    "consent-asked": _asks("consent-asked", _vote(_TakingBack(typed="build K10 SW-NE; J11 SW-NE"), 3)),
    "end-asked": _asks("end-asked", _vote(EndingEarly(), 3)),
    "vote-asked": _asks("vote-asked", _vote(EndingEarly(), 3)),
    "remove-asked": _asks("remove-asked", _vote(Removal(3), 2)),
    "not-agreed": letter(
        "not-agreed", Own(vote=_vote(_TakingBack(typed="issue 2"), 3), person="Davi"), asked("move_goods", "brown")
    ),
    "game-ending": news(
        GameEnding(), game=game(asked("move_goods", "brown"), stops_at=START + timedelta(days=20))
    ),
    "resigned": news(Resigned("Davi", "resigned")),
    "removed": news(Removed("Ana", "removed"), seat=""),
    "substitute-wanted": _offer(),
    "substitute-wanted-host": _offer(to_host=True),
    "seat-taken": news(SeatTaken("Davi"), links=links(seat=f"{ROOT}/s/{TOKEN}")),
    "test": letter(
        "test", Own(deliveries=f"{ROOT}/letters"), moments()[0], game=None, seat="", thread_id="", links=Links(),
    ),
    "mail-returned": letter(
        "mail-returned", Own(person="Davi", seat="brown", why=say("There is no such mailbox.")),
        asked("move_goods", "brown"),
    ),
    "mail-returned-invitation": before_start(
        "mail-returned", Own(person="Davi", seat="", why=say("There is no such mailbox.")), unstarted()
    ),
    "submission-stuck": news(
        SubmissionStuck("Davi", "operator", "submission", 17), seat="", to="olga@example.org", name="Olga"
    ),
    "submission-stuck-host": news(SubmissionStuck("Davi", "host", "submission", 17)),
    "submission-stuck-order": news(SubmissionStuck("Davi", "operator", "order", 4)),
    "account-deleted": about_no_game("account-deleted", AccountDeleted(), links=Links(lobby=f"{ROOT}/")),
    "account-deleted-operator": about_no_game(
        "account-deleted", AccountDeleted(by_operator=True), links=Links(lobby=f"{ROOT}/")
    ),
    "webhook-stopped": about_no_game(
        "webhook-stopped",
        Own(
            host="discord.com", why="The answer was 404: there is no such webhook any more.",
            game="Slow train to Duluth", page=f"{ROOT}/account/notifications",
        ),
    ),
    "map-withdrawn": about_no_game(
        "map-withdrawn",
        Own(name="Douro", reason="The names are those of a published map.", key="q2w3e4r5t6y7",
            page=f"{ROOT}/maps/play/q2w3e4r5t6y7"),
    ),
    "map-report": about_no_game(
        "map-report",
        Own(name="Douro", key="q2w3e4r5t6y7", number=3, games=34, failed=False,
            page=f"{ROOT}/maps/play/q2w3e4r5t6y7/balance?version=3"),
    ),
    "game-over": _over(),
    "game-over-early": _ended_early(),
    "game-over-operator": replace(_ended_early(), own=Own(**vars(_over().own) | {"by_operator": True})),
    "review": _reviewed(),
    "guest-game": about_no_game(
        "guest-game", Own(title="Rust Belt", map="Rust Belt", link=f"{ROOT}/p/{TOKEN}"), links=Links(),
    ),
    "guest-game-lesson": about_no_game(
        "guest-game", Own(title="First game", map="Pittsburgh", link=f"{ROOT}/p/{TOKEN}", lesson=True), links=Links(),
    ),
    "lesson": _lesson("issue_shares", "shares", 2, "issue 2", "issue 1", "issue 5"),
    "lesson-right": _lesson(
        "turn_order", "bid", 3, "bid 1", "drop", "bid 5", back=_back(_answers("issue 2")[0], "shares")
    ),
    "lesson-again": _lesson(
        "turn_order", "bid", 3, "bid 1", "drop", again=True, back=_back(_answers("bid 1", "issue 0")[1], "bid")
    ),
    "lesson-build": _lesson(
        "build_track", "build", 5, "build K10 SW-NE; J11 SW-NE", "build K10 SW-NE", "build nothing",
        back=_back(_answers("bid 1", "issue 0")[1], "action", own=False),
    ),
    "lesson-out": _lesson(
        "build_track", "build", 5, "build K10 SW-NE", back=_back(OUT, "action"),
        void=VoidView("build N7 N-S", "The build now costs $5; it was given for $2 (P5)."),
    ),
    "game-over-lesson": _lesson_over(),
    "seat-at-table": about_no_game(
        "seat-at-table",
        Own(title="Four winters", map="Poland", turn_time=timedelta(days=3), link=f"{ROOT}/sit/{TOKEN}"),
        links=Links(),
    ),
    "league-invitation": about_no_game(
        "league-invitation",
        Own(
            title="Winter league", host="Hana", knockout=False, maps=("Germany", "Poland"), tables_of=4, games=2,
            seasons=3, turn_time=timedelta(days=3), begins=START + timedelta(days=9), robots_only=False, unread=False,
            link=f"{ROOT}/l/{TOKEN}", page=f"{ROOT}/leagues/k7m2", full_at=0,
        ),
        links=Links(
            lobby=f"{ROOT}/", account=f"{ROOT}/account", reply="orders+x@play.example.org",
            unsubscribe=f"{ROOT}/u/{TOKEN}",
        ),
    ),
    "league-invitation-cup": about_no_game(
        "league-invitation",
        Own(
            title="Winter league", host="Hana", knockout=True, maps=("Germany", "Poland"), tables_of=4, games=1,
            seasons=3, turn_time=timedelta(days=3), begins=START + timedelta(days=9), robots_only=False, unread=False,
            link=f"{ROOT}/l/{TOKEN}", page=f"{ROOT}/leagues/k7m2", full_at=16,
        ),
        links=Links(
            lobby=f"{ROOT}/", account=f"{ROOT}/account", reply="orders+x@play.example.org",
            unsubscribe=f"{ROOT}/u/{TOKEN}",
        ),
    ),
    "league-news": about_no_game(
        "league-news",
        Own(
            league="Winter league", page=f"{ROOT}/leagues/k7m2", link=f"{ROOT}/l/{TOKEN}", what="ends", knockout=False,
            season=1, seasons=3, division=2, goes_on=START + timedelta(days=16), further=True, full_at=0,
            lines=(
                LeagueLine(1, "Davi", 6, 2, False), LeagueLine(2, "Ana", 4, 0, True),
                LeagueLine(3, "Clara", 1, 0, False),
            ),
        ),
    ),
    "league-news-cup": about_no_game(
        "league-news",
        Own(
            league="Winter league", page=f"{ROOT}/leagues/k7m2", link=f"{ROOT}/l/{TOKEN}", what="joined", knockout=True,
            season=0, seasons=1, division=0, goes_on=START + timedelta(days=16), further=True, full_at=16, lines=(),
        ),
    ),
    "login": letter(
        "login", Own(link=f"{ROOT}/login/{TOKEN}", expires=now(moments()[0]) + timedelta(minutes=20)), moments()[0],
        game=None, seat="", thread_id="", links=Links(),
    ),
}  # fmt: skip
"""One letter of every kind, and one of your-turn for every form of question."""
