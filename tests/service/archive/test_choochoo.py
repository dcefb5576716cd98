"""Games that a server of choochoo.games has exported come into the archive as they were played, or not at all."""

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import DEAL, NO_SEED, NotedChance, SeededChance
from pbem.engine.record import BadRecord, Entry, Record, digest, read_record, replay, result_lines
from pbem.service import BadInput
from pbem.service.archive import archive, choochoo, records
from pbem.service.archive.choochoo.chance import SeededActions, SeedRandom
from pbem.service.archive.choochoo.export import CUBES, SEATS
from pbem.service.games import views
from tests.service.archive.choochoo_files import Json, Written, cubes
from tests.table import Table

RECORDED: dict[str, tuple[str, list[str]]] = {
    "rust_belt-2692": (
        "330330310304244330",
        ["5506416902061946", "9692854290201145", "12545184942840212", "8553549357129601", "29127738578472395",
         "9199689395491958"],
    ),
    "southern_us-2852": (
        "301021333114232141433",
        ["9666500988778256", "7728604178697368", "5388783458095312", "7092466008525534", "47980875052474825",
         "6428341629474899", "564036986331739"],
    ),
    "barbados-3038": (
        "204220024141422402242001201141022421112100040240012442014042",
        ["8846152744651495", "3166602226951856", "48272647966303395", "11610220517207276", "16152938960328314",
         "5125309924038699", "32565287283762445", "9767901840446152", "24995904193236287", "8182472896960111",
         "6724900152232467", "2647420232594393"],
    ),
    "new_england-2657": (
        "20413104222440323",
        ["467624413963913", "7675728880160275", "40123093103278995", "7720063028130987", "02606535851962171",
         "3491148028424441", "8178308884389075"],
    ),
    "st_lucia-3032": ("3304401444440144104302212303132230234323202140144301130110", []),
}  # fmt: skip
"""The bag and the seeds of the recorded games, as they were there."""
ACTIONS = {
    "rust_belt-2692": 258, "southern_us-2852": 313, "barbados-3038": 71, "new_england-2657": 135, "st_lucia-3032": 129,
}  # fmt: skip
"""How many actions they have there; without two of Barbados, which are of no account in the last turn."""
TABLES = [
    ("new_england", 2), ("detroit_solo", 1),
    *(pytest.param(*table, marks=pytest.mark.slow) for table in [
        ("barbados", 1), ("detroit", 3), ("germany", 4), ("heavy_cardboard", 4), ("pittsburgh", 3), ("poland", 3),
        ("rust_belt", 5), ("southern_us", 4), ("st_lucia", 2),
    ]),
]  # fmt: skip


def played(slug: str, players: int, number: int = 1) -> tuple[Record, list[str], list[str]]:
    """A whole game of a robot with their dice: its record, the bag as it was dealt, the seeds."""
    sheet = catalog.sheet("age-of-steam", slug)
    colours = ("white", "black") if slug == "new_england" else sheet.colours[:players]
    options = {option.key: option.default for option in sheet.options()}
    dealt = sheet.position(sheet.start(colours, SeededChance(NO_SEED, f"{DEAL}{number}"), options).state)
    seats, opening = tuple(dealt["order"]), sheet.opening(dealt)
    state = sheet.start(seats, SeededChance(NO_SEED, DEAL), options, opening).state
    bag = list(cubes(sheet.position(state)["bag"]))
    luck = random.Random(number)
    luck.shuffle(bag)
    seeds: list[str] = []
    turns: list[Entry] = []
    now = [SeedRandom("")]
    chance = SeededActions(bag, lambda: now[0])
    while not sheet.over(state):
        seat, turn, phase, seed = sheet.to_act(state) or "", sheet.turn(state), sheet.phase(state), str(len(turns))
        order = robot.choose(sheet, state, luck, 0.95).removesuffix("; more")
        now[0], noted = SeedRandom(seed), NotedChance(chance)
        step = sheet.play(state, seat, sheet.parse(state, order, {}), noted)
        seeds += [seed] if noted.notes else []
        turns.append(Entry(turn, phase, seat, "; ".join(map(str, step.played)), tuple(noted.notes) or None))
        state = step.state
        chance.follow(sheet.position(state)["bag"])
    end = result_lines(sheet, state)
    return Record(sheet.game, slug, options, seats, tuple(turns), opening=opening, result=end), bag, seeds


def positions(record: Record) -> list[str]:
    """After every order that somebody was asked for."""
    sheet = catalog.sheet(record.game, record.map)
    return [digest(sheet, one.state) for one in replay(sheet, record) if not one.passed_over]


@pytest.fixture(scope="module")
def small() -> Json:
    """A short game."""
    return Written(*played("detroit_solo", 1)).file()


@pytest.fixture(scope="module")
def belt() -> tuple[Record, Json]:
    """A game on the Rust Belt."""
    record, bag, seeds = played("rust_belt", 3)
    return record, Written(record, bag, seeds).file()


@pytest.mark.parametrize("name", RECORDED)
def test_a_game_that_people_played_there_comes_out_as_it_was(name: str, recorded_path: Callable[[str], Path]) -> None:
    record = read_record(recorded_path(f"{name}.json").read_bytes())
    bag, seeds = RECORDED[name]
    file = Written(record, [CUBES[int(good)] for good in bag], seeds).file()
    assert len(file["actions"]) == ACTIONS[name]
    again = choochoo.read({"game": file})
    assert positions(again) == positions(record)
    assert [dict(line) for line in again.result] == [dict(line) for line in record.result]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_game_of_every_map_that_both_have_comes_out_as_it_was(slug: str, players: int) -> None:
    record, bag, seeds = played(slug, players)
    again = choochoo.read(Written(record, bag, seeds).file())
    assert positions(again) == positions(record)
    assert again.result == record.result


