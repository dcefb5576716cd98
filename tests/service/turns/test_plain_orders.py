"""Orders in emails as people write them: greeted, signed, copied from our emails, in the words of a button."""

import unicodedata
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import BadMove, catalog
from pbem.engine.chance import SeededChance
from pbem.language import orders, reading
from pbem.rails.names import folded
from pbem.robot import answers
from pbem.service.turns.plain_orders import PlainReader
from pbem.service.turns.progress import written

NAMES = {"red": "Ana", "blue": "Ben", "green": "Chloé"}


def reader(game: str = "age-of-steam", board: str = "rust_belt", *orders: str) -> PlainReader:
    """The first question of a game, or the one after these orders."""
    sheet = catalog.sheet(game, board)
    chance = SeededChance(b"plain orders", "")
    state = sheet.start(tuple(NAMES), chance, {}).state
    for order in orders:
        seat = sheet.to_act(state)
        assert seat is not None
        state = sheet.play(state, seat, sheet.parse(state, order, NAMES), chance).state
    return PlainReader(sheet, state, NAMES)


SHARES = reader()
BIDS = reader("age-of-steam", "rust_belt", "issue 2", "issue 2", "issue 2")
STEAM = reader("steam-power", "ireland")

DISCLAIMERS = (
    "This e-mail and any attachments are confidential and intended solely for the person to whom they are\naddressed."
    " If you are not the intended recipient, you must not use it.",
    "CONFIDENTIALITY NOTICE: The information in this message is privileged. If it came to you by mistake, delete it.",
    "Please consider the environment before printing this email.",
    "Este mensaje es confidencial y va dirigido únicamente a su destinatario. Si no lo es, bórrelo.",
    "AVISO LEGAL: La información de este correo está protegida por el RGPD.",
    "Antes de imprimir este correo, piense en el medio ambiente.",
    "Esta mensagem é confidencial e destina-se apenas ao seu destinatário. Não a imprima.",
    "Antes de imprimir, pense no meio ambiente.",
    "Niniejsza wiadomość jest poufna i przeznaczona wyłącznie dla adresata. Jeśli nim nie jesteś, usuń ją.",
    "Uwaga: treść tej wiadomości może zawierać informacje poufne. Nie drukuj bez potrzeby.",
    "Diese E-Mail ist vertraulich und nur für den Empfänger bestimmt.",
)
"""What companies put below emails, in words of our own."""
ISSUES = (
    "[issue 4]",
    "[issue 4] https://play.example.org/t/token?order=issue+4",
    "[issue 4] <https://play.example.org/t/token?order=issue+4>",
    "issue 4 https://play.example.org/t/token?order=issue+4",
    "“issue 4”",
    '"issue 4".',
    "«issue 4»",
    "- issue 4",
    "• issue 4",
    "1. issue 4",
    "Issue 4 shares.",
    "Issue 4 shares",
    "ｉｓｓｕｅ ４",
    "Hi,\n\nissue 4",
    "Hello Ben,\nissue 4\n\nThanks\nAna",
    "issue 4\n\nAna",
    "issue 4\n\nana",
    "issue 4\n\nAna de Sousa",
    "issue 4\n\n李娜",
    "issue 4\n\nAna Maria O’Neill",
    "Cześć!\n\nissue 4\n\nPozdrawiam,\nAnia",
    "issue 4\n\nBest regards,\nAna\n+351 12 34",
    "issue 4\n\nVon meinem iPhone gesendet",
    "issue 4\n\nWysłane z iPhone'a",
    "issue 4\n\nWysłane z mojego Galaxy",
    "issue 4\n\nEnviado do meu iPhone",
    "issue 4\n\nEnviado desde mi iPhone",
    "issue 4\n\nEnvoyé de mon iPhone",
    "issue 4\n\nInviato da iPhone",
    "issue 4\n\nSent with Proton Mail secure email.",
    "issue 4\n\nVerstuurd vanaf mijn iPhone",
    "issue 4\n\nSkickat från min iPhone",
    "issue 4\n\nSendt fra min iPhone",
    "issue 4\n\nOdesláno z iPhonu",
    "issue 4\n\niPhoneから送信",
    "issue 4\n\n发自我的iPhone",
    "issue 4\n\n나의 iPhone에서 보냄",
    "issue 4\nThanks",
    "issue 4\nThanks, Ana",
    "issue 4\nThanks!\nAna Sousa\nHead of Sales, ACME Ltd\nTel. +351 21 000 00 00\nwww.acme.example",
    "issue 4\nPozdrawiam, Łucja",
    "issue 4\n谢谢",
    *(
        f"issue 4\n\n{closing}\nana"
        for closing in ("pzdr", "pozdr.", "Att.,", "Atte.", "abs", "Abçs", "sds", "bjs", "slds,")
    ),
    *(f"issue 4\n{closing}" for closing in ("pzdr", "Pozdr", "att", "atte", "Abs,", "abçs", "Sds", "bjs!", "slds Ana")),
    "issue 4 :-)",
    "issue 4 ;)",
    "issue 4:-)",
    "issue 4 🙂👍🏽",
    "issue 4 xD",
    "issue 4\n:-)",
    "issue 4\n\n👍",
    "issue 4 thanks",
    "issue 4, thanks!",
    "issue 4 please :-)",
    "Issue 4 shares, thank you",
    "Issue 4 shares. Thanks :)",
    "issue 4, obrigada",
    "issue 4 gracias",
    "issue 4, dzięki",
    "issue 4 shares",
    "Hi Ben,\n\nissue 4 :-)\n\npzdr\nana",
    "issue 4\n=======\n",
    "issue 4\n\nAna\n\nSent from my iPhone",
    *(f"issue 4\n\n{disclaimer}" for disclaimer in DISCLAIMERS),
    *(f"issue 4\n\nAna\n\n{disclaimer}" for disclaimer in DISCLAIMERS),
    *(f"Hello,\n\nissue 4\n\nBest regards\nAna Sousa\nACME Ltd\n\n*****\n{disclaimer}" for disclaimer in DISCLAIMERS),
)


