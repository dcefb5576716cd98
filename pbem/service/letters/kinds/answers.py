"""Letters that answer an email which was no orders: with what it asked for, what was done, what is asked back, and why
nothing was done."""

from datetime import date
from itertools import islice
from typing import Any

from typing_extensions import override

from pbem.engine import Choice, Question, say, say_from_json
from pbem.robot import answers, map_answers
from pbem.service.base.queries import LogPart
from pbem.service.letters.kinds import similar
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LAST, LetterKind, Timing
from pbem.views.games import MoveView

MORE = "more"
ENTRIES = 100
"""Entries of the log in one email, the latest; the whole of it is on the page."""
MOST_ANSWERS = 100
"""Answers in one email; of thousands of deliveries the best."""
ORDERS = 30
"""Orders that are listed with the help for a question."""


class Told(LetterKind):
    """What somebody asked for with one word: ``help``, ``status``, ``log``, ``rules`` or ``more``."""

    kind, title = "told", say("answer to a word")
    timing, takes_orders, asks_again = Timing.ANY_HOUR, True, True
    word: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``orders`` that could be sent now, and whether there are ``more`` of them; ``words`` that do something now;
        what the reader has ordered ``ahead``."""
        asked = self.question(context) if self.word == "help" else None
        return {
            "orders": similar.examples(context.view.sheet, context.view.state, asked, ORDERS) if asked else (),
            "more": asked is not None and (len(asked.choices) > ORDERS or asked.form == "build"),
            "words": context.words() if self.word == "help" else (),
            "ahead": context.ahead() if self.word == "status" else (),
        }

    @override
    def answers(self, context: Context, question: Question) -> tuple[Choice, ...]:
        return _all_answers(context, question) if self.word == MORE else super().answers(context, question)

    @override
    def log(self, context: Context) -> LogPart:
        if self.word != "log":
            return LAST
        return LogPart(first=max(0, (context.letter.version or 0) - ENTRIES + 1))

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        return context.view.log if self.word == "log" else ()


class ToldBoard(LetterKind):
    kind, title = "board", say("the board")
    timing, pictured, takes_orders, asks_again = Timing.ANY_HOUR, True, True, True


class Explained(LetterKind):
    """What somebody asked about the board and its places; ``lines``: as they were written, their first words in
    English. With ``more`` among them all answers to the question are listed as well."""

    kind, title = "explained", say("the map explained")
    timing, takes_orders, asks_again = Timing.ANY_HOUR, True, True
    lines: tuple[str, ...]

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``explanations``: one for each line about the board; whether ``more`` was asked for."""
        view = context.view
        about = [line for line in self.lines if not _asks_more(line)]
        return {
            "explanations": tuple(
                map_answers.map_answer(view.sheet, view.state, context.colour, line) for line in about
            ),
            "more": len(about) < len(self.lines),
        }

    @override
    def answers(self, context: Context, question: Question) -> tuple[Choice, ...]:
        more = any(map(_asks_more, self.lines))
        return _all_answers(context, question) if more else super().answers(context, question)


def _asks_more(line: str) -> bool:
    return line.strip(" .!").casefold() == MORE


def _all_answers(context: Context, question: Question) -> tuple[Choice, ...]:
    return tuple(islice(answers.every(context.view.sheet, context.view.state, question), MOST_ANSWERS))


class NotTaken(LetterKind):
    """A reply to ``letter`` with which nothing could be done; ``why``: a sentence, as it is stored."""

    kind, title = "not-taken", say("a reply that could not be used")
    timing = Timing.ANY_HOUR
    letter: int
    why: dict[str, Any]

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"why": say_from_json(self.why)}


class Asked(LetterKind):
    """About ``what`` an email has asked for; ``first``, ``last``: its days, both included; ``vote``: its number."""

    timing = Timing.ANY_HOUR
    what: str
    first: date | None = None
    last: date | None = None
    vote: int | None = None

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"vote": None if self.vote is None else context.vote(self.vote)}


class Done(Asked):
    """It was done: accepted, away, back, undone, resigned, closed (answers from elsewhere), asked (the others), voted,
    kept (nothing was done, as the reader wished). ``orders``: those that were taken back."""

    kind, title = "done", say("what you asked for was done")
    orders: str = ""


class AskedBack(Asked):
    """A word of ``service.email_in.mail_words`` that cannot be undone, or came from elsewhere: it is done when this
    letter is answered with yes. ``sender``: where it came from, if that is no address of the reader."""

    kind, title = "asked-back", say("asks whether you mean it")
    sender: str = ""


class FromElsewhere(LetterKind):
    """Somebody has answered for the reader from another address: told once for each. ``sender``: that address."""

    kind, title = "from-elsewhere", say("an answer from another address")
    timing = Timing.ANY_HOUR
    sender: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"account": f"{context.addresses.account()}#own-mail"}
