"""Reviews: a planted blunder is found and told, nothing is named unmeasured, the same record gives the same review."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem import cli
from pbem.age_of_steam.state import State as AgeOfSteamState
from pbem.engine import Seat, Sheet, State, catalog, replace
from pbem.engine.chance import DEAL, NotedChance, SeededChance
from pbem.engine.record import Entry, Record, replay, start, write_record
from pbem.robot import review
from pbem.robot.matches import BANKRUPT, Player, steps, thinker
from pbem.robot.review import NotReviewed, Reviewing, comparisons, doubts, of_record, options
from pbem.robot.review.comparisons import Comparison, Continuation
from pbem.robot.review.continuations import play_on
from pbem.robot.thinking import Character

SECRET = random.Random("review").randbytes(32)
QUICK = thinker(Character("quick", budget=60, width=4))
BLUNDER = (4, "build_track", "build nothing")


def whole(sheet: Sheet, record: Record) -> Reviewing:
    reviewing = of_record(sheet, record)
    while not reviewing.done:
        reviewing.step()
    return reviewing


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return catalog.sheet("age-of-steam", "st_lucia")


@pytest.fixture(scope="module")
def blunderer(sheet: Sheet) -> Seat:
    return sheet.colours[0]


def recorded(sheet: Sheet, players: Mapping[Seat, Player]) -> Record:
    """A whole game of robots."""
    dealt = NotedChance(SeededChance(SECRET, DEAL))
    state = sheet.start(tuple(players), dealt, {}).state
    entries = []
    for seat, order, step in steps(sheet, players, state, SECRET, "review"):
        entries.append(Entry(sheet.turn(state), sheet.phase(state), seat, order))
        state = step.state
    return Record(sheet.game, sheet.slug, {}, tuple(players), tuple(entries), SECRET, deal=tuple(dealt.notes))


@pytest.fixture(scope="module")
def record(sheet: Sheet, blunderer: Seat) -> Record:
    """A game of two quick robots, of whom the first builds nothing in one turn."""

    def blunders(sheet: Sheet, state: State, seed: str) -> str:
        turn, phase, order = BLUNDER
        return order if (sheet.turn(state), sheet.phase(state)) == (turn, phase) else QUICK(sheet, state, seed)

    return recorded(sheet, {blunderer: blunders, sheet.colours[1]: QUICK})


@pytest.fixture(scope="module")
def found(sheet: Sheet, record: Record) -> Reviewing:
    with pytest.MonkeyPatch.context() as fewer:
        fewer.setattr(doubts, "DOUBTFUL", 2)
        fewer.setattr(doubts, "PROMISING", 2)
        fewer.setattr(review, "SEAT_PAIRS", 0)
        return whole(sheet, record)


def test_a_planted_blunder_is_the_dearest_mistake_of_its_player(found: Reviewing, blunderer: Seat) -> None:
    worst = next(one for one in found.review.decisions if one.mistake and one.player == blunderer)
    assert (worst.turn, worst.phase, worst.played) == BLUNDER
    assert worst.large
    assert comparisons.reasons(worst)


def test_nothing_is_called_clear_that_could_be_chance(found: Reviewing) -> None:
    for one in found.review.decisions:
        assert len(one.pairs) == comparisons.FIRST_PAIRS
        assert one.clear == (abs(one.lead.value) > max(comparisons.LEAST, comparisons.CLEAR * one.lead.error))


def test_only_orders_that_seem_no_better_or_clearly_better_are_played_on(found: Reviewing) -> None:
    estimates = [one.estimate for one in found.compared]
    assert all(estimate >= 0 or estimate <= -comparisons.LEAST for estimate in estimates)


def test_an_order_that_seems_as_good_is_looked_at_where_there_is_room() -> None:
    equal = Comparison(1, 2, "issue_shares", "red", "issue 0", "issue 1", 0.0)
    assert doubts.looked_at([equal], 1) == [equal]


def test_the_adviser_finds_no_fault_with_its_own_orders(sheet: Sheet) -> None:
    own = recorded(sheet, dict.fromkeys(sheet.colours[:2], thinker(doubts.ADVISER)))
    assert whole(sheet, own).review.decisions == ()


def test_a_delivery_that_brings_most_is_known_as_such(sheet: Sheet, record: Record) -> None:
    played = list(replay(sheet, record))
    at = next(
        place
        for place, one in enumerate(played)
        if one.entry.phase == "move_goods" and len({*gained(sheet, played[place - 1].state).values()}) > 2
    )
    state, entry, number = played[at - 1].state, played[at].entry, played[at].number
    gains = gained(sheet, state)
    for order, gain in gains.items():
        one = Comparison(number, entry.turn, entry.phase, entry.player, entry.orders, order, 8.0)
        options.work_on(sheet, state, one, "")
        assert one.at_once == (gain == max(gains.values()))


def gained(sheet: Sheet, state: State) -> dict[str, int]:
    """By order what the seat that is asked gains at once."""
    return {choice.order: choice.gains.get(sheet.to_act(state) or "", 0) for choice in sheet.question(state).choices}


def test_other_options_of_a_puzzle_are_played_on_with_the_luck_of_the_pairs(
    sheet: Sheet, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "PLAYS", 3)
    monkeypatch.setattr(options, "OTHERS", 2)
    played = list(replay(sheet, record))
    at = next(place for place, one in enumerate(played) if (one.entry.turn, one.entry.phase) == (3, "issue_shares"))
    state, entry, number = played[at - 1].state, played[at].entry, played[at].number
    pairs = [(Continuation(lead, 0, 0, False, False), Continuation(0.0, 0, 0, False, False)) for lead in (9.0, 8.0) * 6]
    one = Comparison(number, entry.turn, entry.phase, entry.player, entry.orders, "issue 0", 8.0, pairs)
    while (found := options.following([one])) is not None:
        options.work_on(sheet, state, *found)
    assert one.others is not None
    assert entry.orders not in one.others
    assert sorted(map(len, one.others.values())) == [1, 2]
    for order, leads in one.others.items():
        assert leads == [play_on(sheet, state, order, number).lead for number in range(len(leads))]
        assert options.behind(one, order) is None
    assert Comparison.of_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.fixture
def known(found: Reviewing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command goes on with what was found here."""
    monkeypatch.setattr(review, "SEAT_PAIRS", 0)
    monkeypatch.setattr(
        "pbem.cli.review.of_record", lambda sheet, record: of_record(sheet, record).restored(found.to_json())
    )


