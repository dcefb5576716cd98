"""Files of finished games: asked for on a page, made by a worker, kept for a while."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import ExifTags, Image
from sqlalchemy import select

import pbem
from pbem import render
from pbem.service import NotNow
from pbem.service.archive import copies, game_files, records
from pbem.service.archive.copies import KEPT, LEASE, TRIES
from pbem.service.base.rate_limits import COPIES, TooMuch
from pbem.service.base.seals import seal, sealed
from pbem.service.base.task_hints import Hint
from pbem.store.statuses import CopyKind
from pbem.store.tables import Copy
from pbem.transport import broker
from tests.web.conftest import Games
from tests.web.site import Site
from workers import clock, work
from workers import copies as making


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    return Games(tmp_path_factory.mktemp("copies"))


@pytest.fixture
def over(games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A finished game of which few pictures are drawn, with a data directory of its own."""
    site = games.at("over")
    site.office = replace(site.office, settings=replace(site.office.settings, data_dir=tmp_path))
    monkeypatch.setattr(making, "MOST", 4)
    monkeypatch.setattr(making, "MOST_FRAMES", 3)
    monkeypatch.setattr(making, "EVERY", 1)
    monkeypatch.setattr(work, "now", lambda: site.now)
    yield site
    games.close(site)


def asked(site: Site, kind: CopyKind = CopyKind.PICTURES) -> int:
    copies.ask(site.office, site.game, kind, "en", "somebody", site.now)
    (number,) = copies.look(site.office, site.now, site.now)
    return number


def made(site: Site, kind: CopyKind) -> Path:
    making.make(site.office, asked(site, kind))
    assert copies.of_game(site.office, site.game, "en", site.now)[kind].size > 0
    return copies.path_of(site.office, site.game, copies.name_of(kind, "en"))


def test_the_archive_holds_a_picture_of_the_first_position_and_of_the_last(over: Site) -> None:
    last = over.view().version
    with ZipFile(made(over, CopyKind.PICTURES)) as archive:
        *names, manifest = archive.namelist()
        assert (names[0], names[-1], len(names)) == ("order-0000.png", f"order-{last:04}.png", 4)
        assert Image.open(BytesIO(archive.read(names[-1]))).width == 1400
        told = json.loads(archive.read(manifest))
        assert told == sealed(told)
        assert told["record"] == seal(records.export(over.office, over.game))
        assert told["pictures"] == {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}


def test_the_animation_moves_and_is_half_as_large(over: Site) -> None:
    with Image.open(made(over, CopyKind.ANIMATION)) as film:
        assert (getattr(film, "n_frames", 1), film.width) == (3, 700)
        told = film.getexif()
    assert told[ExifTags.Base.Software] == f"pbem {pbem.__version__}"
    assert told[ExifTags.Base.ImageDescription].endswith(seal(records.export(over.office, over.game)))


def test_a_book_is_made_in_the_language_of_who_asks(over: Site) -> None:
    copies.ask(over.office, over.game, CopyKind.LETTER, "pl", "somebody", over.now)
    making.make(over.office, copies.look(over.office, over.now, over.now)[0])
    assert CopyKind.LETTER not in copies.of_game(over.office, over.game, "en", over.now)
    assert copies.of_game(over.office, over.game, "pl", over.now)[CopyKind.LETTER].size > 0
    content = copies.path_of(over.office, over.game, "letter-pl").read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/Lang (pl)" in content


def test_the_one_file_of_a_game_is_asked_for_by_its_address_and_made_meanwhile(over: Site) -> None:
    over.app.extensions["pbem.context"] = replace(over.app.extensions["pbem.context"], office=over.office)
    address = f"/games/{over.game}/game.html"
    first = over.client.get(address)
    assert (first.status_code, first.location) == (303, f"/games/{over.game}/copies")
    assert over.client.get(address).status_code == 303, "it is asked for once"
    (number,) = copies.look(over.office, over.now, over.now)
    making.make(over.office, number)
    with over.client.get(address) as answer:
        assert answer.headers["Content-Disposition"] == f"attachment; filename={over.game}-page-en.html"
        assert answer.mimetype == "text/html"
        assert game_files.read(answer.data)[1] == over.view().title


def test_in_clear_colours_it_is_another_file(over: Site) -> None:
    usual = made(over, CopyKind.PAGE).read_bytes()
    copies.ask(over.office, over.game, CopyKind.PAGE, "en-c", "somebody", over.now)
    making.make(over.office, copies.look(over.office, over.now, over.now)[0])
    clear = copies.path_of(over.office, over.game, "page-en-c").read_bytes()
    assert clear != usual
    assert game_files.read(clear) == game_files.read(usual)


