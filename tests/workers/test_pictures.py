"""The boards of letters: one picture for all who are told of the same position."""

import re

import pytest

from pbem import render
from pbem.engine import replace
from pbem.mail.compose import compose
from pbem.service.letter_views import correspondence
from pbem.service.letter_views.correspondence import Draft
from pbem.views.accounts import USUAL_LOOK, BoardLook
from pbem.views.clear_colours import clear
from tests.table import Table
from workers import pictures

COLOURS = re.compile("#[0-9a-f]{6}")


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(pictures, "_kept", type(pictures._kept)())
    return fresh


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    found: list[bytes] = []
    draw = render.letter_png

    def noted(scene: object) -> bytes:
        found.append(draw(scene))  # type: ignore[arg-type] # a scene, as the real one is given
        return found[-1]

    monkeypatch.setattr(render, "letter_png", noted)
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
    assert [picture for picture in shown if picture] == len(drafts) * drawn
    assert len(drawn) == 1


def test_a_reader_alone_gets_the_colours_and_labels_they_chose(table: Table, drawn: list[bytes]) -> None:
    (draft, *_) = started(table)

    def seen(look: BoardLook) -> bytes:
        envelope = replace(draft.view.envelope, look=look)
        picture = pictures.picture(replace(draft, view=replace(draft.view, envelope=envelope)))
        assert picture is not None
        return picture

    usual = seen(USUAL_LOOK)
    assert seen(BoardLook(clear=True)) == render.clear_png(usual) != usual
    assert len(drawn) == 1, "other colours are no other picture"
    bare = seen(BoardLook(labels=False))
    assert bare not in (usual, seen(BoardLook(clear=True, labels=False)))
    assert (seen(USUAL_LOOK), len(drawn)) == (usual, 2)


def test_an_email_has_the_colours_its_reader_has_chosen(table: Table) -> None:
    draft = started(table)[-1]
    usual = compose(draft.view, None, "a@example.org").content
    envelope = replace(draft.view.envelope, look=BoardLook(clear=True))
    other = compose(replace(draft.view, envelope=envelope), None, "a@example.org").content
    replaced = {colour for colour in COLOURS.findall(usual.decode()) if clear(colour) != colour}
    assert replaced
    assert replaced.isdisjoint(COLOURS.findall(other.decode()))
    assert {clear(colour) for colour in replaced} <= set(COLOURS.findall(other.decode()))


def test_after_another_order_another_picture_is_drawn(table: Table, drawn: list[bytes]) -> None:
    table.start()
    while (asked := table.asked()).sheet.question(asked.state).form != "build":
        table.play()
    for orders in ("", "build B1 NE-S; D1 N-S"):
        if orders:
            table.play(orders)
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


def test_the_longest_unasked_picture_is_gone(table: Table, drawn: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    (draft, *_) = started(table)
    game = draft.view.game
    assert game is not None
    monkeypatch.setattr(pictures, "KEPT", 2)
    pictures._kept.clear()
    for name in ("first", "second", "first", "third", "first", "second"):
        pictures.picture(replace(draft, view=replace(draft.view, game=replace(game, id=name))))
    assert len(drawn) == 4
    assert len(pictures._kept) == 2
