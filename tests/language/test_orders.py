"""Orders are read in the reader's language too, and no word of a language stands for two."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.moves import BadMove
from pbem.language import email_words, languages, orders, reading
from pbem.rails.names import folded
from tests.speaking import spoken_as

SPANISH = {
    "issue": "emitir|emito", "build": "construir", "move": "mover|muevo", "to": "hacia", "action": "acción",
    "Turn Order": "Orden de turno", "blue": "azul", "red": "roja", "bid": "pujar", "city": "ciudad",
    "help": "ayuda|auxilio", "say": "decir", "pause": "pausa", "until": "hasta", "try": "probar",
}  # fmt: skip
ROOT = Path(__file__).parents[2]
NOT_WORDS = {"1", "2", "3", "4", "5", "6"}


@pytest.fixture
def spanish() -> Iterator[None]:
    orders._meanings.cache_clear()
    email_words._meanings.cache_clear()
    with spoken_as(lambda sentence: SPANISH.get(sentence, sentence), "es"), reading("es"):
        yield
    orders._meanings.cache_clear()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ayuda", "help"),
        ("decir: ayuda\nayuda", "say: ayuda\nayuda"),
        ("pausa hasta 2026-12-24", "pause until 2026-12-24"),
        ("probar\nemitir 2", "try\nemitir 2"),
        ("La pausa fue larga.", "La pausa fue larga."),
    ],
)
def test_words_that_emails_are_answered_with_can_be_those_of_the_language(
    spanish: None, written: str, meant: str
) -> None:
    assert email_words.in_english(written) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Emitir 2", "issue 2"),
        ("acción orden  de turno > Locomotive", "action turn-order > Locomotive"),
        ("ACCION Orden-de-Turno", "action turn-order"),
        ('muevo azul "Azul azul" hacia S10 # azul', 'move blue "Azul azul" to S10 # azul'),
        ("construir S10 SW-NE; ciudad A Toledo\nroja|azul", "build S10 SW-NE; city A Toledo\nred|blue"),
        ("build S10 N-S", "build S10 N-S"),
    ],
)
def test_words_of_the_language_stand_for_those_of_the_notation(spanish: None, typed: str, meant: str) -> None:
    assert orders.in_english(typed) == meant


def test_orders_are_kept_as_the_notation_writes_them(spanish: None) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = sheet.start(sheet.colours[:3], SeededChance(bytes(32), "deal"), {}).state
    assert [str(move) for move in orders.parse(sheet, state, "emito 2", {})] == ["issue 2"]
    with reading("en"), pytest.raises(BadMove):
        orders.parse(sheet, state, "emito 2", {})


def test_no_spelling_of_a_language_stands_for_two_words() -> None:
    of_orders, of_emails = (*orders.WORDS, *orders.NAMES), email_words.WORDS
    for language in languages():
        for words, spellings in ((of_orders, orders.spellings), (of_emails, email_words.spellings)):
            found = {folded(known): known for known in words}
            for spelling, word in spellings(language):
                assert len(spelling) > 1, (language.code, spelling, word)
                assert found.setdefault(spelling, word) == word, (language.code, spelling)


def test_every_word_that_orders_are_read_by_can_be_translated() -> None:
    """The words that stand in the code that reads orders."""
    read: set[str] = set()
    files = [*ROOT.glob("pbem/*/notation*.py"), *ROOT.glob("maps/*/orders.py")]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("word", "keyword"):
                read |= {word for arg in node.args[:2] for part in ast.walk(arg) if (word := _word(part))}
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                read |= {word for key, value in pairs if (word := _word(key)) and "OrderWord" in ast.dump(value)}
    assert read
    assert read - {*orders.WORDS, *orders.NAMES} - NOT_WORDS == set()


def _word(node: ast.AST | None) -> str:
    found = node.value if isinstance(node, ast.Constant) else None
    return found if isinstance(found, str) and found.replace("-", "").isalnum() else ""


@pytest.mark.parametrize("code", ["es", "pl", "pt"])
def test_the_words_that_emails_list_in_a_language_are_read_in_it(code: str) -> None:
    with reading(code):
        for word in email_words.ALONE:
            assert email_words.in_english(email_words.spelled(word)) == word
        listed = orders.spoken_words(
            ["build S10 SW-NE; more", "bid max 4 then pass", "move red S10 to Q8 | loco", "issue 2"]
        )
        assert set(listed) >= {"build", "issue", "move", "bid"}
        for word, said in listed.items():
            assert orders.in_english(said) == word
    assert orders.spoken_words(["build nothing"]) == {}
