"""Spoils what is right: the nearer to something right an input is, the deeper it gets.

Everything here takes the luck it uses as an argument, a :class:`random.Random` or that of hypothesis, which shrinks.
"""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

NUMBERS = (
    "0", "-1", "1", "00", "+5", "1.5", "1e999", "nan", "inf", "0x10", "1_0", "65536", "2147483648", "4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 30, "9" * 5000, "٣", "²", "１２", "Ⅷ",
)  # fmt: skip
"""What may stand where a number should."""
SIGNS = (
    "", " ", "\t", "\n", "\r\n", "\x00", "\x1b[31m", "\x7f", "\x85", "\u00a0", "\u00ad", "\u0301", "\u200b", "\u200e",
    "\u202e", "\u2028", "\ufeff", "\ufffe", "\U0001f682", "\U000e0041", "é", "İ", "ß", "ﬀ", "ﷺ", "–", "“", '"', "'",
    "\\", "`", "%", "%00", "%ff", "%s%n", "&", "&amp;", "+", "/", "//", ":", ";", "#", "?", "@", "|", "<", ">", "(",
    "[", "{",
)  # fmt: skip
"""Signs that mean something to somebody."""
WORDS = (
    "None", "null", "true", "[]", "{}", "{x}", "{{7*7}}", "{0.__class__}", "<script>alert(1)</script>", "<b>x</b>",
    "../../../etc/passwd", "..\\..\\x", "' OR 1=1 --", "x\r\nSet-Cookie: a=b", "javascript:alert(1)", "//evil.example",
    "https://evil.example/", "a@example.org", "pass", "build", "2026-12-24", "9999-12-31", "0001-01-01", "24:00",
    "23:59:59.999999+14:00", "UTC", "red", "yes", "undefined", "agree", "x" * 300, "x" * 5000, "é" * 2500, " " * 400,
)  # fmt: skip
"""Words that have broken other programs, and some of ours where they do not belong."""
JUNK = (*NUMBERS, *SIGNS, *WORDS)
LONGEST = 70_000
"""Characters a text may grow to by being repeated."""

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


def mutated(text: str, luck: Random, *others: str) -> str:
    """The text with one to six faults; pieces of ``others`` may get into it."""
    for _ in range(luck.choice((1, 1, 1, 2, 3, 6))):
        text = luck.choice(_FAULTS)(text, luck, others)[:LONGEST]
    return text


def junk(luck: Random) -> str:
    """Something that is probably nothing."""
    return luck.choice(JUNK) if luck.random() < 0.7 else "".join(luck.choices(JUNK[:80], k=luck.randint(0, 12)))


def spoiled(value: Any, luck: Random) -> Any:
    """A JSON value with one fault somewhere inside: a key gone or doubled, a value of another type or spoiled."""
    if isinstance(value, dict) and value and luck.random() < 0.85:
        return _spoiled_object(value, luck)
    if isinstance(value, list) and value and luck.random() < 0.85:
        return _spoiled_list(value, luck)
    if isinstance(value, str) and luck.random() < 0.6:
        return mutated(value, luck)
    if isinstance(value, int) and luck.random() < 0.6:
        return luck.choice((-1, 0, 1, -value, value + 1, 10**6, 2**31, 2**63, 10**30, True))
    return luck.choice(_VALUES)


_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e300, 2**63, 10**40, "", "x", "red", [], [None], [[]], {}, {"": None}, {"x": {"x": []}},
)  # fmt: skip


def _spoiled_object(value: dict[str, Any], luck: Random) -> dict[str, Any]:
    key = luck.choice(sorted(value, key=str))
    kept = {name: inner for name, inner in value.items() if name != key}
    match luck.randrange(10):
        case 0:
            return kept
        case 1:
            return {**kept, mutated(key, luck): value[key]}
        case 2:
            return {**value, mutated(key, luck): value[luck.choice(sorted(value, key=str))]}
        case 3:
            return {**kept, key: value[luck.choice(sorted(value, key=str))]}
    return {**value, key: spoiled(value[key], luck)}


def _spoiled_list(value: list[Any], luck: Random) -> list[Any]:
    at, other = luck.randrange(len(value)), luck.randrange(len(value))
    match luck.randrange(8):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return [*value[:at], value[other], *value[at:]]
        case 2:
            return [value[other] if n == at else inner for n, inner in enumerate(value)]
        case 3:
            return value[:at]
    return [spoiled(inner, luck) if n == at else inner for n, inner in enumerate(value)]


def spoiled_bytes(raw: bytes, luck: Random) -> bytes:
    """The same bytes with some lost, doubled, changed or put in."""
    for _ in range(luck.choice((1, 1, 2, 4, 16))):
        at, length = luck.randint(0, len(raw)), luck.choice((0, 1, 1, 2, 8, 64, 1000))
        new = luck.choice((b"", b"\0", b"\r\n", b"\xff\xfe", b"\n\n", b":", b";", raw[at : at + length] * 2))
        raw = raw[:at] + new + raw[at + length :]
    return raw


def _drop(text: str, luck: Random, _: Sequence[str]) -> str:
    pieces = _PIECES.findall(text)
    return "".join(piece for n, piece in enumerate(pieces) if n != luck.randrange(len(pieces)))


def _double(text: str, luck: Random, _: Sequence[str]) -> str:
    pieces = _PIECES.findall(text)
    at = luck.randrange(len(pieces)) if pieces else 0
    return "".join([*pieces[: at + 1], *pieces[at:]])


def _swap(text: str, luck: Random, _: Sequence[str]) -> str:
    pieces = _PIECES.findall(text)
    if len(pieces) < 2:
        return text
    a, b = luck.randrange(len(pieces)), luck.randrange(len(pieces))
    pieces[a], pieces[b] = pieces[b], pieces[a]
    return "".join(pieces)


def _replace(text: str, luck: Random, others: Sequence[str]) -> str:
    pieces = _PIECES.findall(text) or [""]
    strange = _PIECES.findall(luck.choice(others)) if others and luck.random() < 0.6 else []
    pieces[luck.randrange(len(pieces))] = luck.choice(strange) if strange else junk(luck)
    return "".join(pieces)


def _number(text: str, luck: Random, _: Sequence[str]) -> str:
    found = list(re.finditer(r"[0-9]+", text))
    if not found:
        return text + luck.choice(NUMBERS)
    number = luck.choice(found)
    return text[: number.start()] + luck.choice(NUMBERS) + text[number.end() :]


def _insert(text: str, luck: Random, _: Sequence[str]) -> str:
    at = luck.randint(0, len(text))
    return text[:at] + luck.choice(SIGNS) + text[at:]


def _cut(text: str, luck: Random, _: Sequence[str]) -> str:
    at = luck.randint(0, len(text))
    return luck.choice((text[:at], text[at:]))


def _join(text: str, luck: Random, others: Sequence[str]) -> str:
    return text + luck.choice(("; ", "\n", " ", ",", "", " > ", "#")) + (luck.choice(others) if others else text)


def _repeat(text: str, luck: Random, _: Sequence[str]) -> str:
    return text * luck.choice((2, 3, 10, 100, 2000))


def _case(text: str, luck: Random, _: Sequence[str]) -> str:
    return luck.choice((text.upper(), text.lower(), text.swapcase(), text[::-1]))


_FAULTS: tuple[Callable[[str, Random, Sequence[str]], str], ...] = (
    _drop, _drop, _double, _swap, _swap, _replace, _replace, _replace, _number, _number, _insert, _insert, _cut, _join,
    _repeat, _case,
)  # fmt: skip
