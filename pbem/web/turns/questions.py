"""The pages on which a question is answered, wherever that leads: buttons, deliveries, boxes, building."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from flask import request

from pbem.engine import BadMove, Move, Question, Refused, Say, Seat, say
from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.moves import placed
from pbem.language import current, orders
from pbem.views.games import GameView
from pbem.web.base.forms import ADDRESS, ORDERS, argument, field
from pbem.web.boards.drafts import split
from pbem.web.boards.pictures import Picture, map_picture
from pbem.web.turns import build, deliver, then
from pbem.web.turns.addresses import Addresses
from pbem.web.turns.boxes import BoxesPage
from pbem.web.turns.build import BuildPage
from pbem.web.turns.deliver import DeliverPage

FEW = 9
"""So many choices are shown as buttons instead."""


@dataclass(frozen=True, slots=True)
class Check:
    """``words``: why not when ``bad``, else the orders in canonical notation."""

    bad: bool
    words: str
    moves: tuple[Move, ...] = ()


class Answering(Protocol):
    """Who is asked something: the game at that moment, where its pages are, and what they share."""

    @property
    def game(self) -> GameView: ...
    @property
    def addresses(self) -> Addresses: ...
    def page(self, template: str, **values: Any) -> str: ...
    def besides(self) -> Mapping[str, Any]:
        """What the pages of whole questions show besides."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Typed orders to be given back, with what the rules say to them."""

    text: str = ""
    check: Check | None = None


def ask(asking: Answering, question: Question, typed: Typed | None = None) -> str:
    """The page of the question; ``typed``: instead of what the address says."""
    game = asking.game
    typed = typed or _typed(game, question)
    if question.form == "build" or (question.builder and argument("build") == "1"):
        return _build(asking, question, typed)
    picture = _board(asking, question)
    match question.form:
        case "deliver":
            page = DeliverPage(game, question, asking.addresses, deliver.Wish.read())
            return _asking(asking, question, typed, "turn_deliver.html", page.values())
        case "boxes" if len(question.choices) > FEW and BoxesPage.is_for(question):
            boxes = BoxesPage(question, asking.addresses, str(game.sheet.default(game.state)))
            return _asking(asking, question, typed, "turn_boxes.html", {"picture": picture, **boxes.values()})
    if question.kinds:
        values = {"picture": picture, "prospects": game.sheet.prospects(game.state)}
        return _asking(asking, question, typed, "turn_kinds.html", values)
    return _asking(asking, question, typed, "turn_choices.html", {"picture": picture})


def confirm(asking: Answering, question: Question, order: str) -> str:
    choice = next((choice for choice in question.choices if choice.order == order), None)
    voice = asking.game.voice
    title = choice.title.read(voice) if choice else ""
    title = title[:1].upper() + title[1:]
    values = {
        "picture": _board(asking, question),
        "order": order,
        "choice": choice,
        "heading": f"{title}?" if title else say("Send this order?"),
        "button": title or say("Send this order"),
        "verdict": check(asking.game, question.seat, order),
        "others": [other for other in question.choices[:6] if other is not choice],
    }
    return _asking(asking, question, Typed(), "turn_simple.html", values)


def _board(asking: Answering, question: Question) -> Picture:
    return map_picture(asking.game, (), asking.addresses.picture, seat=question.seat)


def wished() -> str:
    """The orders a form of these pages sends: typed ones, a choice beside the list, or its main ones."""
    if field("send", default="") == "typed":
        return field("typed", longest=ORDERS)
    follows = then.wished()
    answer = field("instead", longest=ORDERS, default="") or field("orders", longest=ORDERS)
    return f"{answer}\n{follows}" if follows else answer


def _asking(
    asking: Answering, question: Question, typed: Typed, template: str, values: Mapping[str, Any], spent: int = 0
) -> str:
    """``spent``: dollars of the order that is put together on the page."""
    sheet, state = asking.game.sheet, asking.game.state
    shared = {
        "question": question,
        "money": sheet.balance(state, question.seat, spent),
        "text": typed.text,
        "check": typed.check,
        "scene": sheet.scene(state),
    }
    return asking.page(template, **shared, **asking.besides(), **values)


def _typed(game: GameView, question: Question) -> Typed:
    text = argument("typed", longest=ORDERS).strip()
    return Typed(text, check(game, question.seat, text)) if argument("check") == "1" else Typed()


def _build(asking: Answering, question: Question, typed: Typed) -> str:
    note: Say | None = None
    steps = typed.text if typed.check else request.args.get("steps", "")
    if len(steps) > ADDRESS:
        most = current().number(ADDRESS)
        steps, note = "", say("The draft in this address is longer than {n} characters and was ignored.", n=most)
    by_price = argument("by") == build.BY_PRICE
    whole = steps.strip().lower() in ("build nothing", "done", "build done")
    wish = build.Wish(() if whole else split(steps), argument("hex"), argument("new"), by_price)
    page = BuildPage(asking.game, asking.addresses, wish, beside=question.form != "build")
    shown = Typed(typed.text or page.draft.order, typed.check)
    return _asking(asking, question, shown, "turn_build.html", {"note": note, **page.values()}, page.draft.price)


def check(game: GameView, seat: Seat, text: str) -> Check:
    try:
        moves = orders.parse(game.sheet, game.state, text, game.names)
        game.sheet.play(game.state, seat, moves, SeededChance(NO_SEED, "check"))
    except (BadMove, Refused) as error:
        return Check(True, why(game, error))
    return Check(False, "; ".join(map(str, moves)), moves)


def why(game: GameView, error: BadMove | Refused) -> str:
    """Why orders cannot be played, with the place where they fail."""
    if isinstance(error, BadMove):
        return error.sentence().read(game.voice)
    refusal = error.refusal
    return placed(refusal.sentence(game.voice), error.line, refusal.step, refusal.whole).read(game.voice)
