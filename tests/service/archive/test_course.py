"""The course of a finished game agrees with a second computation from its record, and its moments are true."""

import gzip
import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.cli.play import play
from pbem.engine import catalog, replace
from pbem.engine.chance import SeededChance
from pbem.engine.record import read_record, replay, write_record
from pbem.service import NoSuch
from pbem.service.archive import course, proofs, records
from pbem.service.archive.course import Course, TurnEnd, moments
from pbem.service.archive.proofs import Roll
from pbem.service.games import views
from pbem.views.games import GameView
from tests.databases import Sqlite
from tests.table import Table


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game that was played to its end by safe orders."""
    folder = tmp_path_factory.mktemp("course")
    table = Table(Sqlite(folder).fresh(), folder)
    table.start()
    table.play_on(1000)
    return table


@pytest.fixture(scope="module")
def whole(over: Table) -> GameView:
    return views.game(over.office, over.game)


@pytest.fixture(scope="module")
def found(over: Table, whole: GameView) -> Course:
    return course.of_game(over.office, whole)


def test_the_figures_after_every_turn_are_those_of_the_record(over: Table, whole: GameView, found: Course) -> None:
    record = read_record(json.dumps(records.export(over.office, over.game)))
    last: dict[int, object] = {}
    for played in replay(whole.sheet, record):
        if played.entry is not None:
            last[played.entry.turn] = played.state
    for end in found.turns[1:]:
        position = whole.sheet.position(last[end.turn])["players"]
        for seat, figures in end.figures.items():
            there = position[seat]
            assert {key: figures[key] for key in ("cash", "income", "shares", "engine", "points")} == {
                key: there[key] for key in ("cash", "income", "shares", "engine", "points")
            }
        assert {seat for seat, figures in position.items() if figures["out"]} == set(end.out)


def test_the_course_begins_with_the_deal_and_has_every_turn_once(whole: GameView, found: Course) -> None:
    assert [end.turn for end in found.turns] == list(range(len(found.turns)))
    assert found.turns[0].number == 0
    assert found.turns[-1].number == whole.version
    assert found.columns[0].key == "points"


def test_every_moment_leads_to_an_order_and_they_come_in_their_order(whole: GameView, found: Course) -> None:
    numbers = [moment.number for moment in moments(whole, found)]
    assert numbers == sorted(set(numbers))
    assert all(0 < number <= whole.version for number in numbers)


def test_who_goes_out_and_who_takes_the_lead_are_moments(whole: GameView) -> None:
    turns = (
        TurnEnd(0, 0, {"red": {"points": 0}, "blue": {"points": 0}}, {}),
        TurnEnd(1, 5, {"red": {"points": 4}, "blue": {"points": 2}}, {}),
        TurnEnd(2, 9, {"red": {"points": 6}, "blue": {"points": 6}}, {}),
        TurnEnd(3, 14, {"red": {"points": 7}, "blue": {"points": 11}}, {}),
        TurnEnd(4, 20, {"blue": {"points": 12}}, {"red": whole.sheet.columns(whole.state)[0].head}),
    )
    told = [(moment.number, str(moment.title)) for moment in moments(_without_log(whole), Course((), turns))]
    assert told == [(14, "turn 3: Blue takes the lead"), (20, "turn 4: Red goes out")]


def _without_log(view: GameView) -> GameView:
    return replace(view, log=())


def test_figures_are_those_the_games_own_program_wrote_down(over: Table, recorded_path: Callable[[str], Path]) -> None:
    """After every entry the other program has written a position: points aside, it says all that is drawn."""
    number = records.import_record(over.office, recorded_path("rust_belt-2692.json").read_bytes(), over.now)
    view = views.game(over.office, number)
    found = course.of_game(over.office, view)
    turns = [entry["turn"] for entry in json.loads(recorded_path("rust_belt-2692.json").read_bytes())["turns"]]
    with gzip.open(recorded_path("rust_belt-2692.positions.jsonl.gz")) as lines:
        positions = [json.loads(line)["position"] for line in lines][-len(turns) :]
    last = dict(zip(turns, positions, strict=True))
    assert [end.turn for end in found.turns] == [0, *last]
    for end in found.turns[1:]:
        players, track = last[end.turn]["players"], last[end.turn]["track"]
        owners = Counter(owner for segments in track.values() for _, owner in segments)
        for seat, figures in end.figures.items():
            expected = {key: players[seat][key] for key in ("cash", "income", "shares", "engine")}
            assert {key: figures[key] for key in expected} == expected
            assert figures["track"] == owners[seat]
            links = figures["points"] - 3 * figures["income"] + 3 * figures["shares"]
            assert 0 <= links <= figures["track"], "only track in links counts"
        assert {seat for seat, player in players.items() if player["out"]} == set(end.out)
    told = {str(moment.title) for moment in moments(view, found, course.fought_for(over.office, view))}
    assert {"turn 2: Red goes out", "turn 5: Yellow falls from 1st to 4th", "turn 6: Brown takes the lead"} <= told
    assert "turn 6: Brown takes the cube Pink wanted" in told
    (red,) = (moment for moment in moments(view, found) if str(moment.title) == "turn 2: Red goes out")
    assert str(red.words[0]) == "Red is out of the game with income −4."
    assert "turn 5: Brown pays $10" in told


def test_the_final_table_says_how_every_part_of_a_score_is_counted() -> None:
    for slug, words in {
        "rust_belt": {"income": "0 × 3", "shares": "2 × −3"},
        "new_england": {"income": "0 × 3", "shares": "2 × −3", "cash": "$10 / 20, rounded down"},
        "barbados": {"shares": "2 × −5"},
        "ireland": {"factories": "0 × 2", "cash": "$5 / 5, rounded down"},
    }.items():
        sheet = next(sheet for sheet in catalog.sheets() if sheet.slug == slug)
        seats = sheet.colours[: sheet.player_counts()[0]]
        options = {option.key: option.default for option in sheet.options()}
        state = sheet.start(seats, SeededChance(bytes(32), "deal"), options).state
        assert {name: str(words) for name, words in sheet.sums(state, seats[0]).items()} == words


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("proofs")
    table = Table(Sqlite(folder).fresh(), folder)
    table.start()
    return table


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """The numbers of a roll, written down once more from the page."""
    block = 0
    while True:
        digest = hmac.new(seed, f"pbem/1|{label}|{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def computed(seed: bytes, label: str, roll: Roll, bag: dict[str, int] | None) -> list[str]:
    found = numbers(seed, label)
    if roll.kind == "dice":
        return [str(next(found) * 6 // 2**64 + 1) for _ in roll.came]
    things = sorted(roll.came) if roll.kind == "order" else sorted(Counter(bag).elements())
    return [things.pop(next(found) * len(things) // 2**64) for _ in roll.came]


@pytest.mark.parametrize(("game", "slug", "players"), [("age-of-steam", "france", 3), ("steam-power", "ireland", 2)])
def test_every_roll_of_a_finished_game_follows_from_its_seed(table: Table, game: str, slug: str, players: int) -> None:
    record, _ = play(catalog.sheet(game, slug), players, "a")
    number = records.import_record(table.office, json.dumps(write_record(record)), table.now)
    bags, seed = proofs.bags(table.office, number), bytes.fromhex(views.game(table.office, number).seed)
    rolls = proofs.rolls(table.office, number)
    used: Counter[tuple[int, str]] = Counter()
    for roll in rolls:
        used[roll.entry, roll.purpose] += 1
        entry = "deal" if roll.entry < 0 else str(roll.entry)
        place = "deal" if roll.entry < 0 else f"{roll.turn}.{roll.entry}"
        label = f"{place}|{roll.purpose}|{used[roll.entry, roll.purpose]}"
        assert computed(seed, label, roll, bags.get(entry, {roll.at: None})[roll.at]) == list(roll.came), label
    assert {roll.kind for roll in rolls} >= {"cubes", "order"}


def test_a_running_game_shows_neither_its_rolls_nor_its_bags(table: Table) -> None:
    for told in (proofs.rolls, proofs.bags):
        with pytest.raises(NoSuch):
            told(table.office, table.game)


def test_a_record_without_seed_has_nothing_to_prove(table: Table, recorded_path: Callable[[str], Path]) -> None:
    path = recorded_path("barbados-3038.json")
    number = records.import_record(table.office, path.read_bytes(), table.now)
    with pytest.raises(NoSuch):
        proofs.rolls(table.office, number)