def test_a_game_on_the_rust_belt_comes_out_as_it_was(belt: tuple[Record, Json]) -> None:
    record, file = belt
    again = choochoo.read(file)
    assert positions(again) == positions(record)
    assert (again.names, again.result) == (
        {seat: f"Player {100 + SEATS.index(seat)}" for seat in record.players},
        record.result,
    )


def test_the_numbers_are_those_of_the_library() -> None:
    """Its documentation begins with 0.9282578795792454."""
    assert SeedRandom("hello.").below(10**16) == 9282578795792454
    dice = SeedRandom("8846152744651495")
    assert [dice.below(6) + 1 for _ in range(2)] == [6, 2]


def test_what_is_ordered_beforehand_is_ordered_when_its_moment_comes(belt: tuple[Record, Json]) -> None:
    record, file = belt[0], without(belt[1])
    waiting: dict[str, Callable[[Json], Json]] = {
        "takeShares": lambda data: {"takeSharesNext": data["numShares"]} if data["numShares"] else {"skipShares": True},
        "locomotive": lambda _: {"locoNext": True},
        "select": lambda data: {"takeActionNext": data["action"]},
        "bid": lambda data: {"bidUntil": {"maxBid": data["bid"], "incrementally": False, "thenPass": True}},
    }
    for action in file["actions"]:
        if (said := waiting.get(action["actionName"])) is not None:
            action |= {"actionName": "auto-action", "actionData": {"locoNext": False} | said(action["actionData"])}
    assert positions(choochoo.read(file)) == positions(record)


def test_it_comes_into_the_archive_once_with_who_played_it(table: Table, small: Json) -> None:
    text = json.dumps({"game": small})
    number = records.import_record(table.office, text, table.now)
    assert records.import_record(table.office, text, table.later(days=1)) == number
    view = views.game(table.office, number)
    assert (view.title, view.imported, view.seed) == ("choochoo.games, game 7", True, "")
    assert [name.partition(" ")[0] for name in view.names.values()] == ["Player"]
    raw = records.export(table.office, number)
    assert records.import_record(table.office, json.dumps(raw), table.now) == number


def without(file: Json, **changes: Any) -> Json:
    return {**copy.deepcopy(file), **changes}


def told(file: Json) -> str:
    with pytest.raises(BadRecord) as caught:
        choochoo.read(file)
    return str(caught.value)


def test_every_action_that_is_not_understood_is_a_line(table: Table, small: Json) -> None:
    file = without(small)
    file["actions"][2]["actionName"] = "mine"
    file["actions"][5] = {"version": 6, "actionName": "concede", "actionData": {}, "seed": None}
    lines = told(file).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f"Action {at} of {len(file['actions'])} (version {at}, “{name}”)" for at, name in [(3, "mine"), (6, "concede")]
    ]
    with pytest.raises(BadInput, match="concede"):
        records.import_record(table.office, json.dumps(file), table.now)
    assert len(archive.page(table.office).games) == 0


def test_what_the_rules_refuse_is_told_with_its_order(small: Json) -> None:
    file = without(small)
    at, tile = next((at, one) for at, one in enumerate(file["actions"]) if one["actionName"] == "build")
    tile["actionData"]["tileType"] = 999
    assert told(file).startswith(f"Action {at + 1} of")
    file = without(small)
    file["actions"][0]["actionData"]["numShares"] = 99
    assert "as “issue 99”: " in told(file)


def test_a_price_that_was_another_there_stops_the_import() -> None:
    """On Pittsburgh a tile that replaces another, and does not cross it, costs less there."""
    with pytest.raises(BadRecord, match="the tile on J6 had another price there, so money would differ from now on"):
        choochoo.read(Written(*played("pittsburgh", 3, 7)).file())


def test_half_a_game_is_no_game(small: Json) -> None:
    assert "The file ends in turn 1, in " in told(without(small, actions=small["actions"][:2]))
    longer = [*small["actions"], {"version": 99, "actionName": "pass", "actionData": {}}]
    assert "the game is over here before it" in told(without(small, actions=longer))


def test_a_file_says_what_it_is_of(small: Json) -> None:
    assert "“sicily” of choochoo.games, which is not one of those that both have: barbados, " in told(
        without(small, gameKey="sicily")
    )
    assert "no startState" in told(without(small, startState=None))
    assert "a variant that is not understood: baseRules" in told(without(small, variant={"baseRules": True}))
    assert "do not lie as on Barbados here" in told(without(small, gameKey="barbados"))
    assert "pittsburgh cannot be played by 1 here" in told(without(small, gameKey="pittsburgh"))
    seedless = [{**action, "seed": None} for action in small["actions"]]
    assert "the file has no seed for growth-light" in told(without(small, actions=seedless))


def test_no_change_of_a_file_leads_to_anything_but_a_sentence(small: Json) -> None:
    luck = random.Random(5)
    junk: list[Any] = [None, -1, 7, 10**30, "x", [], {}, [[1]], True, 1.5]
    for _ in range(60):
        file = without(small)
        state = json.loads(file["startState"])
        holder: Any = luck.choice([file["actions"], state])
        while True:
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            key = luck.choice(keys) if keys else None
            if key is None:
                break
            if not isinstance(holder[key], dict | list) or not holder[key] or luck.random() < 0.2:
                holder[key] = luck.choice(junk)
                break
            holder = holder[key]
        file["startState"] = json.dumps(state)
        with suppress(BadRecord):
            choochoo.read(file)