def test_nobody_makes_a_file_twice_and_one_that_died_is_begun_anew(over: Site) -> None:
    number = asked(over)
    assert copies.claim(over.office, number, over.now) is not None
    assert copies.claim(over.office, number, over.now) is None
    assert copies.look(over.office, over.now, over.now) == []
    copies.progress(over.office, number, 2, 4, over.later(seconds=100))
    shown = copies.of_game(over.office, over.game, "en", over.now)[CopyKind.PICTURES]
    assert (shown.done, shown.total, shown.size) == (2, 4, 0)
    assert copies.claim(over.office, number, over.later(seconds=100)) is None, "it has just given a sign of life"
    assert copies.claim(over.office, number, over.later(minutes=2)) is not None


def test_what_cannot_be_made_is_given_up_until_asked_again(over: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    number = asked(over)
    with monkeypatch.context() as broken:
        broken.setattr(render, "board_png", lambda _scene: 1 / 0)
        for _ in range(TRIES):
            with pytest.raises(ZeroDivisionError):
                making.make(over.office, number)
            over.now += LEASE
    making.make(over.office, number)
    assert copies.of_game(over.office, over.game, "en", over.now)[CopyKind.PICTURES].failed
    assert [*(over.office.settings.data_dir / "copies").iterdir()] == []
    assert made(over, CopyKind.PICTURES).is_file()


def test_files_are_deleted_when_their_time_is_over(over: Site) -> None:
    path = made(over, CopyKind.A5)
    clock.tick(over.office, over.later(days=2))
    assert path.is_file()
    clock.tick(over.office, over.later(days=2))
    assert not path.exists()
    assert copies.of_game(over.office, over.game, "en", over.now) == {}


def test_the_oldest_files_give_way(over: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made(over, CopyKind.A5)
    over.later(hours=1)
    monkeypatch.setattr(copies, "ROOM", 1)
    second = made(over, CopyKind.PICTURES)
    assert second.is_file()
    assert not first.exists()
    assert list(copies.of_game(over.office, over.game, "en", over.now)) == [CopyKind.PICTURES]


def test_the_clock_hints_again_at_what_waits(over: Site) -> None:
    number = asked(over)
    hints: list[Hint] = []
    office = replace(over.office, hints=replace(over.office.hints, take=hints.append))
    clock.tick(office, over.later(minutes=1))
    assert Hint(broker.MAKE, number) in hints


def test_a_file_that_is_there_is_not_asked_for_again_and_one_that_was_lost_is(over: Site) -> None:
    path = made(over, CopyKind.A5)
    copies.ask(over.office, over.game, CopyKind.A5, "en", "somebody", over.now)
    assert copies.look(over.office, over.now, over.now) == []
    path.unlink()
    assert asked(over, CopyKind.A5)


def forget(site: Site) -> None:
    """Nobody has asked for the file."""
    with site.office.write() as session:
        session.delete(session.scalars(select(Copy)).one())


def test_requests_are_limited(over: Site, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = replace(over.office, settings=replace(over.office.settings, rate_limits=True))
    monkeypatch.setattr(copies, "MOST_WAITING", 1)
    copies.ask(limited, over.game, CopyKind.A5, "en", "somebody", over.now)
    with pytest.raises(NotNow):
        copies.ask(limited, over.game, CopyKind.PICTURES, "en", "somebody else", over.now)
    monkeypatch.setattr(copies, "MOST_WAITING", 100)
    for _ in range(COPIES.most - 1):
        forget(over)
        copies.ask(limited, over.game, CopyKind.A5, "en", "somebody", over.now)
    forget(over)
    with pytest.raises(TooMuch):
        copies.ask(limited, over.game, CopyKind.A5, "en", "somebody", over.now)
    site = games.at("started")
    with pytest.raises(NotNow):
        copies.ask(site.office, site.game, CopyKind.A5, "en", "somebody", site.now)
    games.close(site)


def test_the_page_says_how_far_a_file_is_and_leads_to_it(over: Site) -> None:
    over.app.extensions["pbem.context"] = replace(over.app.extensions["pbem.context"], office=over.office)
    path = f"/games/{over.game}/copies"
    assert over.get(path).text.count("Make it") == 5
    over.get(f"{path}/pictures", 404)
    over.post(path, {"kind": "pictures"})
    over.post(path, {"kind": "nothing"}, 400)
    assert "Waiting in line." in over.get(path).text
    (number,) = copies.look(over.office, over.now, over.now)
    copies.progress(over.office, number, 1, 4, over.now)
    assert "1 of 4 pictures are drawn." in over.get(path).text
    making.make(over.office, number)
    over.now += LEASE
    making.make(over.office, number)
    page = over.get(path)
    with over.client.get(page.link("copies/pictures")) as answer:
        assert answer.data.startswith(b"PK")
        assert answer.headers["Content-Type"] == "application/zip"
        assert "private" in answer.headers["Cache-Control"], "the game may be in no public list"
    assert "Kept until" in page.text
    over.now += KEPT + timedelta(seconds=1)
    over.get(f"{path}/pictures", 404)
