"""Emails that ask a question or to plan a turn, as the service fills them, and what is true of every one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from pbem.demo.replier import answers
from pbem.engine import Question, Sheet, State, catalog, replace
from pbem.engine.events import Event, tell, told
from pbem.engine.position_text import paragraphs_of
from pbem.language import reading
from pbem.language.position_letters import read_letter
from pbem.language.voice import translated
from pbem.mail.answers import FIRST_ANSWER, NEWS
from pbem.mail.content import log_sentences, table_of
from pbem.mail.voices import TextVoice
from pbem.mail.words import COLUMNS
from pbem.robot.answers import listed
from pbem.service.turns.plain_orders import PlainReader
from pbem.store.statuses import MoveCause, SeatStatus
from pbem.views.games import MoveView, SeatView
from pbem.views.letters import AskedQuestion, LetterView
from pbem.views.log import log_lines, since_own_orders
from tests.every_map.position_texts import LARGEST, board_text_of, text_of
from tests.mail.game import APART, START
from tests.mail.views import LETTERS, REPLY, addressed, turn_page

LARGEST_LETTER = 8_192
"""Bytes of the text part, without the printed board in the first email of a game."""
SEVERAL = 6
"""So many players at most are there when the sizes are measured."""


def move_view(number: int, question: Question, turn: int, orders: str, events: Iterable[Event]) -> MoveView:
    """An entry of the log; ``turn``: in which the question was asked."""
    said, at = tuple(told(tell(event)) for event in events), START + number * APART
    return MoveView(number, question.seat, turn, question.phase, orders, MoveCause.PLAYER, said, at)


@dataclass(frozen=True)
class Mailing:
    """The emails of one game: its players' names by seat, what has happened, and the language of their readers."""

    sheet: Sheet
    names: Mapping[str, str]
    log: Sequence[MoveView] = ()
    language: str = "en"

    def asking(self, state: State) -> LetterView:
        """What is asked in this position."""
        question = self.sheet.question(state)
        answers = listed(self.sheet, state, question)
        return self._about("your-turn-reply", state, question.seat, asked=AskedQuestion(question, turn_page, answers))

    def planning(self, state: State, seat: str) -> LetterView | None:
        """What a player can order for the turn, ``None`` for nothing."""
        plan = self.sheet.turn_plan(state, seat)
        return None if plan is None else self._about("planning", state, seat, own=SimpleNamespace(plan=plan))

    def _about(self, name: str, state: State, seat: str, **said: Any) -> LetterView:
        """An email that is answered by reply, without HTML."""
        first, number = LETTERS[name], state.seats.index(seat)
        assert first.game is not None
        game = replace(
            first.game,
            sheet=self.sheet,
            state=state,
            options=dict(state.options),
            seats=tuple(SeatView(n, seat, self.names[seat], SeatStatus.ACCEPTED) for n, seat in enumerate(state.seats)),
            log=tuple(self.log),
            version=len(self.log),
            waiting_for=self.sheet.to_act(state) or "",
        )
        moves = since_own_orders((move.seen_by(seat) for move in self.log), seat)
        links = replace(first.links, reply=REPLY)
        view = replace(first, game=game, seat=seat, seat_number=number, moves=moves, links=links, **said)
        message_id = f"<{len(self.log)}.{number}@play.example.org>"
        return addressed(view, name=self.names[seat], language=self.language, pictures="text", message_id=message_id)


def first_answer(text: str) -> int:
    """The line in which it begins, from 1."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith("1. "))


def check_text(view: LetterView, text: str) -> None:
    """The text part says everything exactly, first what is needed first, and fits a terminal."""
    assert view.game is not None
    sheet, state, names = view.game.sheet, view.game.state, view.game.names
    assert [line for line in text.splitlines() if len(line) > COLUMNS and "://" not in line] == []
    position = read_letter(text, catalog.sheets()).position
    assert sheet.canonical(position.state, view.seat) == sheet.canonical(state, view.seat)
    assert position.names == names
    with reading(view.envelope.language):
        written = text_of(sheet, state, names, view.seat)
        assert f"\n\n{written}\n\n" in text
        board = board_text_of(sheet)
        assert (f"\n\n{board}\n\n" in text) == (view.game.version == 0)
        if view.asked is not None:
            assert first_answer(text) <= FIRST_ANSWER
            assert _orders(view, text) == [choice.order for choice in view.asked.answers]
            _check_news(view, text)
    if len(names) <= SEVERAL:
        assert len(written.encode()) <= LARGEST
        assert len(text.replace(board, "").encode()) <= LARGEST_LETTER


def _orders(view: LetterView, text: str) -> list[str]:
    """What the answers say as they are printed."""
    assert view.game is not None
    reader = PlainReader(view.game.sheet, view.game.state, view.game.names)
    return ["\n".join(map(str, reader.parse(typed))) for _, typed in answers(text)]


def _check_news(view: LetterView, text: str) -> None:
    """What has happened last stands there in whole sentences, each on a line of its own."""
    table = table_of(view)
    assert table is not None
    said = log_sentences(log_lines(view.moves), TextVoice(table.voice, table.names))
    head = translated("Since your last turn:").removesuffix(":")
    news = next((paragraph.lines for paragraph in paragraphs_of(text) if paragraph.head == head), ())
    sentences = tuple(line for line in news if line in said)
    assert sentences == said[len(said) - len(sentences) :]
    assert len(news) - len(sentences) == (bool(news) and len(sentences) < len(said)), (
        "a line says how many are left out"
    )
    assert len(news) <= NEWS + 1
