"""Orders that can be sent now, for somebody who wrote others: like what was written, or examples of all there are.

Every one of them is legal in the position it is for.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from pbem.engine import Place, Question, Say, Seat, Sheet, State, Typed, say
from pbem.engine.reading import NO_ORDER
from pbem.language import orders as spoken_orders
from pbem.language.voice import GameVoice
from pbem.rails.names import folded
from pbem.robot import trying

MOST = 4
"""Orders like one that was written, at most."""
EXAMPLES = 8
"""Single steps of a build that are listed as examples."""
LIKE = 0.75
"""How much a word has in common with one that is meant, at least (of 1)."""
LONGEST = 300
"""Characters of what was written that are compared."""
MORE = "more"
"""The last step of a build after which more is laid."""
_HEX = re.compile(r"\b[A-Z]{1,2}\d{1,2}\b")


def like(sheet: Sheet, state: State, names: Mapping[Seat, str], text: str, place: tuple[int, int]) -> tuple[str, ...]:
    """Orders that could be played in place of those that could not, the most like them first; nothing for orders that
    are about something else than is asked. ``place``: the line and the step of a build that failed, from 1, or 0."""
    line, step = place
    lines = [one.strip() for one in text.splitlines()]
    written = [one for one in lines if one and not one.startswith("#")]
    if not written or sheet.over(state) or (line > 1 and lines[line - 1] != written[0]):
        return ()
    failed, question = written[0][:LONGEST], sheet.question(state)
    english = spoken_orders.in_english(failed)
    if sheet.placements(state) and (steps := _steps(sheet, state, question.seat, english, step)):
        return steps
    return _choices(sheet, state, names, question, (english, failed))


def with_what_is_allowed(why: Say, sheet: Sheet, state: State, text: str, place: tuple[int, int]) -> Say:
    """Why a step of a build is not possible, and what its hex allows now, in the notation; ``place`` as in
    :func:`like`."""
    line, step = place
    lines = [one.strip() for one in text.splitlines()]
    written = lines[max(line, 1) - 1] if lines and line <= len(lines) else ""
    question = None if sheet.over(state) else sheet.question(state)
    if not written or question is None or not sheet.placements(state):
        return why
    failure = _failure(sheet, state, question.seat, spoken_orders.in_english(written[:LONGEST]), step)
    there = _there(failure) if failure is not None else []
    if failure is None or len(failure.hexes) != 1 or not there:
        return why
    ways = [order.partition(" ")[2].removesuffix(f"; {MORE}") for order in there[:MOST]]
    if len(there) > MOST:
        return say(
            "{why} What {hex} allows now: {ways}, and {n} more.",
            why=why,
            hex=Place(*failure.hexes),
            ways=Typed("; ".join(ways)),
            n=len(there) - MOST,
        )
    return say("{why} What {hex} allows now: {ways}.", why=why, hex=Place(*failure.hexes), ways=Typed("; ".join(ways)))


def examples(sheet: Sheet, state: State, question: Question, most: int) -> tuple[str, ...]:
    """Orders that answer the question, all of them where they are few."""
    orders = [choice.order for choice in question.choices[:most]]
    if (
        question.example not in ("", *orders)
        and trying.after(sheet, state, question.seat, question.example) is not None
    ):
        orders.append(question.example)
    if question.form == "build" or question.builder:
        orders += [order for order in _spread(sheet.placements(state)) if order not in orders]
    return tuple(orders)


def narrowed(sentence: Say, question: Question | None) -> Say:
    """The same refusal naming only the words that answer the question, where it names all words of orders."""
    expected = sentence.values.get("expected")
    if question is None or not (isinstance(expected, Say) and expected.one == NO_ORDER.one):
        return sentence
    words = dict.fromkeys(order.partition(" ")[0] for order in (question.example, *_orders(question)) if order)
    return Say(
        sentence.one,
        {**sentence.values, "expected": Say(expected.one, {"words": tuple(map(Typed, (*words, "cancel")))})},
    )


def _orders(question: Question) -> Iterator[str]:
    return (choice.order for choice in question.choices)


def _spread(placements: Sequence[str], most: int = EXAMPLES) -> Iterator[str]:
    """One step for each hex, a few of them."""
    by_hex = {found[0]: order for order in reversed(placements) if (found := _HEX.search(order))}
    return islice(reversed(by_hex.values()), most)


def _far(order: str, hexes: Collection[str]) -> int:
    """How far the hex of a step is from the nearest of some, about: labels are a letter and a number."""
    here = _HEX.findall(order)
    return min(
        (abs(ord(one[0]) - ord(other[0])) + abs(_number(one) - _number(other)) for one in here for other in hexes),
        default=0,
    )


def _number(label: str) -> int:
    return int(label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _steps(sheet: Sheet, state: State, seat: Seat, failed: str, step: int) -> tuple[str, ...]:
    """Builds with another step on the same hex in place of the one that failed, or on the nearest ones, and the steps
    before it as they are."""
    failure = _failure(sheet, state, seat, failed, step)
    if failure is None:
        return ()
    before, _, hexes, steps = failure
    best = _there(failure) or sorted(_spread(steps, len(steps)), key=lambda order: _far(order, hexes))
    if before:
        best = [f"{before}; {order.partition(' ')[2]}" for order in best]
    legal = (order for order in best if trying.after(sheet, state, seat, order) is not None)
    return tuple(islice(legal, MOST))


class _Failure(NamedTuple):
    """The step of a build that failed: the steps ``before`` it, what was written, its hexes, and the builds with one
    step that are legal in its place."""

    before: str
    part: str
    hexes: set[str]
    steps: Sequence[str]


def _failure(sheet: Sheet, state: State, seat: Seat, failed: str, step: int) -> _Failure | None:
    parts = failed.split(";")
    at = max(0, min(step, len(parts)) - 1)
    before = ";".join(parts[:at])
    after = trying.after(sheet, state, seat, f"{before}; {MORE}") if at else state
    hexes = set(_HEX.findall(parts[at].upper()))
    return None if after is None or not hexes else _Failure(before, parts[at], hexes, sheet.placements(after))


def _there(failure: _Failure) -> list[str]:
    """Those on the same hexes, the most like what was written first."""
    there = [order for order in failure.steps if failure.hexes & set(_HEX.findall(order))]
    return sorted(there, key=lambda order: _unlike(order, failure.part))


def _choices(
    sheet: Sheet, state: State, names: Mapping[Seat, str], question: Question, failed: tuple[str, str]
) -> tuple[str, ...]:
    """Of what can be chosen what is most like the line, if that begins like any of it. ``failed``: the line in the
    notation, and as it was written."""
    english, written = failed
    voice = GameVoice(sheet, state, names)
    titles = {choice.order: choice.title.read(voice) for choice in question.choices}
    orders = sheet.legal(state) or tuple(titles)
    words = spoken_orders.spelled({order.partition(" ")[0] for order in orders})
    first = folded(english.partition(" ")[0])
    meant = {words[word] for word in difflib.get_close_matches(first, words, n=1, cutoff=LIKE)}
    alike = [order for order in orders if order.partition(" ")[0] in meant]
    return tuple(
        sorted(
            alike, key=lambda order: min(_unlike(order, english), _unlike(order, written, str(titles.get(order, ""))))
        )
    )[:MOST]


def _unlike(order: str, written: str, title: str = "") -> tuple[int, float]:
    """How far an order is from what was written, by its ``title`` where there is one: numbers that are one apart are
    near, whatever their digits."""
    ratio = difflib.SequenceMatcher(None, (title or order).casefold(), written.casefold()).ratio()
    number, wanted = re.search(r"\d+$", order), re.search(r"\d+$", written.strip())
    apart = abs(int(number[0]) - int(wanted[0][:9])) if number and wanted else 0
    return apart, -ratio
