"""Books: pages, fonts, text, size, time; and that no page is left almost empty."""

import json
import re
import time
from collections.abc import Iterator

import pytest
from pypdfium2 import PdfDocument, PdfPage

from pbem.engine import replace
from pbem.engine.record import write_record
from pbem.language import reading
from pbem.render import BOOK_PAPERS, book_pdf
from pbem.service.archive import books, records
from pbem.service.base import NotNow
from pbem.views.log import Book
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.web.conftest import Games
from tests.web.site import Site

SIX, STEAM_POWER = "germany-6-shared-victory-reduction_table=first_edition", "ireland-5-to-the-end-cash_action=5"
LARGEST = 6_000_000
LONGEST = 10.0
"""Seconds of the processor."""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    games = Games(tmp_path_factory.mktemp("books"))
    site = games.fresh()
    yield site
    games.close(site)


def _book(site: Site, name: str) -> Book:
    raw = write_record(load(GAMES / f"{name}{SUFFIX}").record)
    game = records.import_record(site.office, json.dumps(raw | {"source": "A <long> game & its end"}), site.now)
    return books.of_game(site.office, game)


def _text(page: PdfPage) -> str:
    found: str = page.get_textpage().get_text_range()
    return " ".join(found.split())


def _filled(page: PdfPage) -> float:
    """How far down a page something stands, above its foot."""
    seen = page.render(scale=0.3, grayscale=True).to_pil()
    box = seen.crop((0, 0, seen.width, round(seen.height * 0.93))).point(lambda shade: 255 * (shade < 245)).getbbox()
    return 0.0 if box is None else box[3] / seen.height


@pytest.mark.parametrize(("name", "paper"), [(SIX, "a5"), (STEAM_POWER, "letter")])
def test_a_book_has_every_turn_its_log_and_the_proof_of_its_dice(empty: Site, name: str, paper: str) -> None:
    book = _book(empty, name)
    begun = time.process_time()
    content = book_pdf(book, paper)
    assert time.process_time() - begun < LONGEST
    assert len(content) < LARGEST
    pdf = PdfDocument(content)
    assert {(round(wide), round(high)) for wide, high in map(PdfPage.get_size, pdf)} == {
        (round(BOOK_PAPERS[paper].wide), round(BOOK_PAPERS[paper].high))
    }
    pages = list(map(_text, pdf))
    text = " ".join(pages)
    titles = [found.get_title() for found in pdf.get_toc()]
    turns = len({move.turn for move in book.game.log if move.number > 0})
    assert len(titles) == 1 + turns + 2
    assert all(title in text for title in titles)
    assert "A <long> game & its end" in text
    assert book.game.seed in text
    assert book.address in text
    assert book.chapters[-1].lines[-1].sentences[-1].read(book.game.voice) in text
    assert min(map(_filled, pdf)) > 0.35, "no page is left almost empty"
    assert book.digest in pages[-1]
    assert book.digest in pdf.get_metadata_dict()["Subject"]


def test_all_letters_are_in_the_file(empty: Site) -> None:
    content = book_pdf(_book(empty, STEAM_POWER), "a5")
    used = set(re.findall(rb"/BaseFont */([\w+-]+)", content)) - {
        b"Helvetica"
    }  # which is named, and in which nothing is
    held = set(re.findall(rb"/FontFile2 \d+ 0 R[^>]*/FontName */([\w+-]+)", content))
    assert used
    assert used == held
    assert all(b"IBMPlexSansCond" in name for name in used)


def test_names_in_any_letters_can_be_read_in_a_book(empty: Site) -> None:
    book = _book(empty, STEAM_POWER)
    names = dict(zip(book.game.names, ("王小明", "Иван", "محمد"), strict=False))
    seats = tuple(replace(seat, name=names.get(seat.seat, seat.name)) for seat in book.game.seats)
    text = " ".join(map(_text, PdfDocument(book_pdf(replace(book, game=replace(book.game, seats=seats)), "a5"))))
    assert "WangXiaoMing" in text
    assert "Ivan" in text
    assert "mhmd" in text
    assert "王" not in text


def test_a_book_is_written_in_the_language_that_is_read(empty: Site) -> None:
    book = _book(empty, STEAM_POWER)
    texts = {}
    for code in ("en", "es", "pl", "pt"):
        with reading(code):
            content = book_pdf(book, "a5")
        texts[code] = _text(list(PdfDocument(content))[-1])
        assert f"/Lang ({code})".encode() in content
    assert "The dice of this game" in texts["en"]
    assert "Kości tej gry" in texts["pl"]
    assert len(set(texts.values())) == 4


def test_a_game_that_goes_on_has_no_book(empty: Site) -> None:
    empty.start()
    with pytest.raises(NotNow):
        books.of_game(empty.office, empty.game)
