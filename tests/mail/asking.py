"""Emails that ask a question, as the service fills them, about any position of any game, and what is true of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.demo.replier import answers
from pbem.engine import catalog
from pbem.engine.events import Event, tell, told
from pbem.engine.position_text import paragraphs_of
from pbem.engine.sheet import Question, Sheet, State
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


def asking(
    sheet: Sheet, state: State, names: Mapping[str, str], log: Sequence[MoveView] = (), language: str = "en"
) -> LetterView:
    """What is asked in this position, to be answered by reply; the email has no HTML."""
    question, first = sheet.question(state), LETTERS["your-turn-build"]
    assert first.game is not None
    game = replace(
        first.game,
        sheet=sheet,
        state=state,
        options=dict(state.options),
        seats=tuple(SeatView(n, seat, names[seat], SeatStatus.ACCEPTED) for n, seat in enumerate(state.seats)),
        log=tuple(log),
        version=len(log),
        waiting_for=question.seat,
    )
    view = replace(
        first,
        game=game,
        seat=question.seat,
        seat_number=state.seats.index(question.seat),
        asked=AskedQuestion(question, turn_page, listed(sheet, state, question)),
        moves=since_own_orders((move.seen_by(question.seat) for move in log), question.seat),
        links=replace(first.links, reply=REPLY),
    )
    return addressed(view, name=names[question.seat], language=language, pictures="text", message_id=f"<{len(log)}@x>")


def first_answer(text: str) -> int:
    """The line in which it begins, from 1."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith("1. "))


def check_text(view: LetterView, text: str) -> None:
    """The text part says everything exactly, first what is needed first, and fits a terminal."""
    assert view.game is not None
    assert view.asked is not None
    sheet, state, names = view.game.sheet, view.game.state, view.game.names
    assert [line for line in text.splitlines() if len(line) > COLUMNS and "://" not in line] == []
    assert first_answer(text) <= FIRST_ANSWER
    position = read_letter(text, catalog.sheets()).position
    assert sheet.canonical(position.state, view.seat) == sheet.canonical(state, view.seat)
    assert position.names == names
    with reading(view.envelope.language):
        written = text_of(sheet, state, names, view.seat)
        assert f"\n\n{written}\n\n" in text
        board = board_text_of(sheet)
        assert (f"\n\n{board}\n\n" in text) == (view.game.version == 0)
        _check_answers(view, text)
        _check_news(view, text)
    if len(names) <= SEVERAL:
        assert len(written.encode()) <= LARGEST
        assert len(text.replace(board, "").encode()) <= LARGEST_LETTER


def _check_answers(view: LetterView, text: str) -> None:
    """Each answer that is listed has its number, and its order as printed is read as this answer."""
    assert view.game is not None
    assert view.asked is not None
    reader = PlainReader(view.game.sheet, view.game.state, view.game.names)
    read = ["\n".join(map(str, reader.parse(typed))) for _, typed in answers(text)]
    assert read == [choice.order for choice in view.asked.answers]


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
