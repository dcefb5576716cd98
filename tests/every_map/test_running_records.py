"""The record of a running game: everything that is open can be told from it, and nothing that is not."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine import Sheet, State, catalog, replace
from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.record import Entry, Record, digest, read_record, replay, running, start, write_record
from pbem.rails.scene import Scene
from tests.every_map.games import seed_of
from tests.every_map.random_player import RandomPlayer

LOOKED_AT, OFTEN = 21, 7
"""Of so many positions one is looked at as letters and pictures show it, more in the slow run; all are compared by
their digest."""


def tables(seeds: int) -> list[Any]:
    """Every sheet with every number of players."""
    return [
        pytest.param(sheet, players, number, id=f"{sheet.slug}-{players}-{number}")
        for sheet in catalog.sheets()
        for players in sheet.player_counts()
        for number in range(1, seeds + 1)
    ]


def the_game_tells_all(sheet: Sheet, players: int, number: int, looked_at: int) -> None:
    """Replay a game from what is public of it, beside the game itself."""
    full, states = _played(sheet, players, number)
    shown = write_record(running(sheet, full, sheet.position(states[0])))
    _hides(sheet, full, shown)
    record = read_record(json.dumps(shown))
    _alike(sheet, states[0], start(sheet, record)[0].state)
    entries = 0
    for played in replay(sheet, record):
        assert not played.refusal, f"entry {played.number}: {played.refusal.sentence()}"
        assert not played.passed_over
        entries += 1
        real = states[entries]
        assert digest(sheet, played.state) == played.entry.digest, f"entry {played.number}"
        if entries % looked_at == 0 or sheet.over(real):
            _alike(sheet, real, played.state)
    assert entries == len(full.turns)


def _played(sheet: Sheet, players: int, number: int) -> tuple[Record, list[State]]:
    """A random game to its end and all its positions, the dealt one first."""
    secret = seed_of(number)
    deal = NotedChance(SeededChance(secret, "deal"))
    states, turns = [sheet.start(sheet.colours[:players], deal, {}).state], []
    player = RandomPlayer(sheet, secret, rash=False)
    while (seat := sheet.to_act(states[-1])) is not None:
        state, (order, _) = states[-1], player.play(states[-1])
        chance = NotedChance(SeededChance(secret, sheet.place(state)))
        after = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
        entry = Entry(sheet.turn(state), sheet.phase(state), seat, order, tuple(chance.notes))
        turns.append(replace(entry, digest=digest(sheet, after)))
        states.append(after)
    first = tuple(sheet.position(states[0])["order"])
    return Record(sheet.game, sheet.slug, {}, first, tuple(turns), secret, deal=tuple(deal.notes)), states


def _hides(sheet: Sheet, full: Record, shown: dict[str, Any]) -> None:
    """No seed, no result, no draw that is secret."""
    assert not {"seed", "result"} & set(shown)
    draws = [*shown.get("deal", ()), *(draw for entry in shown["turns"] for draw in entry.get("chance", ()))]
    assert not {draw["for"] for draw in draws} & sheet.secret_draws
    assert full.seed.hex() not in json.dumps(shown)


def _alike(sheet: Sheet, real: State, told: State) -> None:
    """What anybody sees of the game, in figures, in words and in the picture."""
    assert list(_looks(sheet, told)) == list(_looks(sheet, real))


def _looks(sheet: Sheet, state: State) -> Iterator[object]:
    yield sheet.position(state)
    yield {row.seat: row for row in sheet.rows(state)}
    _, *sections, _ = sheet.words(state)
    yield sorted((str(section.head), sorted(map(str, section.lines))) for section in sections)
    yield _sorted(sheet.scene(state))
    yield sheet.placements(state)
    if not sheet.over(state) and not sheet.hand(state, sheet.to_act(state) or ""):
        yield sheet.legal(state)
        yield sheet.question(state)


def _sorted(scene: Scene) -> Scene:
    """A scene without the order in which cubes lie in a place, and without that of those who are out."""
    return replace(
        scene,
        cities=tuple(replace(city, cubes=city.cubes and tuple(sorted(city.cubes))) for city in scene.cities),
        cubes={label: tuple(sorted(cubes)) for label, cubes in scene.cubes.items()},
        players=tuple(sorted(scene.players, key=lambda row: row.seat)),
        links=tuple(sorted(scene.links, key=lambda link: link.id)),
    )


@pytest.mark.parametrize(("sheet", "players", "number"), tables(1))
def test_what_is_open_in_a_running_game_is_told_from_its_record(sheet: Sheet, players: int, number: int) -> None:
    """With hidden things made up otherwise than they are, so nothing that is shown depends on them."""
    the_game_tells_all(sheet, players, number, LOOKED_AT)


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "players", "number"), tables(8))
def test_all_that_is_open_can_be_told_from_the_records_of_many_games(sheet: Sheet, players: int, number: int) -> None:
    the_game_tells_all(sheet, players, number, OFTEN)
