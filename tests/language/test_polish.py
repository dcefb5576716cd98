"""A name behind a Polish preposition cannot be declined: a word for what it names stands between them."""

import re

from tests.messages import catalogues

PREPOSITIONS = (
    "bez|dla|dzięki|do|ku|między|mimo|na|nad|o|obok|od|ode|oprócz|po|początku|pod|podczas|ponad|poza|prócz|przeciw"
    "|przeciwko|przed|przez|przy|spod|spośród|u|w|we|według|wobec|wokół|wśród|względem|z|za|zamiast|ze|znad"
)
BEHIND = re.compile(rf"(?<!\w)(?:{PREPOSITIONS})(?:\s|<[^>]*>)+[„(]?(?:<[^>]*>)*\{{(\w+)\}}", re.IGNORECASE)
NUMBERS = {
    "a", "all", "b", "columns", "die", "income", "kept", "last", "least", "limit", "lowered", "m", "most", "n", "new",
    "nth", "of", "old", "payable", "place", "players", "rounds", "seasons", "size", "tables_of", "turns", "voters",
}  # fmt: skip
TIMES = {"begin", "day", "end", "first", "last", "moment", "since", "time", "until", "when"}
"""In the genitive by themselves; see test_times_behind_a_preposition.py."""
IN_ENGLISH = re.compile(r"\b(?:until|by|since|from|to|of)\s?(?:<\w+>)?\{(?!time)(\w+)\}", re.IGNORECASE)
"""``{time}`` of subjects is in the nominative, ``{end}`` that of a link too."""
UNDECLINED = {"address", "after", "asked", "box", "folder", "host", "line", "sent_to", "title", "try"}
"""Addresses, folders, fields of a form, titles of games, and words as they are typed."""


def test_no_name_stands_bare_behind_a_preposition() -> None:
    faults = []
    for found in catalogues.read("pl"):
        for form in [found.string] if isinstance(found.string, str) else found.string or ():
            faults += [form for name in BEHIND.findall(form) if name not in NUMBERS | TIMES | UNDECLINED]
    assert faults == []


def test_times_that_come_in_the_genitive_stand_behind_a_preposition() -> None:
    faults = []
    for found in catalogues.read("pl"):
        english = found.id if isinstance(found.id, str) else found.id[1] if found.id else ""
        for name in {*IN_ENGLISH.findall(english)} & (TIMES - {"end"}):
            forms = [found.string] if isinstance(found.string, str) else found.string or ()
            faults += [form for form in forms if name not in BEHIND.findall(form)]
    assert faults == []


def test_a_bare_name_is_found() -> None:
    assert BEHIND.findall("Dostawa z {city} do Miasta {name} na heksie {hex}, przez <b>{player}</b>") == [
        "city",
        "player",
    ]
