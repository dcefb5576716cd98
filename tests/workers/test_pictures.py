"""The boards of letters: one picture for all who are told of the same position."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from pbem import render
from pbem.letter import Picture
from pbem.service.letters import correspondence
from pbem.service.letters.correspondence import Draft
from tests.table import Table
from workers import pictures


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(pictures, "_kept", type(pictures._kept)())
    return fresh


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The pictures that were drawn."""
    found: list[bytes] = []
    draw = render.board_png

    def noted(scene: object) -> bytes:
        found.append(draw(scene))  # type: ignore[arg-type] # a scene, as the real one is given
        return found[-1]

    monkeypatch.setattr(render, "board_png", noted)
    return found


def started(table: Table) -> list[Draft]:
    """The letters that tell of the start, with the board."""
    table.start()
    drafts = [correspondence.letter(table.office, row.id, table.now) for row in table.letters()]
    return [draft for draft in drafts if draft.view.envelope.kind in ("game-started", "your-turn")]


def test_one_picture_is_drawn_for_all_letters_about_one_position(table: Table, drawn: list[bytes]) -> None:
    drafts = started(table)
    shown = [pictures.picture(draft) for draft in drafts]
    assert len({draft.view.envelope.to for draft in drafts}) > 1
    assert [picture.png for picture in shown if picture] == len(drafts) * drawn
    assert len(drawn) == 1


def test_after_another_order_another_picture_is_drawn(table: Table, drawn: list[bytes]) -> None:
    (draft, *_) = started(table)
    pictures.picture(draft)
    table.play()
    row = table.letters("your-turn")[-1]
    pictures.picture(correspondence.letter(table.office, row.id, table.now))
    assert len(set(drawn)) == 2


def test_a_player_who_has_another_name_by_now_is_drawn_with_it(table: Table, drawn: list[bytes]) -> None:
    (draft, *_) = started(table)
    game = draft.view.game
    assert game is not None
    seats = (replace(game.seats[0], name="Zsófia"), *game.seats[1:])
    pictures.picture(draft)
    pictures.picture(replace(draft, view=replace(draft.view, game=replace(game, seats=seats))))
    assert len(set(drawn)) == 2


def test_the_picture_of_the_game_longest_unasked_for_is_forgotten(
    table: Table, drawn: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    (draft, *_) = started(table)
    game = draft.view.game
    assert game is not None
    monkeypatch.setattr(pictures, "KEPT", 2)
    pictures._kept.clear()
    for name in ("first", "second", "first", "third", "first", "second"):
        pictures.picture(replace(draft, view=replace(draft.view, game=replace(game, id=name))))
    assert len(drawn) == 4
    assert len(pictures._kept) == 2


@pytest.mark.parametrize("size", [0, 1, 57, 58, 5000])
def test_a_picture_has_its_base64_in_lines_as_emails_hold_it(size: int) -> None:
    png = bytes(range(256)) * 20
    lines = Picture.of(png[:size]).base64.split(b"\r\n")
    assert lines.pop() == b""
    assert all(len(line) == 76 for line in lines[:-1])
    assert base64.b64decode(b"".join(lines)) == png[:size]
