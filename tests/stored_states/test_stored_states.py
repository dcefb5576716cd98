"""Every state that a released version has stored can be read, shown, and played on to the end."""

import random
from pathlib import Path

import pytest

from pbem import render, robot
from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.engine.position_text import spoken
from pbem.engine.record import digest
from pbem.language.position_letters import read_position
from pbem.language.voice import GameVoice
from tests.stored_states.kept import WRITE, Kept, Kind, every_kind, load, save
from tests.stored_states.write import lacking

KINDS = list(every_kind())
NEWEST = list({(kind.game, kind.map): kind for kind in KINDS}.values())
MOST_ORDERS = 3_000
SEED = b"dice of stored states".ljust(32)


def each_state() -> list[object]:
    """Every stored state as parameters of a test."""
    return [
        pytest.param(kind, kept, id=f"{kind.version}/{kind.map}/{number} {kept.moment}")
        for kind in KINDS
        for number, kept in enumerate(kind.states)
    ]


def read(kind: Kind, kept: Kept) -> tuple[Sheet, State]:
    sheet = catalog.sheet(kind.game, kind.map)
    return sheet, sheet.decode(kept.stored.encode())


def play_on(sheet: Sheet, state: State, orders: int, sense: float) -> State:
    """So many orders of robots, or until the game is over; stored after each as a server does."""
    luck = random.Random(1)
    for _ in range(orders):
        if sheet.over(state):
            break
        seat, order = sheet.to_act(state), robot.choose(sheet, state, luck, sense)
        assert seat is not None
        chance = SeededChance(SEED, sheet.place(state))
        state = sheet.decode(sheet.encode(sheet.play(state, seat, sheet.parse(state, order, {}), chance).state))
    return state


@pytest.mark.parametrize(("kind", "kept"), each_state())
def test_it_is_the_position_that_was_stored_can_be_shown_and_is_played_on(kind: Kind, kept: Kept) -> None:
    sheet, state = read(kind, kept)
    seen = (sheet.turn(state), sheet.phase(state), sheet.to_act(state) or "", sheet.over(state))
    assert seen == (kept.turn, kept.phase, kept.to_act, kept.over)
    assert digest(sheet, state) == kept.digest
    paragraphs = spoken(sheet.words(state), GameVoice(sheet, state, {}), sheet.colours)
    told = read_position(sheet, paragraphs).state
    assert sheet.canonical(told) == sheet.canonical(state)
    assert {row.seat for row in sheet.rows(state)} == {line.seat for line in sheet.standings(state)}
    assert {player.seat for player in sheet.scene(state).players} == {row.seat for row in sheet.rows(state)}
    if not kept.over:
        question = sheet.question(state)
        assert (question.seat, question.phase) == (kept.to_act, kept.phase)
    after = play_on(sheet, state, 4, sense=0.5)
    assert sheet.over(after) or sheet.place(after) != sheet.place(state)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.version}/{kind.map}")
def test_a_game_goes_on_from_it_to_the_end(kind: Kind) -> None:
    """From the middle of the game; from every state in ``make soak``."""
    running = [kept for kept in kind.states if not kept.over]
    sheet, state = read(kind, running[len(running) // 2])
    assert sheet.over(play_on(sheet, state, MOST_ORDERS, sense=0.95))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "kept"), each_state())
def test_every_game_goes_on_to_the_end(kind: Kind, kept: Kept) -> None:
    sheet, state = read(kind, kept)
    assert sheet.over(play_on(sheet, state, MOST_ORDERS, sense=0.7))


def test_a_picture_can_be_drawn_of_it() -> None:
    """Of one state of each game; scenes are compared in the tests of pictures."""
    for game in {kind.game for kind in KINDS}:
        kind = next(kind for kind in KINDS if kind.game == game)
        sheet, state = read(kind, kind.states[-2])
        assert render.board_png(sheet.scene(state)).startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", NEWEST, ids=lambda kind: f"{kind.game}/{kind.map}")
def test_the_newest_states_of_every_sheet_have_the_shape_that_is_stored_today(kind: Kind) -> None:
    for kept in kind.states:
        sheet, state = read(kind, kept)
        assert sheet.encode(state).decode() == kept.stored, f"stored states have another shape now; keep some: {WRITE}"


def test_a_release_asks_for_what_nothing_is_kept_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.stored_states.kept.STATES", tmp_path)
    monkeypatch.setattr("tests.playthroughs.record.GAMES", tmp_path)
    monkeypatch.setattr("tests.playthroughs.showing.HERE", tmp_path)
    assert len(lacking()) == 3 * len(catalog.sheets())


def test_kept_states_are_never_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.stored_states.kept.STATES", tmp_path)
    kind = KINDS[0]
    save(kind)
    with pytest.raises(FileExistsError):
        save(Kind(kind.version, kind.game, kind.map, ()))
    assert load(kind.path) == kind
