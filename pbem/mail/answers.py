"""Numbered answers in the text part of a letter, and what of the news has room above them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pbem.engine import Seat
from pbem.engine.moves import SEATS
from pbem.language.voice import capital
from pbem.mail.words import COLUMNS, fill
from pbem.rails.board import Label
from pbem.rails.names import folded

NEWS, FIRST_ANSWER = 8, 20
"""Lines of what has happened that stand above the answers, and the last line in which the first of them may stand."""
AROUND = 7
"""Lines between what is asked and the first answer, which is one of them, that are no news."""
WARNED = 15
"""Lines of what is asked, with its warnings; in a longer one they stand below the answers."""
_PLAIN = re.compile(r"[\w.'’ -]+(?: \([A-Z]\))?")


def names_in_orders(places: Mapping[Label, str], people: Mapping[Seat, str]) -> dict[str, str]:
    """What orders call places and seats instead of labels and colours: names that mean nothing else."""
    called = Counter(folded(name.partition(" (")[0]) for name in places.values())
    fitting = {
        label: name
        for label, name in places.items()
        if _PLAIN.fullmatch(name) and called[folded(name.partition(" (")[0])] == 1
    }
    own = Counter(map(folded, people.values()))
    taken = {*SEATS, "nobody", *called}
    return fitting | {
        seat: name
        for seat, name in people.items()
        if _PLAIN.fullmatch(name) and len(name) > 1 and own[folded(name)] == 1 and folded(name) not in taken
    }


def answer_lines(meaning: Sequence[str], order: str, number: int = 0) -> str:
    """What an answer means in sentences, a colon, and the order, on the next line where that keeps it whole.

    ``number``: of the answer, 0 for what has none; ``order``: empty where it has none.
    """
    said = f"{number}. " * bool(number) + ". ".join(capital(one).rstrip(".") for one in meaning)
    if not order:
        return fill(said, 2)
    lines = fill(f"{said}:", 2)
    if len(lines.splitlines()[-1]) + 1 + len(order) <= COLUMNS:
        return f"{lines} {order}"
    return f"{lines}\n{fill(order, 2, '  ')}"


def latest(lines: Sequence[str], above: str) -> tuple[int, list[str]]:
    """How many of the lines have no room between what stands above and the answers, and the others, wrapped: the last
    ones."""
    room = min(NEWS, FIRST_ANSWER - AROUND - len(above.strip().splitlines()))
    kept: list[str] = []
    for line in reversed([fill(line, 2) for line in lines]):
        room -= line.count("\n") + 1
        if room < 0:
            break
        kept.insert(0, line)
    return len(lines) - len(kept), kept