@pytest.mark.parametrize("text", ISSUES)
def test_what_is_plain_is_read(text: str) -> None:
    assert written(SHARES.parse(text)) == "issue 4"


@pytest.mark.parametrize(
    ("text", "order"),
    [("Bid $3", "bid 3"), ("Drop", "drop"), ("“bid max 6 then ask”", "bid max 6 then ask")],
)
def test_the_words_of_a_button_are_an_order(text: str, order: str) -> None:
    assert written(BIDS.parse(text)) == order


def test_an_action_can_be_named_alone() -> None:
    actions = reader("age-of-steam", "rust_belt", *["issue 2"] * 3, "drop", "drop")
    assert written(actions.parse("Urbanization")) == "action urbanization"


def test_the_words_of_steam_power_are_orders() -> None:
    assert written(STEAM.parse("Take $3.\n\nSent from my iPad")) == "cash"


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("issue 4\nbid max _\naction _ > _ > _", "issue 4"),
        ("issue _\nbid max 6\naction urbanization > _ > _", "bid max 6; action urbanization"),
        ("issue 4\nbid max _", "issue 4"),
    ],
)
def test_lines_of_a_form_that_were_left_blank_are_passed_over(text: str, orders: str) -> None:
    assert "; ".join(written((move,)) for move in SHARES.parse(text)) == orders


ACTIONS = reader("age-of-steam", "rust_belt", *["issue 2"] * 3, "drop", "drop")
SPOKEN = (
    ("es", SHARES, "issue 4", ("emito 4 acciones", "Emito 4 acciones.", "emita 4", "Emitir 4 acciones")),
    ("es", SHARES, "issue 1", ("emito 1 acción", "Emitir 1 acción", "emito 1 acciones")),
    ("es", SHARES, "issue 0", ("emito 0", "No emitir ninguna")),
    (
        "es",
        SHARES,
        "issue 4",
        ("Hola, Ana:\n\nemito 4 acciones :-)\n\nSlds", "emito 4, gracias", "emito 4 por favor\nun saludo"),
    ),
    ("es", BIDS, "bid 3", ("pujo 3", "Pujo $3", "puje 3")),
    ("es", BIDS, "drop", ("me retiro", "Retirarse")),
    ("es", ACTIONS, "action urbanization", ("elijo urbanización", "Urbanización", "acción urbanización")),
    ("es", ACTIONS, "action turn-order", ("elijo orden de turno", "Orden de turno")),
    ("es", STEAM, "cash", ("cobro", "Tomar $3", "dinero :)")),
    ("pt", SHARES, "issue 4", ("Emito 4 ações", "emita 4 ações, obrigado", "emitir 4", "emito 4\nabs")),
    ("pt", SHARES, "issue 1", ("Emito 1 ação", "emita 1")),
    ("pt", BIDS, "bid 3", ("aposto 3", "Aposte 3", "lance 3", "Apostar $3")),
    ("pt", BIDS, "drop", ("saio", "Saia")),
    ("pt", ACTIONS, "action engineer", ("escolho engenheiro", "Engenheiro")),
    ("pl", SHARES, "issue 4", ("emituję 4 udziały", "Emituj 4 udziały", "wyemituję 4", "emituję 4, dzięki\n\npzdr")),
    ("pl", SHARES, "issue 1", ("Emituję 1 udział", "Emituj 1 udział")),
    ("pl", BIDS, "bid 3", ("licytuję 3", "Licytuj $3", "stawiam 3")),
    ("pl", BIDS, "drop", ("odpadam", "Odpadnij")),
    ("pl", ACTIONS, "action urbanization", ("wybieram urbanizację", "Urbanizacja")),
)


