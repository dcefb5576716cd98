"""Changes of what is printed: one at every value of a ``.toml`` file, one in every line of a sketch."""

import re
import tomllib
from collections.abc import Iterator, Mapping

from tests.mutants.planting import Change

SIGNS = ".~^*o"
"""A hex of the sketch becomes the next of these; every other sign becomes plain."""
VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w"-])\d+(?![\w"-])')
"""A string or a number."""
SAYS_WHO = re.compile(r"(name|designer|provenance) = ")
NEXT: Mapping[str, str] = {
    **dict(
        zip(("red", "blue", "purple", "yellow", "black"), ("blue", "purple", "yellow", "black", "red"), strict=True)
    ),
    **dict(zip(("orange", "gray", "white"), ("gray", "white", "orange"), strict=True)),
    **dict(zip(("track", "factory", "contracts"), ("factory", "contracts", "track"), strict=True)),
}


def changes_of(path: str, source: str) -> list[Change]:
    """All changes of a file that can still be read, in the order of its lines."""
    lines = source.splitlines(keepends=True)
    found = []
    sketch = False
    for number, line in enumerate(lines):
        starts = line.startswith("sketch")
        ends = sketch and line.startswith('"""')
        sketch = (sketch or starts) and not ends
        changed = _in_sketch(line, number) if sketch and not starts else () if starts or ends else _in_line(line)
        for now in changed:
            whole = "".join([*lines[:number], now, *lines[number + 1 :]])
            if _readable(whole):
                at = number + 1
                found.append(Change(path, at, at, line.strip(), now.strip(), whole, None, None))
    return found


def _in_sketch(line: str, number: int) -> Iterator[str]:
    places = [place for place, sign in enumerate(line) if sign not in " \n="]
    if places:
        place = places[number % len(places)]
        sign = line[place]
        new = SIGNS[(SIGNS.index(sign) + 1) % len(SIGNS)] if sign in SIGNS else "."
        yield line[:place] + new + line[place + 1 :]


def _in_line(line: str) -> Iterator[str]:
    """A value becomes another one; the key before the first ``=`` stays, and so do words about the whole file."""
    if line.startswith(("#", "[")) or SAYS_WHO.match(line):
        return
    start = line.find(" = ") + 3
    for match in VALUE.finditer(line, start):
        yield line[: match.start()] + _other(match.group()) + line[match.end() :]


def _other(value: str) -> str:
    if value.isdigit():
        return str(int(value) + 1)
    word = value.strip('"')
    if word in NEXT:
        return f'"{NEXT[word]}"'
    if place := re.fullmatch(r"([A-Z]+)(\d+)", word):
        return f'"{place[1]}{int(place[2]) + 2}"'
    return f'"{word}x"'


def _readable(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
