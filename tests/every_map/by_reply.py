"""Whole games by reply alone: every order is chosen from the text of the email that asks and from the rules.

The emails are written and the replies read by what production writes and reads them with; only the rows are missing.
"""

import random
from email.message import EmailMessage

from typing_extensions import override

from pbem.demo.replier import Replier, answers
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Sheet, State
from pbem.language import reading
from pbem.language.position_letters import ReadLetter
from pbem.mail.compose import compose
from pbem.robot.trying import after
from pbem.robot.walks import NOTHING
from pbem.service.turns.plain_orders import PlainReader
from pbem.views.games import MoveView
from tests.every_map.games import MOST_ORDERS, deal, seed_of
from tests.every_map.position_texts import LANGUAGES, NAMES
from tests.mail.arriving import arrived
from tests.mail.asking import asking, check_text, move_view
from tests.mail.test_samples import read_by

PLAIN_NAMES = ("Ann", "Ben", "Cleo", "Davi", "Eva", "Finn")
ODD = 3
"""Every so many games have players with names that could be taken for something else."""
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


def play_by_reply(sheet: Sheet, number: int) -> int:
    """One game to its end, every email checked; its orders. The number of players and the first language go with its
    number. Raises ``AssertionError`` for a text that is not exact and for a reply that cannot be played."""
    counts = sheet.player_counts()
    state, log = deal(sheet, number, counts[number % len(counts)]), list[MoveView]()
    names = names_of(state, number)
    robots = {seat: Robot(name, n, random.Random(number + n)) for n, (seat, name) in enumerate(names.items())}
    while not sheet.over(state):
        assert len(log) < MOST_ORDERS, f"the game has not ended after {MOST_ORDERS} orders"
        question, turn = sheet.question(state), sheet.turn(state)
        language = LANGUAGES[(number + len(log)) % len(LANGUAGES)]
        view = asking(sheet, state, names, log, language)
        email = arrived(compose(view, None))
        check_text(view, str(email.get_content()).replace("\r\n", "\n"))
        robot = robots[question.seat]
        robot.answer(email)
        with reading(language):
            made = read_by(PlainReader(sheet, state, names), robot.reply.as_bytes())
        assert made.keys() == {"orders"}, f"{made} was made of {robot.reply}"
        orders = str(made["orders"])
        chance = SeededChance(seed_of(number), sheet.place(state))
        step = sheet.play(state, question.seat, sheet.parse(state, orders, names), chance)
        log.append(move_view(len(log) + 1, question, turn, orders, step.events))
        state = step.state
    return len(log)
