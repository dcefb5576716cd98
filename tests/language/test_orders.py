"""Orders are read in the reader's language too, and no word of a language stands for two."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random

import pytest

from pbem.engine import BadMove, Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.language import email_words, languages, orders, reading
from pbem.mail.environment import environment
from pbem.rails.names import folded
from pbem.service.email_in import days, mail_words
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
def test_words_to_answer_with_can_be_of_the_language(spanish: None, written: str, meant: str) -> None:
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


def position(slug: str, phase: str, seats: int = 3) -> tuple[Sheet, State]:
    """The first question of a phase on a map of Age of Steam."""
    sheet, chance = catalog.sheet("age-of-steam", slug), SeededChance(bytes(32), "deal")
    state = sheet.start(sheet.colours[:seats], chance, {}).state
    while sheet.phase(state) != phase:
        seat = sheet.to_act(state)
        assert seat is not None
        order = "issue 2" if sheet.phase(state) == "issue_shares" else str(sheet.default(state))
        state = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
    return sheet, state


@pytest.mark.parametrize(
    ("code", "slug", "typed", "meant"),
    [
        ("es", "western_us", "mover azul El Paso hacia Amarillo", "move blue El Paso to Amarillo"),
        ("es", "western_us", "mover amarillo L20 hacia K20", "move yellow L20 to K20"),
        ("pl", "poland", "dostarcz niebieski Zielona Góra do Zielona Góra", "move blue Zielona Góra to Zielona Góra"),
        (
            "pt",
            "st_lucia",
            "mover azul Barre de l'Isle para Barre de l’Isle",
            "move blue Barre de l'Isle to Barre de l'Isle",
        ),
    ],
)
def test_places_that_are_words_of_the_language_stay_names(code: str, slug: str, typed: str, meant: str) -> None:
    sheet, state = position(slug, "issue_shares")
    for name in ("El Paso", "Amarillo"):
        assert (name in sheet.place_names(state).values()) == (slug == "western_us")

    def judged(text: str) -> str:
        try:
            return "; ".join(map(str, orders.parse(sheet, state, text, {})))
        except BadMove as bad:
            return str(bad.expected)

    with reading(code):
        own = judged(typed)
    assert own == judged(meant)
    assert own.startswith("move") or "no hex" in own, own


def test_a_player_who_is_called_like_a_colour_is_never_taken_for_another_seat(spanish: None) -> None:
    sheet, state = position("rust_belt", "issue_shares")
    assert sheet.colours[:3] == ("blue", "green", "yellow")
    names = {"blue": "Ana", "green": "Azul", "yellow": "Azul Marino"}
    (move,) = orders.parse(sheet, state, "mover azul L7 > K12(Azul)", {"green": "Ben"})
    assert str(move) == "move blue L7 > K12(blue)"
    with pytest.raises(BadMove):  # the cube or the player: nobody can say
        orders.parse(sheet, state, "mover azul L7 > K12(Azul)", names)
    (move,) = orders.parse(sheet, state, "mover roja L7 > K12(Azul) > Q10(Azul Marino)", names)
    assert str(move) == "move red L7 > K12(green) > Q10(yellow)"


@pytest.mark.parametrize(
    ("typed", "line", "column", "found"),
    [
        ("emito 4 más", 1, 8, "más"),
        ("emito azul", 1, 6, "azul"),
        ("emito 2\nmuevo orden  de turno L7", 2, 6, "orden  de turno"),
        ("emito", 1, 5, ""),
        ('construir "azul azul" x', 1, 10, '"azul azul" x'),
        ("acción orden de turno > azul", 1, 24, "azul"),
    ],
)
def test_what_cannot_be_read_is_quoted(spanish: None, typed: str, line: int, column: int, found: str) -> None:
    sheet, state = position("rust_belt", "issue_shares")
    with pytest.raises(BadMove) as caught:
        orders.parse(sheet, state, typed, {})
    bad = caught.value
    assert (bad.line, bad.column, bad.found) == (line, column, found), bad.sentence()


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
    files = [*ROOT.glob("pbem/*/notation*.py"), *ROOT.glob("maps/*/*.py")]
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
        for word in email_words.WORDS:
            if word not in ("from", "until"):
                assert email_words.in_english(email_words.typed(word)).startswith(word)


SHEETS = (
    ("age-of-steam", "rust_belt"), ("age-of-steam", "western_us"), ("age-of-steam", "poland"),
    ("age-of-steam", "france"), ("age-of-steam", "st_lucia"), ("age-of-steam", "heavy_cardboard"),
    ("steam-power", "ireland"),
)  # fmt: skip
LIKE_COLOURS = ("Rosa", "Verde", "Zielony Azul", "Violeta", "Czarny", "Amarillo")
"""Names that are colours in some language."""


def lists(sheet: Sheet, state: State) -> list[str]:
    """Orders that an email may show for a position."""
    question = sheet.question(state)
    listed = [choice.order for choice in question.choices[:12]]
    return list(dict.fromkeys([*listed, *sheet.placements(state)[:12]]))


@pytest.mark.parametrize(("game", "slug"), SHEETS)
@pytest.mark.parametrize("names", [(), LIKE_COLOURS], ids=["nobody", "colours"])
def test_orders_shown_in_a_language_are_read_as_they_are(game: str, slug: str, names: tuple[str, ...]) -> None:
    """Each question of a turn or two."""
    luck = Random(1)
    sheet, chance = catalog.sheet(game, slug), SeededChance(bytes(32), "deal")
    state = sheet.start(sheet.colours[: max(sheet.player_counts())], chance, {}).state
    called = dict(zip(sheet.colours, names, strict=False))
    shown = 0
    for _ in range(60):
        seat = sheet.to_act(state)
        if seat is None:
            break
        for order in lists(sheet, state):
            moves = sheet.parse(state, order, {})
            for code in ("es", "pl", "pt"):
                with reading(code):
                    said = orders.spoken(order, called.values())
                    assert orders.parse(sheet, state, said, called) == moves, (code, order, said)
                    assert email_words.in_english(said) == said, (code, order)  # no word of emails
                    assert mail_words.parts(said).word == "", (code, order)
                    shown += said != order
        moves = sheet.parse(state, luck.choice(lists(sheet, state)), {})
        state = sheet.play(state, seat, moves, chance).state
    assert shown > 200


@pytest.mark.parametrize("code", ["es", "pl", "pt"])
def test_the_examples_of_the_help_with_days_are_read(code: str) -> None:
    language = next(language for language in languages() if language.code == code)
    pause = language.translate("asks the others for a pause; pause until 5 December asks for one until then")
    away = language.translate("announces an absence in all your games: away from 24 Dec to 2 Jan")
    with reading(code):
        found = [mail_words.parts(email_words.in_english(_quoted(said))) for said in (pause, away)]
    today = date(2026, 11, 20)
    assert [part.word for part in found] == ["pause", "away"]
    assert days.read(found[0].last, today) == date(2026, 12, 5)
    assert (days.read(found[1].first, today), days.read(found[1].last, today)) == (date(2026, 12, 24), date(2027, 1, 2))


def _quoted(sentence: str) -> str:
    found = re.search("[«„“](.+?)[»”]", sentence)
    assert found is not None, sentence
    return found[1]


@pytest.mark.parametrize("code", ["es", "pl", "pt"])
def test_words_are_listed_as_they_are_typed_in_a_language(code: str) -> None:
    def meant(word: str) -> mail_words.Parts:
        return mail_words.parts(email_words.in_english(email_words.typed(word).replace("…", "2026-12-24")))

    with reading(code):
        for word in {*email_words.ALONE, "away"} - {"close", "map"}:
            assert meant(word).word == word
        assert meant("map").explain == ("map",)
        assert all(meant(word).explain == (f"{word} 2026-12-24",) for word in email_words.ABOUT_PLACES)
        assert (meant("say").talk, meant("note").note) == ("2026-12-24", "2026-12-24")
        assert meant("try").orders.startswith("try ")
        assert orders.in_english(email_words.typed("cancel")) == "cancel"


def test_a_word_of_an_email_is_that_of_each_reader() -> None:
    said = environment().from_string('{{ "help"|spelled }}')
    for code, word in {"pl": "pomoc", "es": "ayuda", "en": "help"}.items():
        with reading(code):
            assert said.render() == word


def test_emails_name_words_as_their_reader_types_them() -> None:
    sentences = [path.read_text("utf-8") for path in (ROOT / "templates" / "mail").rglob("*.jinja")]
    named = [word for text in sentences for word in re.findall(r'"([a-z]+)"\|strong', text)]
    assert [word for word in named if word in (*email_words.WORDS, *orders.WORDS)] == []
    assert any('"try"|spelled|strong' in text for text in sentences)


FORMS = {
    "es": {
        "issue": "emitir emito emite emita",
        "build": "construir construyo construye construya",
        "move": "mover muevo mueve mueva entrego",
        "bid": "pujar pujo puja puje",
        "drop": "retirarse me_retiro retírate retírese",
        "pass": "pasar paso pasa pase",
        "loco": "mejorar mejoro mejora mejore",
        "draw": "robar robo roba robe",
        "produce": "producir produzco produzca",
        "pay": "pagar pago paga pague",
        "decline": "renunciar renuncio renuncia renuncie",
        "cancel": "cancelar cancelo cancela cancele",
        "resign": "abandonar abandono abandona abandone",
        "lift": "cargar cargo",
        "action": "elegir elijo elige elija",
    },
    "pt": {
        "issue": "emitir emito emita emite",
        "build": "construir construo construa constrói",
        "move": "mover movo mova entrego",
        "bid": "apostar aposto aposte aposta",
        "drop": "sair saio saia sai",
        "pass": "passar passo passe passa",
        "loco": "melhorar melhoro melhore",
        "draw": "pegar pego pegue pega",
        "produce": "produzir produzo produza produz",
        "pay": "pagar pago pague paga",
        "decline": "recusar recuso recuse recusa",
        "cancel": "cancelar cancelo cancele cancela",
        "resign": "desistir desisto desista desiste",
        "lift": "levar levo leve leva",
        "action": "escolher escolho escolha",
    },
    "pl": {
        "issue": "emitować emituję emituj wyemituj wyemituję",
        "build": "budować buduję buduj zbuduj zbuduję",
        "move": "przewieźć przewożę przewieź przewiozę dostarczam",
        "bid": "licytować licytuję licytuj zalicytuję",
        "drop": "odpaść odpadam odpadnij odpadnę",
        "pass": "pasować pasuję pasuj pas",
        "loco": "ulepszyć ulepszam ulepsz",
        "draw": "losować losuję losuj dobieram dobierz",
        "produce": "produkować produkuję produkuj",
        "pay": "płacić płacę płać zapłacę",
        "decline": "odmówić odmawiam odmów nie_płacę",
        "cancel": "odwołać odwołuję odwołaj",
        "resign": "poddać_się poddaję_się poddaj_się",
        "lift": "podnieść podnoszę podnieś",
        "action": "wybrać wybieram wybierz",
    },
}


@pytest.mark.parametrize("code", FORMS)
def test_verbs_are_read_as_people_write_them_of_themselves_and_as_commands(code: str) -> None:
    with reading(code):
        for word, forms in FORMS[code].items():
            for form in forms.replace("_", "-").split():
                for written in (form, form.capitalize(), folded(form) if "-" not in form else form.replace("-", " ")):
                    assert orders.in_english(f"{written} 2") == f"{word} 2", written


@pytest.mark.parametrize("code", FORMS)
def test_no_word_of_orders_is_another_word_of_emails(code: str) -> None:
    language = next(language for language in languages() if language.code == code)
    of_orders, of_emails = dict(orders.spellings(language)), dict(email_words.spellings(language))
    first = {
        spelling for spelling in of_emails if of_emails[spelling] not in ("until", "from")
    }  # these stand behind others
    for spelling in of_orders.keys() & first:
        assert of_orders[spelling] == of_emails[spelling], spelling
    for spelling, word in of_orders.items():
        assert spelling not in mail_words.SAYS_YES | mail_words.SAYS_NO, spelling
        assert spelling not in email_words.WORDS or spelling == word, spelling
    for spelling in of_emails:
        assert spelling not in map(folded, orders.WORDS) or spelling == of_emails[spelling], spelling
