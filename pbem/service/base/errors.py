"""How a call of the service can fail; the sentences are for the person who asked for it.

They are read out in the language of that person where the answer is given: on the page, in the email. ``str`` of an
error is the English sentence, for logs, the command line and the JSON API.
"""

from pbem.engine import Say, Value
from pbem.engine.text import together


class NoSuch(LookupError):
    """There is no such game, seat, letter or submission. The page or email says so; these words are for logs."""


class NotNow(Exception):
    """It is not possible now; nothing was changed."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Problem(Value):
    """What is wrong with one field. ``field`` is its name in the form: title, map, players, players.2 …"""

    field: str
    sentence: Say


class BadInput(ValueError):
    """Fields that cannot be taken as they are; nothing was changed."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(" ".join(str(problem.sentence) for problem in problems))
        self.problems = problems

    @property
    def sentence(self) -> Say:
        """All that is wrong, one sentence after the other."""
        return together(*(problem.sentence for problem in self.problems))
