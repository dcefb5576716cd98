"""Orders that are written in the reader's language, and cannot be played: they are answered like English ones."""

import pytest
from sqlalchemy import update

from pbem.language import reading
from pbem.mail.quoting import quoted
from pbem.service.email_in import replies
from pbem.service.orders import submissions
from pbem.store.tables import Account, Letter
from tests.table import Table

WRONG = {
    "es": ("emito 99", "emitir 98 acciones", "emittir 2 o 3", "Emito muchas acciones"),
    "pl": ("emituję 99", "emitować 98", "emitujje 2", "Emituj dużo"),
    "pt": ("emito 99", "emitir 98", "emittir 2 ou 3", "Emito muitas"),
}


def reads(table: Table, language: str) -> None:
    """Everybody at the table reads this language."""
    table.put(update(Account).values(language=language))


def reply(table: Table, text: str) -> None:
    """The player who is asked answers the question by email."""
    table.send_all()
    question = table.letters("your-turn")[-1]
    number = len(table.submissions())
    named = f"<{number}@example.net>"
    replies.take(table.office, replies.sender(table.office, question.id, named, named), text, table.now)
    submissions.play_waiting(table.office, table.game, table.now)


def refused(table: Table) -> list[Letter]:
    return table.letters("refused")


@pytest.mark.parametrize("language", WRONG)
def test_every_mistake_in_ones_own_language_is_answered_at_once(table: Table, language: str) -> None:
    table.start()
    reads(table, language)
    for number, text in enumerate(WRONG[language][:3], 1):
        table.later(minutes=1)
        reply(table, text)
        assert len(refused(table)) == number
        assert refused(table)[-1].next_try_at == table.now, text


def test_what_is_like_no_order_in_any_language_is_answered_once_an_hour(table: Table) -> None:
    table.start()
    reads(table, "es")
    reply(table, "Estoy de vacaciones hasta el lunes.")
    table.later(minutes=1)
    reply(table, "Fuera de la oficina")
    assert refused(table)[-1].next_try_at > table.now


@pytest.mark.parametrize("language", WRONG)
def test_orders_like_a_mistake_in_ones_own_language_are_named(table: Table, language: str) -> None:
    table.start()
    reads(table, language)
    for text in WRONG[language][1:3]:
        reply(table, text)
        assert table.read(refused(table)[-1]).own.similar, text
        table.send_all()


@pytest.mark.parametrize(("language", "word"), [("es", "construir"), ("pl", "zbuduj"), ("pt", "construir")])
def test_the_step_of_a_build_that_failed_is_marked_and_orders_like_it_are_named(
    table: Table, language: str, word: str
) -> None:
    table.start()
    reads(table, language)
    while not (asked := table.asked()).sheet.placements(asked.state):
        table.play()
    first = asked.sheet.placements(asked.state)[0].removesuffix("; more").partition(" ")[2]
    reply(table, f"{word} {first}; {first}")
    letter = table.read(refused(table)[-1])
    assert all(order.startswith(f"build {first}; ") for order in letter.own.similar)
    assert letter.own.similar
    with reading(language):
        (line,) = quoted(letter.own.text, letter.own.line, letter.own.step)
    assert (line.before, line.bad) == (f"{word} {first}; ", first)
