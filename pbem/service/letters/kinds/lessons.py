"""Letters of lessons: the question of the position, what kind of decision it is, and what answers lead to."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from pbem.engine import Say, State, Value, say
from pbem.robot import tutor
from pbem.robot.tutor import Answer, Ending
from pbem.service.base.queries import WHOLE_LOG, LogPart
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Timing
from pbem.service.letters.kinds.questions import YourTurn
from pbem.store.statuses import MoveCause
from pbem.views.games import MoveView
from pbem.views.lessons import TOPICS, WORDS, topic_of

DELIVERY = "move"


class AnswerValues(Value):
    """An answer that is compared with others, with how the game ends after it, played on in thought.

    ``typed``: the order as it is typed most shortly; ``less``: how many points worse that is than after the best one,
    seen from the best of the other players; ``link``: the page that asks to confirm it.
    """

    order: str
    typed: str
    title: Say | None
    effect: Say | None
    why: Say | None
    ending: Ending
    less: int
    link: str


class LookBack(Value):
    """What came of the last decision of the reader's seat.

    ``chosen``: what was played; ``own``: by the reader; ``best``: the best answer there was; ``now``: points as if the
    game ended now; ``topic``: what it was about.
    """

    chosen: AnswerValues
    own: bool
    best: AnswerValues
    now: int | None
    topic: str


class LessonTurn(YourTurn):
    kind, title = "lesson", say("first game")
    timing, thoughtful = Timing.ANY_HOUR, True

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``topic``: of ``TOPICS``, with its ``words`` and ``number``, from 1; ``again``: the letter before was about
        the same; ``answers``: some that are compared, the best first; ``guide``: where the rules of it stand."""
        view = context.view
        topic = topic_of(view.sheet, view.state, context.colour)
        back = look_back(context)
        return super().values(context) | {
            "topic": topic,
            "words": WORDS[topic],
            "number": TOPICS.index(topic) + 1,
            "of": len(TOPICS),
            "again": back is not None and back.topic == topic,
            "answers": _answers(context, view.state, view.version),
            "back": back,
            "guide": context.addresses.guide(view.sheet.game, view.sheet.phase(view.state)),
        }

    @override
    def log(self, context: Context) -> LogPart:
        return WHOLE_LOG

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        """What has happened since the reader's last orders; nothing of what robots played before the lesson began."""
        own, seat = _last_own(context), context.colour
        if own is None:
            return ()
        after = (move for move in context.view.log if move.number > own.number)
        return own.parted(seat)[1], *after


def look_back(context: Context) -> LookBack | None:
    """What came of the last decision of the reader's seat; ``None`` before the first one."""
    last = _last_own(context)
    if last is None:
        return None
    view, rules = context.view, context.view.sheet
    before = context.position(last.number - 1)
    best, *others = _answers(context, before, None)
    chosen = next((one for one in (best, *others) if one.order == last.orders), None)
    now = next((line.score for line in rules.standings(view.state) if line.seat == context.colour), None)
    return LookBack(
        chosen or _own_answer(context, before, last.orders, best.ending),
        own=last.cause in (MoveCause.PLAYER, MoveCause.STANDING_ORDER),
        best=best,
        now=now,
        topic=topic_of(rules, before, context.colour),
    )


def examples(context: Context) -> tuple[str, ...]:
    return tuple(one.typed for one in _answers(context, context.view.state, None))


def _last_own(context: Context) -> MoveView | None:
    """The last order of the reader's seat that counts, after what robots played before the lesson began."""
    own = (move for move in reversed(context.view.log) if move.seat == context.colour and move.counts)
    return next((move for move in own if move.cause != MoveCause.ROBOT), None)


def _answers(context: Context, state: State, version: int | None) -> tuple[AnswerValues, ...]:
    """Answers to the question of a position; without ``version`` it is past, and they have no links."""
    view = context.view
    found = tutor.answers(view.sheet, state, view.options)
    listed = [choice.order for choice in view.sheet.question(state).choices]
    return tuple(_answer(context, one, found[0].ending, version, listed) for one in found)


def _typed(order: str, listed: Sequence[str]) -> str:
    """A delivery by its number in the list that the page shows: its route is long, and mail programs cut long lines."""
    word = order.partition(" ")[0]
    return f"{word} {listed.index(order) + 1}" if word == DELIVERY and order in listed else order


def _answer(
    context: Context, one: Answer, best: Ending, version: int | None, listed: Sequence[str] = ()
) -> AnswerValues:
    link = "" if version is None else context.addresses.turn(context.game.id, context.colour, version, one.order)
    typed = _typed(one.order, listed)
    return AnswerValues(one.order, typed, one.title, one.effect, one.why, one.ending, best.lead - one.ending.lead, link)


def _own_answer(context: Context, before: State, orders: str, best: Ending) -> AnswerValues:
    """What the reader did that none of the compared answers is."""
    view = context.view
    ending = tutor.ending(view.sheet, before, orders, view.options)
    title = next((one.title for one in view.sheet.question(before).choices if one.order == orders), None)
    return _answer(context, Answer(orders, title, None, None, ending), best, None)
