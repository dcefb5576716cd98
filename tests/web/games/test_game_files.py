"""Game files: what is in them, who gets them, and what an import takes from them."""

import json
import re
from collections.abc import Iterator

import pytest

import pbem
from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import game_files, records
from pbem.service.base import BadInput
from pbem.service.base.seals import seal, sealed
from pbem.service.games import views
from pbem.store.statuses import ReviewStatus
from pbem.store.tables import Game
from pbem.web import game_file
from pbem.web.games.film import Film
from tests.reviewed import decisions, put
from tests.web.conftest import Games, Played
from tests.web.site import Site

OUTSIDE = re.compile(r"""(?:src|href|action|data|poster)="(?!#|data:)|https?://(?!www\.w3\.org/2000/svg)|@import""")
"""An address that a page needs or leads to, but for places in itself and the name of SVG."""


@pytest.fixture(scope="module")
def over(saved: Games) -> Iterator[Site]:
    site = saved.at("over")
    yield site
    saved.close(site)


def _file(site: Site, game: str = "") -> bytes:
    return game_file(site.office, game or site.game)


def test_the_page_of_a_finished_game_leads_to_its_file(over: Site) -> None:
    page = over.get(f"/games/{over.game}")
    assert f"/games/{over.game}/game.html" in page.links


def test_a_game_that_goes_on_has_no_file(site: Site) -> None:
    assert site.client.get(f"/games/{site.game}/game.html").status_code == 404


def test_a_game_in_no_list_has_none_for_strangers(played: Played) -> None:
    site = played("over")
    with site.office.work(site.now) as work:
        work.session.get_one(Game, site.game).unlisted = True
    assert site.client.get(f"/games/{site.game}/game.html").status_code == 404


def test_a_file_names_no_address_outside_it(over: Site) -> None:
    text = _file(over).decode()
    assert OUTSIDE.findall(text) == []
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert " style=" not in text.split('id="film"')[0]


def test_colours_for_colour_blind_eyes_are_in_the_file_too(over: Site) -> None:
    plain, clear = _file(over).decode(), game_file(over.office, over.game, clear=True).decode()
    assert "../marks/" not in plain
    assert "../marks/" not in clear
    assert plain != clear


def test_an_import_of_a_file_is_the_same_game(over: Site, empty: Site) -> None:
    before = records.export(over.office, over.game)
    number = records.import_record(empty.office, _file(over), empty.now)
    after = records.export(empty.office, number)
    assert seal(after) == seal(before)
    assert after == before
    assert views.game(empty.office, number).title == over.view().title
    assert views.game(empty.office, number).sheet.position(views.game(empty.office, number).state) == (
        over.view().sheet.position(over.view().state)
    )
    again = records.import_record(empty.office, _file(empty, number), empty.now)
    assert again == number, "the same game is not taken twice"
    assert records.import_record(empty.office, json.dumps(before), empty.now) == number
    record = over.client.get(f"/games/{over.game}/record.json")
    assert record.get_json() == {**before, "version": pbem.__version__, "sha256": seal(before)}
    assert records.import_record(empty.office, record.data, empty.now) == number


def test_what_is_no_game_file_or_was_changed_is_refused_with_a_sentence(over: Site) -> None:
    content = _file(over)
    with pytest.raises(BadInput, match="there is no record in it"):
        records.import_record(over.office, over.client.get("/archive").data, over.now)
    with pytest.raises(BadInput, match="was changed after it was saved"):
        records.import_record(over.office, content.replace(b'"format":"pbem-record/1",', b"", 1), over.now)
    record = over.client.get(f"/games/{over.game}/record.json").get_json()
    with pytest.raises(BadInput, match="was changed after it was saved"):
        records.import_record(over.office, json.dumps({**record, "names": {}}), over.now)
    with pytest.raises(BadInput, match="of a newer version of this program; this one reads pbem-record/1"):
        records.import_record(over.office, json.dumps(sealed({**record, "format": "pbem-record/2"})), over.now)
    with pytest.raises(BadInput, match="is not JSON"):
        records.import_record(over.office, content.replace(b'{"format"', b'{"format', 1), over.now)


def test_names_cannot_leave_the_record_and_become_markup(empty: Site) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    raw = write_record(record)
    (seat,) = record.players
    raw |= {"names": {seat: "</script><img src=x>"}, "source": 'A "<b>title</b>" & more'}
    number = records.import_record(empty.office, json.dumps(raw), empty.now)
    content = _file(empty, number)
    assert b"<img src=x>" not in content
    assert b"<b>title" not in content
    assert game_files.read(content)[1] == 'A "<b>title</b>" & more'
    assert records.import_record(empty.office, content, empty.now) == number


def test_the_review_of_a_game_is_in_its_file_once_it_is_done(played: Played) -> None:
    site = played("over")
    put(site, decisions(site)[:1], ReviewStatus.WORKING, part=20)
    assert "Where the game turned" not in _file(site).decode()
    put(site, decisions(site))
    review = _file(site).decode().partition('id="turned-h"')[2].partition('id="verify-h"')[0]
    mistake, small, best, unclear = decisions(site)
    for one, points in ((mistake, "−11"), (small, "−4"), (best, "+8")):
        assert f'{points} <span class="quiet">± 1</span>' in review
        assert f'href="#{one.number}"' in review
    assert f'href="#{unclear.number}"' not in review


def test_a_film_gives_every_position_back() -> None:
    positions = ["abc", "abc", "axbc", "xbcc", "", "ccab", "abba"]
    film = Film()
    for position in positions:
        film.add(position)
    told, now, found = film.as_json(), list[int](), list[str]()
    for changes in told["steps"]:
        for at, gone, come in changes:
            now[at : at + gone] = come
        found.append("".join(told["pieces"][number] for number in now))
    assert found == positions
    assert sorted(told["pieces"]) == ["a", "b", "c", "x"], "every piece once"