@pytest.mark.parametrize(
    ("language", "asked", "order", "text"),
    [(language, asked, order, text) for language, asked, order, texts in SPOKEN for text in texts],
)
def test_what_is_plain_is_read_in_a_language(language: str, asked: PlainReader, order: str, text: str) -> None:
    with reading(language):
        assert written(PlainReader(asked.sheet, asked.state, asked.names).parse(text)) == order


NOT_SPOKEN = (
    ("es", "No emito 4 acciones"),
    ("es", "emito 4 acciones, pero no ahora"),
    ("es", "emito 4 o 5 acciones"),
    ("es", "emito 4 acciones si Ben se retira"),
    ("es", "emito cuatro acciones"),
    ("es", "emito 4 dólares"),
    ("es", "pujo 4 acciones"),
    ("pt", "Não emito 4 ações"),
    ("pt", "Emito 4 ações?"),
    ("pt", "emito 4 ações mas só se o Ben sair"),
    ("pl", "Nie emituję 4 udziałów"),
    ("pl", "emituję 4 udziały albo 5"),
    ("pl", "emituję 4 udziały, ale jeszcze nie"),
)


@pytest.mark.parametrize(("language", "text"), NOT_SPOKEN)
def test_what_says_anything_besides_in_another_language_is_refused_whole(language: str, text: str) -> None:
    with reading(language), pytest.raises(BadMove) as caught:
        PlainReader(SHARES.sheet, SHARES.state, NAMES).parse(text)
    assert caught.value.found in text


def test_a_greeting_is_not_what_cannot_be_read() -> None:
    with reading("es"), pytest.raises(BadMove) as caught:
        PlainReader(SHARES.sheet, SHARES.state, NAMES).parse("Hola, Ana:\nemito 4 vacas\n\nSaludos")
    assert (caught.value.line, caught.value.found) == (2, "vacas")


NOT_ORDERS = (
    "issue _\nbid max _",
    "issue 4_",
    "issue 4 if Ben has not bid",
    "issue 4\nor better issue 3, I am not sure",
    "issue 4\n\nThanks, but only if Ben drops out before me",
    "issue 4\n\nDo not play this before Friday",
    "issue 4\nThanks\nbut only if Ben drops out",
    "issue 4\nThanks, but not yet",
    "issue 4\nThanks and wait",
    "issue 4\n\nThanks,\nbut only if Ben drops out before me",
    "issue 4\n\nThanks\nAna\n\nPS: only if Ben has dropped out",
    "issue 4\n\nThanks\nWait, no.",
    "issue 4\n\nThanks\nDo not play this before Friday",
    "issue 4\n\nAna\n\nDo not play this before Friday",
    "issue 4\n\nAbs\nmas só se o Ben sair",
    "issue 4\n\nSlds.\npero espera a que Ben puje",
    "issue 4\n\nPozdr\nale jeszcze nie teraz",
    "issue 4\n\nThis message is only valid if Ben drops out",
    "issue 4\n\nUwaga: tylko jeśli Ben spasuje",
    "issue 4 :-(",
    "issue 4 :-/",
    "issue 4 🤔",
    "issue 4 👎",
    "issue 4 ?",
    "issue 4? thanks",
    "issue 4, no thanks",
    "issue 4 thanks but no",
    "issue 4 at best",
    "issue 4\n👎",
    "issue 4\n???",
    "thanks :-)",
    "Hi, do not play\nissue 4",
    "Hello, wait please\n\nissue 4",
    "Issue 4 shares?",
    "Issue -4 shares",
    "Issue 3-4 shares",
    "issue 4\n\nWait, no: issue 3",
    "issue 4\n\nThanks, issue 3 instead",
    "issue 4\n\nBest would be 3",
    "issue 4\n\nThanks\nissue 3",
    "issue 4\n\nnot yet",
    "Hi Ben, my plan was this\n\nissue 4",
    "Hi\nHello\nissue 4",
    "Ana",
    "Thanks\n\nAna",
    "Issue 4 shares, then 3",
    "",
)


@pytest.mark.parametrize("text", NOT_ORDERS)
def test_what_says_anything_besides_is_refused_whole(text: str) -> None:
    with pytest.raises(BadMove):
        SHARES.parse(text)


def test_an_order_in_words_that_two_choices_have_is_refused() -> None:
    with pytest.raises(BadMove):
        BIDS.parse("Bid")


