"""Pictures: immutable where they are addressed by a position, checked by their ETag."""

from __future__ import annotations

import pytest

from tests.web.conftest import Played
from tests.web.site import Site

PNG = b"\x89PNG"


@pytest.mark.parametrize("name", ["board", "map", "thumb"])
def test_the_picture_of_a_position_never_changes(site: Site, name: str) -> None:
    first = site.client.get(f"/games/{site.game}/{name}.png?at=0")
    assert first.data.startswith(PNG)
    assert "immutable" in first.headers["Cache-Control"]
    site.play("issue 2")
    assert site.client.get(f"/games/{site.game}/{name}.png?at=0").data == first.data


def test_the_picture_of_now_is_asked_for_again(site: Site) -> None:
    now = site.client.get(f"/games/{site.game}/board.png")
    assert "immutable" not in now.headers["Cache-Control"]
    again = site.client.get(f"/games/{site.game}/board.png", headers={"If-None-Match": now.headers["ETag"]})
    assert again.status_code == 304
    site.play("issue 2")
    assert site.client.get(f"/games/{site.game}/board.png").headers["ETag"] != now.headers["ETag"]


@pytest.mark.parametrize("at", ["1", "-1", "x", "99999999999999999999", "1.0"])
def test_a_position_that_does_not_exist_has_no_picture(site: Site, at: str) -> None:
    assert site.client.get(f"/games/{site.game}/board.png", query_string={"at": at}).status_code in (400, 404)


@pytest.mark.parametrize(
    "query",
    [
        "hex=B1&new=1.3",
        "hex=B1&new=",
        "hex=ZZ&new=1.3",
        "hex=B1&new=3.3",
        "hex=B1&new=7.1",
        "steps=B1+N-S&hex=B1&new=1.3",
    ],
)
def test_tiles_are_drawn_for_readable_addresses_only(played: Played, query: str) -> None:
    site = played("build")
    answer = site.client.get(f"/games/{site.game}/tile.png?at={site.view().version}&{query}")
    assert answer.status_code == (200 if "new=1.3" in query and "ZZ" not in query else 404)


def test_a_draft_outside_building_has_no_picture(site: Site) -> None:
    assert site.client.get(f"/games/{site.game}/map.png?at=0&steps=B1+N-S").status_code == 404


@pytest.mark.parametrize(
    "path", ["/maps/rust_belt/board.png", "/maps/rust_belt/thumb.png", "/marks/blue.svg", "/robots/clara.png"]
)
def test_maps_marks_and_robots_have_pictures(empty: Site, path: str) -> None:
    assert empty.client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/maps/nowhere/board.png", "/maps/nowhere/thumb.png", "/marks/mauve.svg", "/robots/hal.png", "/maps/nowhere"],
)
def test_unknown_maps_colours_and_robots_are_not_found(empty: Site, path: str) -> None:
    assert empty.client.get(path).status_code == 404
