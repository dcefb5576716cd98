"""Several actions of one turn, chosen one after the other and sent together: until then they stand in the address."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import request, url_for

from pbem.engine import BadMove, Question, Refused, Say, Sheet, State, Step, replace
from pbem.engine.events import tell, told
from pbem.language import orders as spoken_orders
from pbem.views.games import GameView
from pbem.web.base.forms import ADDRESS
from pbem.web.boards.pictures import in_game, map_picture
from pbem.web.turns import questions
from pbem.web.turns.addresses import Addresses, TrialAddresses, turn_page
from pbem.web.turns.opened import OpenedPage

SEED = "00000000"
"""Of the trial whose pictures show the board with what was chosen; nothing that is drawn in it is shown."""
MOST = 8


@dataclass(frozen=True, slots=True)
class ChosenAction:
    """An action that was chosen and not sent. ``told``: what it would bring about, empty where nothing of it is known;
    ``change``: where that is undone.
    """

    order: str
    title: Say
    told: tuple[Say, ...]
    change: str


@dataclass(frozen=True, slots=True)
class Several:
    """What pages show of it. ``later``: how many questions of the turn follow the one that is asked; ``at``: where
    choices are sent to, which plays nothing, and all of them together; ``problem``: why some were left out."""

    lines: tuple[ChosenAction, ...]
    later: int
    at: str
    problem: str = ""

    @property
    def orders(self) -> tuple[str, ...]:
        return tuple(line.order for line in self.lines)


@dataclass(frozen=True, slots=True)
class Choosing:
    """Whoever has chosen actions and is asked for the next one; its pages are those of other questions.

    ``game``: as it would stand after what was chosen, as far as that is known.
    """

    asked: OpenedPage
    game: GameView
    lines: tuple[ChosenAction, ...]
    problem: str

    @property
    def addresses(self) -> Addresses:
        game, token, chosen = self.asked.game, self.asked.token, tuple(line.order for line in self.lines)
        trial = TrialAddresses(game.id, "turn", {"token": token}, game.version, SEED, chosen)
        picture = trial.picture if chosen else in_game(game.id, game.version)
        return Addresses(turn_page(token, chosen=list(chosen)), picture)

    def besides(self) -> dict[str, Any]:
        """No orders follow in lists of their own: the next action is asked for like this one."""
        return {"then": None} if self.lines else dict(self.asked.besides())

    def page(self, template: str, **values: Any) -> str:
        at = url_for("turns.turn", token=self.asked.token)
        later = max(_asked_for(self.game.sheet, self.game.state, self.asked.claim.seat) - 1, 0)
        trying = {"try_at": ""} if self.lines else {}
        several = Several(self.lines, later, at, self.problem)
        return self.asked.page(template, self.game, answer_at=self.addresses.page, several=several, **trying, **values)


def page(asked: OpenedPage, question: Question) -> str | None:
    """The page of a question after the actions in the address, or of sending them all.

    ``None`` where the question is not one of several actions. Actions that cannot be played are left out with what
    follows them, and the page says why.
    """
    given, seat, sheet = request.args.getlist("chosen")[:MOST], asked.claim.seat, asked.game.sheet
    choosing = _chosen(asked, given if sum(map(len, given)) <= ADDRESS else [])
    if not choosing.lines and not (question.kinds and _asked_for(sheet, asked.game.state, seat) > 1):
        return None
    state = choosing.game.state
    if _is_asked(sheet, state, seat):
        return questions.ask(choosing, sheet.question(state))
    picture = map_picture(choosing.game, (), choosing.addresses.picture, seat=seat)
    return choosing.page("turn_ready.html", seat=seat, picture=picture, scene=sheet.scene(state))


def _chosen(asked: OpenedPage, given: list[str]) -> Choosing:
    game, seat = asked.game, asked.claim.seat
    lines: tuple[ChosenAction, ...] = ()
    for text in given:
        if not _is_asked(game.sheet, game.state, seat):
            break
        try:
            line, after = _one(asked, game, text, tuple(line.order for line in lines))
        except BadMove as bad:
            return Choosing(asked, game, lines, bad.sentence().read(game.voice))
        except Refused as refused:
            return Choosing(asked, game, lines, refused.refusal.sentence(game.voice))
        if line is None:
            return Choosing(asked, asked.game, (), "")
        lines, game = (*lines, line), after
    return Choosing(asked, game, lines, "")


def _one(asked: OpenedPage, game: GameView, text: str, before: tuple[str, ...]) -> tuple[ChosenAction | None, GameView]:
    """One action and the game after it; ``None`` where the game does not foresee what follows.

    Raises ``BadMove`` and ``Refused``.
    """
    sheet, state, seat = game.sheet, game.state, asked.claim.seat
    moves = spoken_orders.parse(sheet, state, text, game.names)[:1]
    step = sheet.foreseen(state, seat, moves)
    if step is None:
        return None, game
    question, order = sheet.question(state), str(moves[0])
    choice = next((choice for choice in question.choices if choice.order == order), None)
    kind = next((kind.title for kind in question.kinds if kind.word == order.partition(" ")[0]), question.act)
    back = turn_page(asked.token, chosen=list(before))()
    line = ChosenAction(order, choice.title if choice else kind, tuple(_told(step, seat)), back)
    return line, replace(game, state=step.state)


def _told(step: Step[State], seat: str) -> Iterator[Say]:
    """What the player would read of it, but for what happens when the turn has gone on."""
    for event in step.events:
        found = told(tell(event))
        if found.open_to(seat) and found.fields.get("seat", seat) == seat:
            yield found.say


def _is_asked(sheet: Sheet, state: State, seat: str) -> bool:
    return bool(sheet.to_act(state) == seat)


def _asked_for(sheet: Sheet, state: State, seat: str) -> int:
    """How many questions in a row the seat answers from here on, if each is answered as when time ends."""
    count = 0
    while count < MOST and _is_asked(sheet, state, seat):
        step = sheet.foreseen(state, seat, (sheet.default(state),))
        count += 1
        if step is None:
            break
        state = step.state
    return count
