"""Whole games by reply alone: every order is chosen from the text of the email that asks and from the rules.

The emails are written and the replies read by what production writes and reads them with; only the rows are missing.
"""

import random
from collections.abc import Mapping
from email.message import EmailMessage

from typing_extensions import override

from pbem.demo.replier import Replier, answers
from pbem.engine import Sheet, State
from pbem.engine.chance import SeededChance
from pbem.language import reading
from pbem.language.position_letters import ReadLetter
from pbem.mail.compose import compose
from pbem.robot.trying import after
from pbem.robot.walks import NOTHING
from pbem.service.email_in.replies import FORM
from pbem.service.turns import orders
from pbem.service.turns.plain_orders import PlainReader
from pbem.views.games import MoveView
from pbem.views.letters import LetterView
from tests.every_map.games import MOST_ORDERS, deal, seed_of
from tests.every_map.position_texts import LANGUAGES, NAMES
from tests.mail.arriving import arrived
from tests.mail.asking import Mailing, check_text, move_view
from tests.mail.test_samples import read_by

PLAIN_NAMES = ("Ann", "Ben", "Cleo", "Davi", "Eva", "Finn")
ODD = 3
"""Every so many games have players with names that could be taken for something else."""
AHEAD = 0.2
"""The chance that a reply says what follows as well."""
SEVERAL = 0.3
"""The chance that of several links with numbers two are built in one order, where they can be."""


class Robot(Replier):
    """A robot of the demo that hands its reply over."""

    def __init__(self, name: str, number: int, luck: random.Random) -> None:
        super().__init__(name, f"robot{number}@demo.invalid", number, 0, luck)
        self.luck, self.reply = luck, EmailMessage()

    @override
    def _send(self, message: EmailMessage, to: str) -> None:
        self.reply = message

    @override
    def _orders(self, text: str, read: ReadLetter, seat: str, *, ahead: bool) -> str:
        return self._several(text, read, seat) or super()._orders(text, read, seat, ahead=ahead)

    def _several(self, text: str, read: ReadLetter, seat: str) -> str:
        """Two links by their numbers, now and then."""
        builds = [(n, order) for n, order in answers(text) if order.startswith("build ") and order != NOTHING]
        if len(builds) < 2 or self.luck.random() > SEVERAL:
            return ""
        (first, build), (second, other) = self.luck.sample(builds, 2)
        both = f"{build}; {other.removeprefix('build ')}"
        return f"build {first}; {second}" if after(read.sheet, read.position.state, seat, both) else ""


def names_of(state: State, number: int) -> dict[str, str]:
    return dict(zip(state.seats, PLAIN_NAMES if number % ODD else NAMES, strict=False))


class Post:
    """The emails of one game, and its players, who answer them."""

    def __init__(self, sheet: Sheet, number: int, names: Mapping[str, str]) -> None:
        self.sheet, self.names = sheet, names
        self.log: list[MoveView] = []
        self._number = number
        self._robots = {seat: Robot(name, n, random.Random(number + n)) for n, (seat, name) in enumerate(names.items())}

    @property
    def mailing(self) -> Mailing:
        """In one language after the other."""
        language = LANGUAGES[(self._number + len(self.log)) % len(LANGUAGES)]
        return Mailing(self.sheet, self.names, self.log, language)

    def ordered(self, view: LetterView) -> orders.Sorted:
        """What the reader of an email orders by reply, as the rules judge it; the email is checked."""
        assert view.game is not None
        email, robot, state = arrived(compose(view, None)), self._robots[view.seat], view.game.state
        check_text(view, str(email.get_content()).replace("\r\n", "\n"))
        ahead = view.asked is not None and len(self.names) > 1 and robot.luck.random() < AHEAD
        robot.answer(email, ahead=ahead)
        with reading(view.envelope.language):
            reader = PlainReader(self.sheet, state, self.names, numbered=view.asked is not None)
            made = read_by(reader, robot.reply.as_bytes(), () if view.asked else FORM)
        assert made.keys() == {"orders"}, f"{made} was made of {robot.reply}"
        moves = self.sheet.parse(state, str(made["orders"]), self.names)
        return orders.sort(self.sheet, state, view.seat, moves, strict=view.asked is not None)


def play_by_reply(sheet: Sheet, number: int) -> int:
    """One game to its end, every email checked; its orders. The number of players and the first language go with its
    number. Raises ``AssertionError`` for a text that is not exact, ``Refused`` for a reply that cannot be played."""
    counts = sheet.player_counts()
    state = deal(sheet, number, counts[number % len(counts)])
    post, planned = Post(sheet, number, names_of(state, number)), 0
    while not sheet.over(state):
        assert len(post.log) < MOST_ORDERS, f"the game has not ended after {MOST_ORDERS} orders"
        turn, question = sheet.turn(state), sheet.question(state)
        if turn > planned:
            planned = turn
            for plan in filter(None, (post.mailing.planning(state, seat) for seat in state.seats)):
                post.ordered(plan)
        moves = tuple(tried.move for tried in post.ordered(post.mailing.asking(state)).moves)
        step = sheet.play(state, question.seat, moves, SeededChance(seed_of(number), sheet.place(state)))
        entry = move_view(len(post.log) + 1, question, turn, "\n".join(map(str, moves)), step.events)
        post.log.append(entry)
        state = step.state
    return len(post.log)
