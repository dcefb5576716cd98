"""What sentences tell people to type is in their language, and is read as what the English sentence has."""

import re
from datetime import date

import pytest
from babel.messages.pofile import read_po

from pbem.language import email_words, orders, reading
from pbem.service.email_in import days, mail_words
from pbem.settings.paths import templates_folder
from tests.age_of_steam.typed_orders import VOCABULARY

CODES = ("es", "pl", "pt")
QUOTED = re.compile(r"[“«„]([^“”«»„]*)[”»]")
OURS = re.compile(r"pbem/(age_of_steam|steam_power|engine|rails)/|maps/|templates/|pbem/service/")
TOLD = re.compile(r"(?:the word|reply with|with the word|[Rr]eply to (?:this|that) email with) (\w+)")
DAYS = ("pause until 5 December", "away from 24 Dec to 2 Jan")


def sentences(code: str) -> dict[str, str]:
    """English sentences that speak of the game, and how a language has them."""
    path = templates_folder() / "messages" / code / "LC_MESSAGES" / "pbem.po"
    with path.open("rb") as file:
        return {
            message.id: str(message.string)
            for message in read_po(file)
            if isinstance(message.id, str) and message.id and not message.context
            and any(OURS.match(place) for place, _ in message.locations)
        }  # fmt: skip


def typed(english: str) -> set[str]:
    """What of a sentence is to be typed as orders."""
    found = (quoted.strip() for quoted in QUOTED.findall(english))
    return {one for one in found if one.partition(" ")[0] in (*orders.WORDS, *email_words.WORDS)}


@pytest.mark.parametrize("code", CODES)
def test_orders_in_sentences_are_in_the_language_and_read_as_the_english_ones(code: str) -> None:
    found = 0
    with reading(code):
        for english, said in sentences(code).items():
            meant = typed(english)
            if not meant:
                continue
            read = {orders.in_english(email_words.in_english(one)) for one in QUOTED.findall(said)}
            assert meant <= read, (english, said)
            known = {one for one in meant if orders.spoken(email_words.spelled(one)) == one}
            assert not (meant - known) & set(QUOTED.findall(said)), (english, said)
            found += 1
    assert found > 15


@pytest.mark.parametrize("code", CODES)
def test_words_to_reply_with_are_in_the_language(code: str) -> None:
    found = 0
    with reading(code):
        for english, said in sentences(code).items():
            for word in TOLD.findall(english):
                if word not in email_words.WORDS:
                    continue
                own = email_words.spelled(word)
                assert re.search(rf"(?<!\w){own}(?!\w)", said), (english, said)
                assert own == word or not re.search(rf"(?<!\w){word}(?!\w)", said), (english, said)
                found += 1
    assert found >= 4


@pytest.mark.parametrize("code", CODES)
def test_days_in_sentences_are_read(code: str) -> None:
    with reading(code):
        for english, said in sentences(code).items():
            shown = next((one for one in DAYS if one in english), "")
            if not shown:
                continue
            ours, own = (mail_words.parts(email_words.in_english(one)) for one in (shown, QUOTED.findall(said)[0]))
            today = date(2026, 11, 20)
            assert ours.word == own.word != ""
            assert days.read(ours.first, today) == days.read(own.first, today)
            assert days.read(ours.last, today) == days.read(own.last, today) is not None


@pytest.mark.parametrize(
    ("code", "text", "first", "last"),
    [
        ("pt", "ausente de 24 de dezembro até 2 de janeiro", "24 de dezembro", "2 de janeiro"),
        ("pt", "Ausente 24 de dezembro até 2 de janeiro", "24 de dezembro", "2 de janeiro"),
        ("es", "ausencia del 24 de diciembre al 2 de enero", "24 de diciembre", "2 de enero"),
        ("es", "ausente desde 2026-12-24 hasta 2027-01-02", "2026-12-24", "2027-01-02"),
        ("pl", "nieobecność od 24 grudnia do 2 stycznia", "24 grudnia", "2 stycznia"),
    ],
)
def test_an_absence_is_announced_in_ones_own_language(code: str, text: str, first: str, last: str) -> None:
    with reading(code):
        said = mail_words.parts(email_words.in_english(text))
    assert (said.word, said.first, said.last) == ("away", first, last)


@pytest.mark.parametrize("code", CODES)
def test_how_orders_are_written_is_said_in_the_words_of_the_reader(code: str) -> None:
    """Every usage: its words are read, and what stands in place of names is no word of English."""
    with reading(code):
        for usage in (usage for word in VOCABULARY.orders.values() for usage in word.usage):
            said = orders.spoken(usage)
            assert not {*re.findall(r"[A-Z]{3,}", said)} & {*orders.PARTS} - {"HEX"}, said
            assert orders.in_english(said).split()[0] == usage.split()[0] or said[0].isupper(), (usage, said)