@pytest.mark.usefixtures("known")
def test_the_command_tells_the_blunder(
    record: Record, found: Reviewing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(write_record(record)), "utf-8")
    assert cli.main(["review", str(file)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("St. Lucia, 2 players")
    assert "played: build nothing" in told
    assert cli.main(["review", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.review.to_json()))


def test_a_review_that_is_stored_and_read_at_every_step_is_the_same(
    sheet: Sheet, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doubts, "DOUBTFUL", 2)
    monkeypatch.setattr(doubts, "PROMISING", 2)
    monkeypatch.setattr(review, "SEAT_PAIRS", 0)
    monkeypatch.setattr(comparisons, "FIRST_PAIRS", 2)
    monkeypatch.setattr(review, "ENDS", 2)
    straight, parts = of_record(sheet, record), []
    stored = None
    while not straight.done:
        straight.step()
        resumed = of_record(sheet, record).restored(stored)
        resumed.step()
        stored = json.loads(json.dumps(resumed.to_json()))
        parts.append(resumed.part)
    assert stored == json.loads(json.dumps(straight.to_json()))
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


@pytest.fixture(scope="module")
def steam() -> Sheet:
    return catalog.sheet("steam-power", "northern_italy")


@pytest.fixture(scope="module")
def steam_record(steam: Sheet) -> Record:
    return recorded(steam, dict.fromkeys(steam.colours[:3], QUICK))


@pytest.fixture(scope="module")
def positions(steam: Sheet, steam_record: Record) -> list[State]:
    """Before every order, and after the last."""
    return [start(steam, steam_record)[0].state, *(played.state for played in replay(steam, steam_record))]


def test_steam_power_is_played_on_to_its_end_and_the_last_order_comes_to_what_it_came_to(
    steam: Sheet, steam_record: Record, positions: list[State]
) -> None:
    last = steam_record.turns[-1]
    then = play_on(steam, positions[-2], last.orders, 0)
    scores = {line.seat: line.score or 0 for line in steam.standings(positions[-1])}
    assert then.lead == scores.pop(last.player) - max(scores.values())


def test_what_others_hold_and_the_player_could_not_know_changes_nothing(
    steam: Sheet, steam_record: Record, positions: list[State]
) -> None:
    state, entry = positions[-8], steam_record.turns[-7]
    other = steam.dealt_anew(state, entry.player, SeededChance(SECRET, "another deal"))
    assert steam.encode(other) != steam.encode(state)
    assert play_on(steam, other, entry.orders, 0) == play_on(steam, state, entry.orders, 0)


def test_a_record_of_a_game_that_goes_on_is_refused_with_a_sentence(sheet: Sheet) -> None:
    record = Record(sheet.game, sheet.slug, {}, sheet.colours[:2], (), SECRET)
    with pytest.raises(NotReviewed, match="does not reach the end"):
        of_record(sheet, record)


def test_a_company_that_lives_counts_no_less_than_a_bankrupt_one(sheet: Sheet, record: Record) -> None:
    last, before = record.turns[-1], [played.state for played in replay(sheet, record)][-2]
    assert isinstance(before, AgeOfSteamState)
    deep = before.with_player(last.player, shares=40, cash=100)
    end = sheet.play(deep, last.player, sheet.parse(deep, last.orders, {}), SeededChance(SECRET, "end")).state
    points = {line.seat: line.score for line in sheet.standings(end)}
    mine, best = points.pop(last.player), max(score or 0 for score in points.values())
    assert mine is not None
    assert mine < BANKRUPT
    then = play_on(sheet, deep, last.orders, 0)
    assert not then.out
    assert then.lead == BANKRUPT - best


@pytest.mark.parametrize(("game", "map_"), [("age-of-steam", "barbados"), ("steam-power", "ireland_solo")])
def test_alone_the_own_points_count(game: str, map_: str) -> None:
    alone = catalog.sheet(game, map_)
    record = recorded(alone, {alone.colours[0]: QUICK})
    *_, before, last = [played.state for played in replay(alone, record)]
    (line,) = alone.standings(last)
    assert play_on(alone, before, record.turns[-1].orders, 0).lead == line.score


def test_the_command_tells_why_there_is_no_review(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(write_record(replace(record, turns=record.turns[:5]))), "utf-8")
    assert cli.main(["review", str(file)]) == 1
    assert "does not reach the end" in capsys.readouterr().err
