"""Text from outside: what cannot be stored or would break a line is taken out, what is too long is told."""

import unicodedata

from email_validator import EmailNotValidError

from pbem.engine import Say, say
from pbem.service.base.errors import BadInput, Problem
from pbem.settings.addresses import address_of

LONGEST_NAME = 40
LONGEST_TITLE = 80
LONGEST_ORDERS = 20_000
PROGRAM = " [bot]"
"""How the name of every account ends that a program plays for, and no other: so it stands wherever a name does."""


def one_line(text: str) -> str:
    """Without control characters, line breaks and runs of spaces."""
    shown = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    return " ".join(shown.split())


def orders(text: str) -> str:
    """Orders as they will be kept: line breaks as ``\\n``, no NUL, no half characters. Raises :class:`BadInput`."""
    if len(text) > LONGEST_ORDERS:
        raise BadInput(Problem("orders", say("The orders are longer than {n} characters.", n=LONGEST_ORDERS)))
    storable = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
    return "\n".join(storable.splitlines()).strip()


def name_problem(name: str, longest: int = LONGEST_NAME) -> Say | None:
    """Why this cannot be a name, after :func:`one_line`."""
    if not name:
        return say("Enter a name.")
    if len(name) > longest:
        return say("This is longer than {n} characters.", n=longest)
    return None


def own_name_problem(name: str) -> Say | None:
    if is_program(name):
        return say("Only names of programs end with {mark}.", mark=PROGRAM.strip())
    return name_problem(name)


def as_program(name: str) -> str:
    return f"{as_person(name)[: LONGEST_NAME - len(PROGRAM)].rstrip()}{PROGRAM}"


def as_person(name: str) -> str:
    while is_program(name):
        name = name[: -len(PROGRAM)].rstrip()
    return name


def is_program(name: str) -> bool:
    return f" {name}".casefold().endswith(PROGRAM)


def address(text: str) -> str:
    """The address in the form in which accounts keep it, all ASCII. Raises :class:`BadInput` for field ``address``."""
    try:
        return address_of(one_line(text[:400]))
    except EmailNotValidError as error:
        shown = one_line(text)[:80]
        raise BadInput(Problem("address", say("“{text}” is not an email address.", text=shown))) from error


def unreachable(address: str) -> Say | None:
    """Why nothing that is sent to this address can arrive: its part behind the @ has no ending.

    Asked of what people type on pages; on the command line a network of one's own may have such names.
    """
    host = address.rpartition("@")[2]
    if "." in host or host == "localhost":
        return None
    return say("“{text}” ends without .org, .com or the like. Check the address.", text=address[:80])


def introduced(name: str, typed: str) -> tuple[list[Problem], str]:
    """What is wrong with the fields ``name`` and ``email`` of somebody without an account, and the address as kept."""
    problems = []
    if (wrong := own_name_problem(one_line(name[:1000]))) is not None:
        problems.append(Problem("name", wrong))
    if not typed.strip():
        return [*problems, Problem("email", say("Enter your email address."))], ""
    try:
        kept = address(typed)
    except BadInput as bad:
        return [*problems, Problem("email", bad.problems[0].sentence)], ""
    if (unheard := unreachable(kept)) is not None:
        problems.append(Problem("email", unheard))
    return problems, kept


def distinct(name: str, taken: set[str]) -> str:
    """The name, with a number behind it when somebody in the game has it; orders may name players.

    ``taken`` holds the case-folded names of the others and gets this one.
    """
    number, chosen = 1, name
    while chosen.casefold() in taken:
        number += 1
        if is_program(name):
            chosen = as_program(f"{as_person(name)[: LONGEST_NAME - 3 - len(PROGRAM)]} {number}")
        else:
            chosen = f"{name[: LONGEST_NAME - 3]} {number}"
    taken.add(chosen.casefold())
    return chosen
