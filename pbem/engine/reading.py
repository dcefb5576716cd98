"""Reads the text of orders: tokens with their places, and one way to say what cannot be read.

No game in it. A :class:`Reader` goes once from left to right, never back, so any text is read in linear time.
Lines end with a newline, orders with a newline or ``;``; what follows ``#`` is a remark.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from pbem.engine.moves import BadMove
from pbem.engine.text import Say, Typed, say
from pbem.engine.values import Value

LONGEST_TEXT: Final = 10_000
"""Characters in one submission."""
MOST_ORDERS: Final = 64
"""Orders in one submission; also steps of a build and alternatives of an order."""
LONGEST_NAME: Final = 100
"""Characters of a name; anything longer names nothing."""
NO_ORDER: Final = say("An order starts with one of these words: {words}.", words=())
"""What is expected where an order begins; the words are those of the game."""
_LONGEST_NUMBER: Final = 4
_SHOWN: Final = 40
_DEPTH: Final = {"(": 1, ")": -1}

_LINE_END = re.compile(r"\r\n|\r|\n")
_DASHES = "‐‑‒–—−-"  # a plain hyphen stands last: between others it would mean a range
DASH: Final = re.compile(rf"[{_DASHES}]")
"""Any of the dashes that stand for a hyphen in what people paste."""
_QUOTES = '"“”„‟«»'
_SYMBOLS = ">|,@()/"
_WIDTHLESS = "\u00ad\u200b\u200e\u200f\u2060\ufeff"  # marks that mail programs leave in what is copied
_BLANKS = rf"\s{_WIDTHLESS}"
_PIECE = re.compile(
    rf"[{_BLANKS}]+|[^{_BLANKS};{_QUOTES}{_SYMBOLS}{_DASHES}]+|[;{_SYMBOLS}{_DASHES}]"
    rf"|[{_QUOTES}](?:[^{_QUOTES}]*[{_QUOTES}])?"
)
"""Pieces that make up any line without a gap."""
_KIND: Final[Mapping[str, str]] = {
    **dict.fromkeys(_SYMBOLS, "symbol"),
    **dict.fromkeys(_QUOTES, "quoted"),
    **dict.fromkeys(_DASHES, "dash"),
    **dict.fromkeys((" ", *_WIDTHLESS), "blank"),
    ";": "stop",
}
"""What a piece is by its first letter; by any other it is a word or blank."""

T = TypeVar("T")


class Unknown(LookupError):
    """A name stands for nothing, or for too much. ``why``: one sentence, with the list where there is one."""

    def __init__(self, why: Say) -> None:
        super().__init__(str(why))
        self.why = why


class Token(Value):
    """A piece of text: word, quoted, symbol, stop (``;``), line or end; an order is over where it ``closes``."""

    kind: str
    text: str
    line: int
    column: int
    end: int
    closes: bool = False


class Span(Value):
    """A name as it was written, of one or more tokens."""

    text: str
    line: int
    column: int


class Reader:
    """A text of orders and the place reached in it.

    ``usage`` is how the order being read may be written; every complaint ends with it. All reading methods raise
    :class:`BadMove`; those that return ``bool`` or ``None`` leave the place where it was when they do not fit.
    """

    def __init__(self, text: str) -> None:
        self.usage: tuple[str, ...] = ()
        if len(text) > LONGEST_TEXT:
            raise BadMove(
                say("Orders may have {most} characters; these have {size}.", most=LONGEST_TEXT, size=len(text))
            )
        self._lines = lines_of(text)
        self._tokens: list[Token] = []
        for number, line in enumerate(self._lines, 1):
            self._tokens += _tokens(number, line)
        end = len(self._lines[-1])
        self._tokens.append(Token("end", "", len(self._lines), end, end, closes=True))
        self._go_to(0)

    def _go_to(self, place: int) -> None:
        self._at = place
        self.here = self._tokens[place]
        """The token that comes next; the last one is of the kind ``end``."""

    @property
    def closed(self) -> bool:
        return self.here.closes

    def ahead(self, count: int = 1) -> Token:
        """The token ``count`` places further on."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def next_order(self) -> bool:
        """Go to the first token of the next order; false at the end of the text."""
        while self.here.closes and self.here.kind != "end":
            self._go_to(self._at + 1)
        return self.here.kind != "end"

    def go_on_within(self, order_words: frozenset[str]) -> bool:
        """Past a ``;`` inside one order, at the end of a line too: true if what follows starts no other order."""
        if self.here.kind != "stop":
            return False
        place = self._at
        if self.next_order() and self.here.text.casefold() not in order_words:
            return True
        self._go_to(place)
        return False

    def word(self, *words: str) -> str | None:
        """Pass one of these words, in any case, and return it."""
        here = self.here
        if here.kind != "word" or (found := here.text.casefold()) not in words:
            return None
        self._go_to(self._at + 1)
        return found

    def symbol(self, text: str) -> bool:
        here = self.here
        if here.kind != "symbol" or here.text != text:
            return False
        self._go_to(self._at + 1)
        return True

    def keyword(self, words: Iterable[str], expected: Say) -> str:
        """One of these words, in any case."""
        found = self.word(*words)
        if found is None:
            raise self.bad(expected)
        return found

    def order_word(self, words: tuple[str, ...]) -> str:
        return self.keyword(words, Say(NO_ORDER.one, {"words": tuple(map(Typed, words))}))

    def need(self, symbol: str, expected: Say) -> None:
        if not self.symbol(symbol):
            raise self.bad(expected)

    def is_int(self, ahead: int = 0) -> bool:
        token = self.ahead(ahead)
        return token.kind == "word" and token.text.isascii() and token.text.isdigit()

    def number(self) -> int:
        """A whole number of at most four digits."""
        if not self.is_int() or len(self.here.text) > _LONGEST_NUMBER:
            raise self.bad(say("A whole number of at most {digits} digits is expected here.", digits=_LONGEST_NUMBER))
        digits = self.here.text
        self._go_to(self._at + 1)
        return int(digits)

    def one(self) -> Span:
        """The next token, whatever it is, as a name."""
        token = self.here
        self._go_to(self._at + 1)
        return Span(_inner(token.text) if token.kind == "quoted" else token.text, token.line, token.column)

    def name(self, symbols: str, words: Iterable[str], expected: Say) -> Span:
        """A name of several words: up to one of the symbols, or to one of the words unless that comes first."""
        start = self._at
        while not (self.here.closes or (self.here.kind == "symbol" and self.here.text in symbols)):
            if self._at > start and self.here.kind == "word" and self.here.text.casefold() in words:
                break
            self._go_to(self._at + 1)
        return self._span(start, expected)

    def take(self, tokens: int, expected: Say) -> Span:
        """The next so many tokens of this order as one name."""
        start = self._at
        while self._at < start + tokens and not self.closed:
            self._go_to(self._at + 1)
        return self._span(start, expected)

    def in_brackets(self, expected: Say) -> Span | None:
        if not self.symbol("("):
            return None
        here = self.here
        if here.kind == "word" and self.ahead().text == ")":
            self._go_to(self._at + 2)
            return Span(here.text, here.line, here.column)
        start, depth = self._at, 1
        while depth and self.here.kind not in ("line", "end"):
            depth += _DEPTH.get(self.here.text, 0)
            self._go_to(self._at + 1)
        if depth:
            raise self.bad(say("The bracket is not closed."))
        self._go_to(self._at - 1)
        span = self._span(start, expected)
        self._go_to(self._at + 1)
        return span

    def _span(self, start: int, expected: Say) -> Span:
        if start == self._at:
            raise self.bad(expected)
        first, last = self._tokens[start], self._tokens[self._at - 1]
        if first is last and first.kind == "quoted":
            return Span(_inner(first.text), first.line, first.column)
        return Span(self._lines[first.line - 1][first.column : last.end], first.line, first.column)

    def meaning(self, span: Span, lookup: Callable[[str], T]) -> T:
        """What a name stands for; an :class:`Unknown` becomes a :class:`BadMove` at the name."""
        try:
            return lookup(span.text)
        except Unknown as unknown:
            raise self._bad(unknown.why, span.line, span.column, span.text) from unknown

    def end_order(self) -> None:
        """Nothing may follow before the end of the order."""
        if not self.closed:
            raise self._bad(None, self.here.line, self.here.column, self.here.text)

    def bad(self, expected: Say) -> BadMove:
        """A complaint about the next token; at the end of an order, that something is missing."""
        if self.closed:
            return self._bad(expected, self.here.line, *self._after_last())
        return self._bad(expected, self.here.line, self.here.column, self.here.text)

    def bad_at(self, token: Token, expected: Say) -> BadMove:
        """A complaint about a token that was passed already."""
        return self._bad(expected, token.line, token.column, token.text)

    def _after_last(self) -> tuple[int, str, str]:
        """Where something is missing, that nothing stands there, and behind what."""
        last = self._tokens[self._at - 1] if self._at else self.here
        if last.line != self.here.line or last.closes:
            return self.here.column, "", ""
        return last.end, "", shown(last.text)

    def _bad(self, expected: Say | None, line: int, column: int, found: str, after: str = "") -> BadMove:
        """``expected``: ``None`` where the order is complete."""
        usage = tuple(say("“{order}”", order=Typed(form)) for form in self.usage)
        if expected is None:
            expected = say("Usage: {usage}.", usage=usage) if usage else say("The order is complete before this.")
            return BadMove(expected, line, column, shown(found), surplus=True)
        if usage:
            expected = say("{expected} Usage: {usage}.", expected=expected, usage=usage)
        return BadMove(expected, line, column, shown(found), after=after)


def lines_of(text: str) -> list[str]:
    """The lines of orders, as complaints number them."""
    return _LINE_END.split(text)


def shown(text: str) -> str:
    """Somebody's text as a sentence may quote it: short, and without anything that cannot be printed."""
    short = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return "".join(letter if letter.isprintable() else "�" for letter in short)


def _inner(quoted: str) -> str:
    return quoted[1:-1]


def _tokens(number: int, line: str) -> list[Token]:
    text = line.partition("#")[0]
    found: list[Token] = []
    end = 0
    for piece in _PIECE.findall(text):
        start, end = end, end + len(piece)
        match _KIND.get(piece[0]):
            case None:
                if not piece[0].isspace():
                    found.append(Token("word", piece, number, start, end))
            case "symbol":
                found.append(Token("symbol", piece, number, start, end))
            case "dash":
                found.append(Token("symbol", "-", number, start, end))
            case "stop":
                found.append(Token("stop", piece, number, start, end, True))
            case "quoted":
                if len(piece) == 1:
                    raise BadMove(say("The quotation mark is not closed."), number, start, shown(text[start:].rstrip()))
                found.append(Token("quoted", piece, number, start, end))
    length = len(text.rstrip())
    found.append(Token("line", "", number, length, length, True))
    return found