LINES = st.sampled_from(
    [
        "issue 4",
        "issue 2",
        "",
        "Hi Ben",
        "Thanks",
        "Sent from my iPhone",
        "4",
        "no",
        "[issue 4]",
        "issue 4 :-)",
        "but 3",
    ]
)
SPOKEN_LINES = {
    code: st.sampled_from([
        "", "4", "issue 2", ":-)", *(text for said, asked, _, texts in SPOKEN for text in texts if said == code),
        *(text for said, text in NOT_SPOKEN if said == code),
    ])
    for code in ("es", "pt", "pl")
}  # fmt: skip


def every_order_was_written(language: str, asked: PlainReader, lines: list[str]) -> None:
    """Each order has its number in the text, and one of the spellings of its word. Numbers of answers stand for orders
    that nobody wrote."""
    with reading(language) as read:
        fresh = PlainReader(asked.sheet, asked.state, asked.names, numbered=False)
        try:
            moves = fresh.parse("\n".join(lines))
        except BadMove:
            return
    said = unicodedata.normalize("NFKC", " ".join(lines))
    spellings = [(folded(word), word) for word in orders.WORDS] + list(orders.spellings(read))
    for move in moves:
        word, *rest = written((move,)).split()
        assert all(number in said for number in rest if number.isdecimal()) or (rest == ["0"] and "No emitir" in said)
        known = {spelling for spelling, meant in spellings if meant in (word, *rest)}
        assert any(spelling in "".join(map(folded, lines)) for spelling in known) or {*rest} & {*said.split()}, (
            said,
            move,
        )


@settings(max_examples=150)
@given(st.lists(LINES | st.text(max_size=40), max_size=6))
def test_every_order_that_is_read_was_written(lines: list[str]) -> None:
    every_order_was_written("en", SHARES, lines)


@pytest.mark.parametrize("language", SPOKEN_LINES)
@pytest.mark.parametrize("asked", [SHARES, BIDS, ACTIONS], ids=["shares", "bids", "actions"])
def test_every_order_that_is_read_in_another_language_was_written(language: str, asked: PlainReader) -> None:
    @settings(max_examples=60)
    @given(st.lists(SPOKEN_LINES[language] | LINES | st.text(max_size=40), max_size=5))
    def check(lines: list[str]) -> None:
        every_order_was_written(language, asked, lines)

    check()


# numbers of answers ------------------------------------------------------------------------------------------------

BUILDING = reader(
    "age-of-steam", "rust_belt", *["issue 2"] * 3, "drop", "drop", "action engineer", "action locomotive",
    "action production",
)  # fmt: skip


def test_a_number_is_that_of_the_answer_in_the_email() -> None:
    for asked in (SHARES, BIDS, ACTIONS, STEAM, BUILDING):
        question = asked.sheet.question(asked.state)
        for number, choice in enumerate(islice(answers.every(asked.sheet, asked.state, question), 30), 1):
            assert written(asked.parse(f"{number}.")) == choice.order
            with pytest.raises(BadMove):
                replace(asked, numbered=False).parse(str(number))


@pytest.mark.parametrize(
    "text", ["0", "99", "9999", "build 0", "build 1; 99", "build 1;", "9" * 5_000, "build " + "1; " * 3_000]
)
def test_a_number_that_no_answer_has_is_told(text: str) -> None:
    with pytest.raises(BadMove) as told:
        BUILDING.parse(text)
    assert str(told.value.sentence())


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "build 1; 3"), ("en", "Hi Ben,\n\nBuild 1;3\n\nThanks"), ("pl", "zbuduj 1; 3"), ("es", "construyo 1; 3")],
)
def test_several_links_are_built_by_their_numbers(language: str, text: str) -> None:
    first, _, third, *_ = answers.listed(BUILDING.sheet, BUILDING.state, BUILDING.sheet.question(BUILDING.state))
    with reading(language):
        said = written(replace(BUILDING).parse(text))
    assert said == f"{first.order}; {third.order.removeprefix('build ')}"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "move red Duluth by Minneapolis, Des Moines (Ana) to Chicago"),
        ("en", "move red A2 BY f1,O2(ana) TO L7"),
        ("pl", "dostarcz czerwony Duluth poprzez Minneapolis, Des Moines (Ana) do Chicago"),
        ("es", "muevo rojo Duluth pasando por Minneapolis, Des Moines (Ana) hacia Chicago"),
        ("pt", "movo vermelho Duluth passando por Minneapolis, Des Moines (Ana) para Chicago"),
    ],
)
def test_a_delivery_can_be_said_in_words(language: str, text: str) -> None:
    with reading(language):
        assert written(SHARES.parse(text)) == "move red A2 > F1 > O2(red) > L7"
