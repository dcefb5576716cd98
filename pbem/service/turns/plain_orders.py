"""Orders as people write them in emails: greeted and signed, copied from our own emails, or in the words of a button.

Only what :meth:`Sheet.parse` refuses comes here, and only what leaves nothing but orders is taken: a line that says
anything else keeps the whole email from being played.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pbem.engine.moves import BadMove, Move, Seat
from pbem.engine.sheet import Sheet, State
from pbem.language import orders as spoken_orders
from pbem.voice import GameVoice

GREETINGS = (
    "hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "greetings",
    "hallo", "liebe", "lieber", "guten morgen", "guten tag", "guten abend", "servus", "moin",
    "ola", "oi", "bom dia", "boa tarde", "boa noite", "caro", "cara", "prezado", "prezada",
    "hola", "buenos dias", "buenas", "querido", "querida", "estimado", "estimada",
    "czesc", "hej", "witam", "witaj", "dzien dobry", "dobry wieczor", "drogi", "droga",
    "bonjour", "bonsoir", "salut", "cher", "chere", "ciao", "buongiorno", "buonasera", "salve",
    "ahoj", "dobry den", "hejsa", "kaere", "beste", "dag", "hoi", "hejsan", "kara",
    "你好", "您好", "こんにちは", "안녕하세요",
)  # fmt: skip
"""How a line begins that greets, without accents."""
POLITE = (
    "thanks", "thank you", "thx", "cheers", "regards", "best", "best wishes", "best regards", "kind regards",
    "warm regards", "many thanks", "all the best", "yours", "bye", "see you", "take care", "have a nice", "have a good",
    "mit freundlichen", "freundliche grusse", "viele grusse", "viele gruesse", "liebe grusse", "liebe gruesse",
    "beste grusse", "schone grusse", "gruss", "grusse", "gruesse", "danke", "vielen dank", "lg", "mfg", "vg",
    "bis bald", "bis dann", "abraco", "abracos", "um abraco", "cumprimentos", "atenciosamente", "obrigado", "obrigada",
    "ate logo", "ate mais", "ate breve", "beijos", "saludos", "un saludo", "un abrazo", "abrazos", "gracias",
    "muchas gracias", "atentamente", "hasta luego", "pozdrawiam", "pozdrowienia", "dziekuje", "dzieki", "serdecznie",
    "z powazaniem", "do zobaczenia", "do uslyszenia", "cordialement", "bien a vous", "amities", "merci", "a bientot",
    "bonne journee", "bonne soiree", "saluti", "cordiali saluti", "grazie", "a presto", "s pozdravem", "diky", "dekuji",
    "zdravim", "med venlig", "venlig hilsen", "hilsen", "mvh", "mange tak", "met vriendelijke", "groet", "groeten",
    "groetjes", "bedankt", "dank je", "med vanlig", "vanliga", "halsningar", "tack", "tack sa mycket", "よろしく",
    "ありがとう", "감사합니다", "고맙습니다", "谢谢", "此致",
)  # fmt: skip
"""How a line begins with which people end a letter, without accents."""
PROGRAMS = (
    "sent from", "sent with", "sent via", "sent by", "get outlook", "von meinem", "gesendet", "versendet",
    "enviado", "enviada", "mensagem enviada", "obter o outlook", "obtener outlook", "wyslane", "wyslano", "pobierz",
    "envoye", "telecharger outlook", "inviato", "odeslano", "sendt fra", "verzonden", "verstuurd", "skickat",
    "iphoneから", "나의 iphone", "내 iphone", "发自我的", "從我的", "从我的",
)  # fmt: skip
"""How a line begins that a phone or a provider puts under an email, without accents."""
FEW = 4
"""Words of a line with which somebody begins or ends a letter: more of them may say something."""
LONGEST = 120
"""Characters of a line that may greet or end a letter."""
NAME = 3
"""Words of a name below the orders."""

MOST_LINES = 64
"""Lines of an email that are looked at for orders."""

LIKE = 0.75
"""How much a word has in common with one that is meant, at least (of 1)."""

_BULLET = re.compile(r"^(?:[-*•‣–·]|\(?\d{1,2}[.)])\s+(?=\S)")
_OURS = re.compile(r"^\[([^\[\]]+)\](?:\s*<?https?://\S+)?$")
_LINK = re.compile(r"\s*<?https?://\S+$")
_QUOTES = ('""', "''", "“”", "„“", "„”", "«»", "»«", "‘’", "‚‘", "``")
_BLANKS = re.compile(r"(?:\s*>\s*_)+(?=\s*$)")
_UNFILLED = re.compile(r"(?:[a-z]+ ){0,2}_", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][\w.'’ -]*")
_NUMBER = re.compile(r"\d{1,4}")


@dataclass(frozen=True)
class PlainReader:
    """Reads the lines of an email about one position, in English and in the language that is read when it is made.

    ``names``: the players' names by their seats.
    """

    sheet: Sheet
    state: State
    names: Mapping[Seat, str]

    def parse(self, text: str) -> tuple[Move, ...]:
        """The orders. Raises :class:`BadMove` as :meth:`Sheet.parse` does."""
        text = "\n".join(_filled(line) for line in text.splitlines())
        try:
            return spoken_orders.parse(self.sheet, self.state, text, self.names)
        except BadMove:
            plain = self._plain(text)
            if plain is None:
                raise
            return self.sheet.parse(self.state, plain, self.names)

    def is_literal(self, text: str) -> bool:
        """Whether orders that can be read stand there as we print them, so that nothing of them had to be guessed."""
        lines = (unicodedata.normalize("NFKC", _filled(line)).strip() for line in text.splitlines())
        orders = [line for line in lines if line and self._order(line) is not None]
        return all(self._as_printed(line) is not None for line in orders)

    def holds_orders(self, text: str) -> bool:
        """Whether any line of it is an order, legal or not."""
        lines = (unicodedata.normalize("NFKC", line).strip() for line in text.splitlines()[:MOST_LINES])
        return any(line and self._order(line) is not None for line in lines)

    def resembles_orders(self, text: str) -> bool:
        """Whether any line of it is an order, or begins with a word like those that are asked for now."""
        if self.holds_orders(text):
            return True
        if self.sheet.over(self.state):
            return False
        asked = self.sheet.question(self.state)
        orders = (*(choice.order for choice in asked.choices), asked.example)
        words = spoken_orders.spelled({order.partition(" ")[0] for order in orders} - {""})
        said = (reading for line in text.splitlines()[:MOST_LINES] for reading in self._readings(line[:LONGEST]))
        firsts = {_words(line).partition(" ")[0] for line in said} - {""}
        return any(difflib.get_close_matches(first, words, n=1, cutoff=LIKE) for first in firsts)

    @cached_property
    def _kept(self) -> tuple[spoken_orders.Kept, ...]:
        return spoken_orders.kept_in(self.sheet, self.state, self.names)

    def _readings(self, line: str) -> tuple[str, ...]:
        """A line as it stands, and in the notation where it is of the language that is read."""
        return (line, *(spoken_orders.in_english(line, kept) for kept in self._kept))

    def _variants(self, line: str) -> list[str]:
        """The same without bullet, link, quotes and full stop, as our emails print orders."""
        return list(dict.fromkeys(reading for bare in _bare(line) for reading in self._readings(bare)))

    def _plain(self, text: str) -> str | None:
        """The same in the notation, each order on the line where it was written, ``None`` when something else is."""
        lines = [unicodedata.normalize("NFKC", line).strip() for line in text.splitlines()]
        orders = [self._order(line) for line in lines]
        written = [number for number, line in enumerate(lines) if line]
        found = [number for number in written if orders[number] is not None]
        if not found:
            return None
        first, last = found[0], found[-1]
        before = [number for number in written if number < first]
        after = [number for number in written if number > last]
        only_orders = [number for number in written if first <= number <= last] == found
        if not only_orders or not _greets([lines[number] for number in before]):
            return None
        if after and not (not lines[after[0] - 1] and self._ends([lines[number] for number in after])):
            return None
        return "\n".join(order or "" for order in orders)

    def _ends(self, lines: list[str]) -> bool:
        """Whether lines under the orders end the email; players may write their names as they like."""
        names = {_words(name) for name in self.names.values()}
        return ends_a_letter(lines) or (len(lines) == 1 and _words(lines[0]) in names)

    def _order(self, line: str) -> str | None:
        """A line in the notation, ``None`` when it is no order."""
        return (self._as_printed(line) or self._in_words(line)) if line else None

    def _as_printed(self, line: str) -> str | None:
        """The same for a line in the notation, or as our emails print it; not for the words of a choice."""
        return next((candidate for candidate in self._variants(line) if self._can_be_read(candidate)), None)

    def _can_be_read(self, line: str) -> bool:
        try:
            self.sheet.parse(self.state, line, self.names)
        except BadMove:
            return False
        return True

    def _in_words(self, line: str) -> str | None:
        """The order of the choice whose words were written, or whose number, where a number is asked for."""
        if self.sheet.over(self.state) or len(line) > LONGEST:
            return None
        choices = self.sheet.question(self.state).choices
        if _NUMBER.fullmatch(line.rstrip(".")):
            numbered = {choice.keyword for choice in choices if _NUMBER.fullmatch(choice.order.partition(" ")[2])}
            return f"{numbered.pop()} {int(line.rstrip('.'))}" if len(numbered) == 1 else None
        voice = GameVoice(self.sheet, self.state, self.names)
        said = {_words(candidate) for candidate in self._variants(line)}
        meant = [
            choice.order
            for choice in choices
            if said & {_words(title := choice.title.read(voice)), _words(f"{choice.keyword} {title}")}
        ]
        return meant[0] if len(meant) == 1 else None


def _filled(line: str) -> str:
    """A line of a form without the places that were left blank, empty when nothing was filled in."""
    if "_" not in line:
        return line
    rest = _BLANKS.sub("", line)
    return "" if _UNFILLED.fullmatch(rest.strip()) else rest


def _bare(line: str) -> list[str]:
    bare = _BULLET.sub("", line)
    if ours := _OURS.match(bare.rstrip("> .")):
        return [ours[1].strip()]
    bare = _LINK.sub("", bare).strip()
    for pair in _QUOTES:
        if len(bare) > 2 and bare.startswith(pair[0]) and bare.rstrip(".").endswith(pair[1]):
            bare = bare.rstrip(".")[1:-1].strip()
    return list(dict.fromkeys((line, bare, bare.rstrip(".!,"))))


def _words(text: str) -> str:
    """Words to be compared: without accents, signs, and the difference of upper and lower case."""
    return " ".join(re.findall(r"\w+", plain_letters(text)))


def plain_letters(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l").replace("ø", "o").replace("æ", "ae"))
    return unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))


def _begins(line: str, beginnings: tuple[str, ...]) -> bool:
    text = plain_letters(line).lstrip("*_ ")
    return len(line) <= LONGEST and any(
        text.startswith(word) and (not text[len(word) : len(word) + 1].isalnum() or not word.isascii())
        for word in beginnings
    )


def _greets(lines: list[str]) -> bool:
    """Whether lines above the orders are nothing, or one greeting."""
    return not lines or (len(lines) == 1 and _begins(lines[0], GREETINGS) and len(lines[0].split()) <= FEW)


def ends_a_letter(lines: list[str]) -> bool:
    """Whether lines under the orders end a letter: a closing line and whatever follows it, or a name alone.

    A closing line holds no number, which could be an order, and a name has capitals where its letters have any.
    """
    first = lines[0]
    if _begins(first, PROGRAMS):
        return True
    if _begins(first, POLITE) and len(first.split()) <= FEW and not re.search(r"\d", first):
        return True
    return len(lines) == 1 and len(first.split()) <= NAME and _NAME.fullmatch(first) is not None and _is_capital(first)


def _is_capital(name: str) -> bool:
    return not any(word[0].islower() for word in (name.split()[0], name.split()[-1]))


def without_greeting(text: str) -> str:
    """A text without the greeting above it, if there is more than that."""
    lines = text.strip().splitlines()
    rest = "\n".join(lines[1:]).strip()
    return rest if rest and _greets([lines[0].strip()]) else text


def without_programs(text: str) -> str:
    """A text without what a phone or a provider has put under it."""
    lines = text.splitlines()
    for number in range(len(lines) - 1):
        if not lines[number].strip() and lines[number + 1].strip() and _begins(lines[number + 1].strip(), PROGRAMS):
            return "\n".join(lines[:number])
    return text
