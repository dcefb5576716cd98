"""Letters as the service would fill them, one of every kind, for the tests of letters."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.engine.events import Told
from pbem.engine.sheet import Question
from pbem.engine.text import Say, Who, Word, say
from pbem.views import ChoiceLink, GameView, LetterView, Links, MoveView, SeatView
from tests.mail.fake import BID, BUILD, MOVE, SEATS, SHEET, STANDINGS

NOW = datetime(2026, 11, 26, 20, 51, tzinfo=UTC)
ROOT = "https://play.example.org"
TOKEN = "Q1GaAEe9ty7bZjZmteutfH-zsSSe.aScB5w._wEMVyMkZp98LZwBNXx"
NAMES = dict(zip(SEATS, ("Davi", "Chloé", "Eva", "Ana", "Ben"), strict=True))


def told(kind: str, seat: str, sentence: Say, **fields: object) -> Told:
    return Told(kind, ({"seat": seat} if seat else {}) | fields, sentence)


def move(number: int, seat: str, phase: str, orders: str, *events: Told, cause: str = "player") -> MoveView:
    return MoveView(number, seat, 5, phase, orders, cause, events, NOW - timedelta(hours=60 - number))


def shares(number: int, seat: str, n: int) -> MoveView:
    sentence = say("{player} issued {n} shares.", player=Who(seat), n=n)
    return move(number, seat, "issue_shares", f"issue {n}", told("Issued", seat, sentence))


def bid(number: int, seat: str, n: int) -> MoveView:
    return move(
        number, seat, "turn_order", f"bid {n}", told("BidMade", seat, say("{player} bid ${n}.", player=Who(seat), n=n))
    )


def built(number: int, seat: str, hexes: str, price: int, cause: str = "player") -> MoveView:
    sentence = say("{player} built {hexes} for ${price}.", player=Who(seat), hexes=hexes, price=price)
    return move(number, seat, "build_track", "build F15 N-S", told("BuildEnded", seat, sentence), cause=cause)


SINCE = (
    shares(40, "brown", 1),
    shares(41, "yellow", 0),
    bid(42, "brown", 1),
    bid(43, "yellow", 2),
    built(44, "brown", "3 tiles on F15, N17 and P17", 10),
    built(45, "yellow", "4 tiles on G6, H5, C2 and E0", 8),
)
LAST = (
    move(
        200,
        "purple",
        "move_goods",
        "move blue K12 > L8",
        told("Delivered", "purple", say("{p} delivered {c}: {p} +{n}.", p=Who("purple"), c=Word("blue"), n=4)),
        told("IncomeCollected", "", say("Income: {p} ${n}.", p=Who("brown"), n=30)),
        told("CubesGrew", "", say("Chicago receives {c}.", c=Word("red"))),
        told("CubesGrew", "", say("Toledo (D) receives {c}.", c=Word("black"))),
    ),
)
MISSED = (
    move(
        46,
        "pink",
        "build_track",
        "build nothing",
        told("BuildEnded", "pink", say("{player} built no track.", player=Who("pink"))),
        cause="deadline",
    ),
)


def seats(**status: str) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(n, seat, NAMES[seat], status.get(NAMES[seat], "accepted"), n == 3) for n, seat in enumerate(SEATS)
    )


def game(**changes: Any) -> GameView:
    values: dict[str, Any] = {
        "id": "k7m2", "title": "Slow train to Duluth", "sheet": SHEET, "options": {"reduction": "first"},
        "status": "running", "seats": seats(), "version": 46, "state": object(), "turn_time": timedelta(days=3),
        "opened_at": NOW - timedelta(days=43), "started_at": NOW - timedelta(days=42), "ended_at": None,
        "waiting_for": "pink", "waiting_since": NOW, "deadline": NOW + timedelta(days=3),
        "commitment": "9d35fcc3cd2840ffc6806f98b9ea8419bd8368e1fd723e4cdd131e5a7f31096b", "seed": "", "log": (),
    }  # fmt: skip
    return GameView(**(values | changes))


def unstarted(**changes: Any) -> GameView:
    guests = tuple(replace(seat, seat="") for seat in seats(Ana="invited", Davi="invited", Chloé="invited"))
    empty: dict[str, Any] = {"status": "open", "seats": guests, "version": 0, "state": None, "started_at": None}
    return game(**({**empty, "waiting_for": "", "deadline": None, "commitment": ""} | changes))


def links(**more: str) -> Links:
    return Links(
        game=f"{ROOT}/games/k7m2",
        map=f"{ROOT}/maps/rust_belt",
        unsubscribe=f"{ROOT}/u/{TOKEN}",
        **more,
    )


def letter(kind: str, **changes: Any) -> LetterView:
    values: dict[str, Any] = {
        "id": 7, "kind": kind, "to": "ana@example.org", "name": "Ana", "now": NOW, "links": links(), "game": game(),
        "seat": "pink", "message_id": f"<k7m2.p3.v46.{kind}.7@play.example.org>", "thread_id": "<k7m2.p3@play.example.org>",
        "zone": "Europe/Lisbon",
    }  # fmt: skip
    return LetterView(**(values | changes))


def asked(kind: str, question: Question, **changes: Any) -> LetterView:
    choices = tuple(
        ChoiceLink(choice, f"{ROOT}/t/{TOKEN}?order={choice.order.replace(' ', '+').replace('>', '%3E')}")
        for choice in question.choices
    )
    asking = {"since": SINCE, "links": links(turn=f"{ROOT}/t/{TOKEN}")}
    return letter(kind, question=question, choices=choices, **(asking | changes))


def unstarted_letter(kind: str, **changes: Any) -> LetterView:
    addresses = Links(
        accept=f"{ROOT}/i/{TOKEN}?answer=accept",
        decline=f"{ROOT}/i/{TOKEN}?answer=decline",
        map=f"{ROOT}/maps/rust_belt",
        game=f"{ROOT}/games/k7m2",
        unsubscribe=f"{ROOT}/u/{TOKEN}",
    )
    return letter(kind, **({"game": unstarted(), "seat": "", "host_name": "Ana", "links": addresses} | changes))


REFUSED = asked(
    "refused",
    BUILD,
    since=(),
    text="# for the north\nbuild L15 NE-NW; K14 SE-SW; S12 N-NW\nmove black Chicago to Toledo",
    sentence="S12 N-NW costs $3, and after the first two steps you have $1 (R24).",
    line=2,
    step=3,
)

LETTERS: dict[str, LetterView] = {
    "invitation": unstarted_letter("invitation", to="ben@example.org", name="Ben"),
    "declined": unstarted_letter(
        "declined", text="Ben", game=unstarted(seats=tuple(replace(s, seat="") for s in seats(Ben="declined", Eva="invited")))
    ),
    "cancelled": unstarted_letter("cancelled", game=unstarted(status="cancelled"), name="Ben"),
    "game-started": letter("game-started", links=links(seat=f"{ROOT}/s/{TOKEN}"), thread_id="<k7m2.p3.v46.game-started.7@play.example.org>"),
    "your-turn-build": asked("your-turn", BUILD),
    "your-turn-bid": asked("your-turn", BID),
    "your-turn-move": asked("your-turn", MOVE),
    "reminder": asked("reminder", BUILD, now=NOW + timedelta(days=2)),
    "refused": REFUSED,
    "default-played": letter("default-played", text="build nothing", since=(*SINCE, *MISSED), game=game(deadline=None, waiting_for="brown")),
    "game-over": letter(
        "game-over",
        since=LAST,
        links=links(archive=f"{ROOT}/archive", record=f"{ROOT}/games/k7m2/record.json"),
        game=game(
            status="over", ended_at=NOW, deadline=None, waiting_for="", standings=STANDINGS, version=201,
            seed="5b1f0c8e6d3a94277ac0e5d18f42b69013fe7ad96c25b8e04d7f31a9c06e8b52",
        ),
    ),
    "login": letter(
        "login", game=None, seat="", thread_id="", expires=NOW + timedelta(minutes=20),
        links=Links(login=f"{ROOT}/login/{TOKEN}"),
    ),
}  # fmt: skip
"""One letter of every kind, three of your-turn."""
