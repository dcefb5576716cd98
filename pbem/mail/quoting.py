"""Refused orders as their sender wrote them, with what failed marked."""

import re

from pbem.engine import Value
from pbem.language import orders
from pbem.mail.words import tidy, tidy_lines

LINES, COLUMNS = 40, 300
"""How much of the orders a letter quotes."""
_BUILD = re.compile(r"\s*build\s", re.IGNORECASE)


class OrderLine(Value):
    """A line of what the player wrote, in three parts; ``bad`` is the part that failed, empty on other lines."""

    before: str
    bad: str = ""
    after: str = ""


def quoted(text: str, number: int, step: int, part: tuple[int, str] = (0, "")) -> tuple[OrderLine, ...]:
    """The orders in lines.

    Line ``number`` failed (from 1, 0 = the only one), and in a build its ``step`` (from 1, 0 = the whole line).
    ``part``: the column (from 1, 0 = the whole line) at which it could not be read, and what is written there.
    """
    lines = tidy_lines(text, LINES, COLUMNS)
    failed = number or (1 if len(lines) == 1 else 0)
    found = [_marked(line, step) if at == failed else OrderLine(line) for at, line in enumerate(lines, 1)]
    if part[0] and 0 < failed <= min(len(found), LINES):
        found[failed - 1] = _with_part(text.splitlines()[failed - 1], *part) or found[failed - 1]
    return tuple(found)


def _with_part(line: str, column: int, part: str) -> OrderLine | None:
    """A line with a part of it marked; ``None`` when the part does not stand there, or too far behind."""
    start = column - 1
    if not part or column > COLUMNS:
        return None
    if part.endswith("…"):
        end = len(line)
    else:
        start += 0 if line.startswith(part, start) else 1  # in quotes
        end = start + len(part)
    if not line.startswith(part.removesuffix("…"), start):
        return None
    return OrderLine(_piece(line[:start].lstrip()), _piece(line[start:end]), _piece(line[end:].rstrip()))


def _piece(text: str) -> str:
    kept = tidy(text, COLUMNS)
    before, behind = text[:1].isspace(), text[-1:].isspace() and bool(kept)
    return f"{' ' * before}{kept}{' ' * behind}"


def _marked(line: str, step: int) -> OrderLine:
    parts = line.split(";")
    first = next((at for at, part in enumerate(parts) if _BUILD.match(orders.in_english(part))), None)
    if first is None or not 1 <= step <= len(parts) - first:
        return OrderLine("", line)
    at = first + step - 1
    found = re.match(r"\s*\S+\s+" if step == 1 else r"\s*", parts[at])
    lead = found.end() if found else 0
    before = "".join(f"{part};" for part in parts[:at]) + parts[at][:lead]
    return OrderLine(before, parts[at][lead:], "".join(f";{part}" for part in parts[at + 1 :]))
