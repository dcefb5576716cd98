"""What letters say of people: their names, and what they have said."""

import textwrap
from collections.abc import Sequence
from datetime import datetime

from pbem.engine import Say, Typed, Value
from pbem.mail.voices import NAME, TextVoice
from pbem.mail.words import COLUMNS, tidy, tidy_lines
from pbem.views.people import PostView

POST_LINES, POST_LINE = 60, 2_000
"""How much of one post stands in a letter: all that can be said at once."""
LONGEST = {"orders": 200}
"""Characters of what people typed in a sentence, by its name there; names of people else."""


class Talk(Value):
    seat: str
    name: str
    at: datetime
    lines: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """For the text part: every line marked, so that none reads as a line of ours."""
        return "\n".join(_quoted(line) for line in self.lines)


def posts(talk: Sequence[PostView]) -> tuple[Talk, ...]:
    return tuple(
        Talk(post.seat, tidy(post.name, NAME), post.at, tidy_lines(post.text, POST_LINES, POST_LINE)) for post in talk
    )


def names(people: Sequence[str], voice: TextVoice) -> str:
    return voice.listed([tidy(person, NAME) for person in people])


def tidied(sentence: Say, longest: int = NAME) -> Say:
    """A sentence of the service with what people typed made tidy: names (of so many characters), and orders."""
    values = {name: _tidied(value, LONGEST.get(name, longest)) for name, value in sentence.values.items()}
    return Say(sentence.one, values, sentence.many, sentence.count)


def _tidied(value: object, longest: int) -> object:
    if isinstance(value, Typed):
        return Typed(tidy(value.order.replace("\n", "; "), longest))
    return tidy(value.replace("\n", "; "), longest) if isinstance(value, str) else value


def _quoted(line: str) -> str:
    return textwrap.fill(line, COLUMNS, initial_indent="> ", subsequent_indent="> ", break_on_hyphens=False) or ">"
