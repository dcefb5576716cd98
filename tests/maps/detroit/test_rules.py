"""Detroit Bankruptcy: R131 to R140a, E12 to E15, D6, D26, D44."""

import pytest

from maps.detroit.rules import Detroit, DetroitSolo, Discs
from pbem.age_of_steam.events import Eliminated
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.state import State
from pbem.engine import replace
from pbem.engine.chance import LoadedChance
from pbem.rails.track import Link
from tests.age_of_steam.table import Table, enter, position

DETROIT = Detroit()
SOLO = DetroitSolo()


def at(phase: str, **changes: object) -> Table:
    return Table(position(phase, sheet=DETROIT, **changes), sheet=DETROIT)  # type: ignore[arg-type]


def alone(phase: str, discs: dict[str, int] | None = None, **changes: object) -> Table:
    """A position of the game for one."""
    state = position("issue_shares", sheet=SOLO, seats=("blue",), **changes)  # type: ignore[arg-type]
    state = replace(state, extra=Discs({"engineer": 3, "locomotive": 3, "urbanization": 3} | (discs or {})))
    return Table(enter(state, phase, rules=SOLO), sheet=SOLO)


def test_set_up_is_five_shares_no_money_and_one_cube_in_every_top_box() -> None:
    """Detroit 1, 2 and the bag: 52 left."""
    table = Table.deal(3, sheet=DETROIT)
    assert {(p.cash, p.shares, p.engine) for p in table.state.players.values()} == {(0, 5, 1)}
    assert all(boxes[0] and not any(boxes[1:]) for boxes in table.state.display.values())
    assert sum(table.state.bag.values()) == 52


def test_25_shares_are_the_most() -> None:
    """Detroit 1."""
    table = at("issue_shares", blue={"shares": 24})
    assert table.legal == ("issue 0", "issue 1")


def test_half_of_the_links_rounded_up_must_be_own() -> None:
    """R131, E12: of three links two."""
    state = position("move_goods", sheet=DETROIT)
    needed = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
    for links, least in needed.items():
        assert DETROIT.refuse_delivery(state, "blue", _delivery(links, least)) is None
        refusal = DETROIT.refuse_delivery(state, "blue", _delivery(links, least - 1))
        assert refusal is not None
        assert refusal.rule == "R131"


def _delivery(links: int, owned: int) -> Delivery:
    """A way of so many links, of which so many are blue's and the others nobody's."""
    ways = tuple(Link((f"A{n}", f"B{n}"), "blue" if n < owned else None) for n in range(links))
    return Delivery("red", "A0", ways, tuple(link.ends[1] for link in ways))


def test_links_without_owner_are_not_own() -> None:
    """R140: an ownerless link counts among the others."""
    assert DETROIT.refuse_delivery(position("move_goods", sheet=DETROIT), "blue", _delivery(2, 0)) is not None


@pytest.mark.parametrize("links", range(1, 9))
def test_alone_every_way_is_own_enough(links: int) -> None:
    """R140: alone all links are own, so the rule of half of them refuses nothing."""
    state = position("move_goods", sheet=SOLO, seats=("blue",))
    assert SOLO.refuse_delivery(state, "blue", _delivery(links, links)) is None


def test_alone_there_are_no_links_without_owner() -> None:
    """R140: they come from the eliminated, and with the only player the game is over."""
    table = alone("pay_expenses", blue={"cash": 0, "income": 0})
    table.settle()
    assert table.state.over


def test_the_engineers_cheapest_placement_is_free() -> None:
    """R132, D26: prices 4, 2 and 3 are $7; a single one costs nothing."""
    state = position("build_track", sheet=DETROIT, blue={"action": "engineer"})
    assert DETROIT.build_price(state, "blue", [4, 2, 3]) == 7
    assert DETROIT.build_price(state, "blue", [6]) == 0
    assert DETROIT.build_price(state, "green", [4, 2, 3]) == 9


def test_an_engineer_without_money_lays_one_tile_and_not_two() -> None:
    """R132, D44."""
    table = at("build_track", blue={"action": "engineer", "cash": 0})
    assert "L8 N-S" in table.steps
    assert table.paid("blue", "build L8 N-S") == 0
    assert table.refusal("blue", "build L8 N-S; N8 N-S").rule == "R24"
    table.play("blue", "build L8 N-S; more")
    assert table.asked == "green", "a second tile costs $2, which is not there"


def test_the_free_placement_may_be_a_special_link() -> None:
    """R132: special links are placements like others."""
    assert at("build_track", blue={"action": "engineer", "cash": 0}).paid("blue", "build link Midtown-Downtown") == 0


def test_a_special_link_needs_no_track_beside_it_and_has_one_owner() -> None:
    """Detroit 5, R98."""
    table = at("build_track").play("blue", "build link Midtown-Downtown")
    assert table.state.links == {"link:1": "blue"}
    assert (frozenset({"M11", "N12"}), "blue") in table.links
    assert table.refusal("green", "build link Midtown-Downtown").rule == "R98"


def test_the_two_river_crossings_are_parallel_links_told_apart_by_their_price() -> None:
    """R133."""
    table = at("build_track")
    assert "8" in table.refusal("blue", "build link Downtown-Windsor").sentence()
    table.play("blue", "build link Downtown-Windsor 8; link Downtown-Windsor 10")
    assert table["blue"].cash == 30 - 18
    assert sum(1 for ends, _ in table.links if ends == frozenset({"N12", "Q13"})) == 1  # a set: both join the same
    assert len(DETROIT.links(table.state)) == 2


def test_the_airport_is_joined_only_as_a_new_city() -> None:
    """R133."""
    assert at("build_track").refusal("blue", "build link Windsor-Windsor Airport").rule == "R133"
    assert at("build_track", new_cities={"A": "R14"}).paid("blue", "build link Windsor-Windsor Airport") == 6


def test_a_special_link_of_a_bankrupt_player_is_nobodys_stays_in_use_and_is_sold_no_more() -> None:
    """R50, R66: green goes on over it, and only green's own link pays."""
    owned = {"link:1": "blue", "hex:12,9": "green"}
    state = position("issue_shares", sheet=DETROIT, cubes={"M11": "red"}, blue={"cash": 0, "income": 0, "shares": 5})
    state = enter(replace(state, links=owned), "pay_expenses", rules=DETROIT)
    assert state.order == ("green", "yellow")
    assert state.links == {"link:1": None, "hex:12,9": "green"}
    builder = Table(enter(state, "build_track", rules=DETROIT), sheet=DETROIT)
    assert builder.refusal("green", "build link Midtown-Downtown").rule == "R98"
    state = state.with_player("green", engine=2, income=5)
    table = Table(enter(state, "move_goods", rules=DETROIT), sheet=DETROIT).play("green", "move red M11 > N12 > Q13")
    assert (table["green"].income, table["blue"].income) == (6, state.players["blue"].income)


def test_expenses_count_the_turn() -> None:
    """R137, E13: five shares, engine 1 and turn 1 are $7, in turn 2 one more."""
    for turn, bill in ((1, 7), (2, 8)):
        state = position("build_track", sheet=DETROIT, turn=turn, blue={"shares": 5})
        assert DETROIT.expenses(state, "blue") == bill


@pytest.mark.parametrize(
    ("income", "several", "solo"),
    [(5, 0, 0), (6, 1, 1), (10, 1, 1), (11, 2, 2), (15, 2, 2), (45, 8, 8), (46, 9, 9), (51, 10, 10), (56, 10, 11)],
)
def test_income_reduction_in_steps_of_five(income: int, several: int, solo: int) -> None:
    """R134, E14: at most 10 with several players, without limit alone."""
    state = position("build_track", sheet=DETROIT)
    assert DETROIT.income_reduction(state, income) == several
    assert SOLO.income_reduction(state, income) == solo


def test_the_last_one_not_bankrupt_wins_at_once() -> None:
    """R135."""
    state = _paid(blue={"cash": 0, "income": 0}, green={"cash": 30}, yellow={"cash": 0, "income": 0})
    assert state.over
    table = DETROIT.standings(state)
    assert DETROIT.winners(state, table) == ("green",)
    assert [line.score for line in table] == [None, None, None]


def test_when_all_fall_together_the_highest_income_wins() -> None:
    """R135: the income closest to zero; equal incomes share."""
    state = _paid(blue={"cash": 0, "income": 0}, green={"cash": 3, "income": 0}, yellow={"cash": 3, "income": 0})
    assert state.over
    assert set(DETROIT.winners(state, DETROIT.standings(state))) == {"green", "yellow"}
    assert [line.place for line in DETROIT.standings(state)] == [1, 1, 3]


def _paid(**figures: dict[str, int]) -> State:
    return enter(position("issue_shares", sheet=DETROIT, **figures), "pay_expenses", rules=DETROIT)  # type: ignore[arg-type]


def test_two_players_roll_two_dice_for_each_half_and_the_loser_of_the_auction_pays_nothing() -> None:
    """R136, R15."""
    state = position("turn_order", sheet=DETROIT, seats=("blue", "green"))
    assert DETROIT.growth_dice(state) == (2, 2)
    table = Table(state, sheet=DETROIT).play("blue", "bid 1").play("green", "bid 2").play("blue", "drop")
    assert (table["blue"].cash, table["green"].cash) == (30, 28)
    assert table.state.order == ("green", "blue")


def test_alone_an_action_costs_three_then_two_then_one_and_then_is_gone() -> None:
    """E15, Detroit 10."""
    for left, price in ((3, 3), (2, 2), (1, 1)):
        table = alone("select_actions", {"engineer": left})
        table.play("blue", "action engineer")
        assert table["blue"].cash == 30 - price
        assert table.state.extra.left["engineer"] == left - 1
        assert "action engineer" in alone("select_actions", {"engineer": left}, blue={"cash": price}).legal
        assert "action engineer" not in SOLO.actions_free(table.state.with_player("blue", cash=price - 2), "blue")
    assert "action engineer" not in alone("select_actions", {"engineer": 0}).legal


def test_alone_a_kind_of_action_that_is_left_is_still_asked_and_none_is_free() -> None:
    """R140a."""
    table = alone("select_actions", {"engineer": 0, "locomotive": 1, "urbanization": 0})
    assert table.legal == ("action locomotive", "action none")
    table.play("blue", "action none")
    assert table["blue"].cash == 30
    assert table["blue"].action is None


def test_alone_nobody_is_asked_when_nothing_can_be_paid() -> None:
    """A16."""
    table = alone("select_actions", blue={"cash": 0}).settle()
    assert ("blue", "action none", "A5") in table.unasked


def test_alone_there_is_no_auction_and_two_dice_are_rolled() -> None:
    """Detroit 11."""
    assert "turn_order" not in {phase.name for phase in SOLO.phases}
    assert SOLO.growth_dice(position("issue_shares", sheet=SOLO, seats=("blue",))) == (2, 2)


@pytest.mark.parametrize(
    ("turn", "won", "words"),
    [
        (5, False, "government"),
        (6, False, "government"),
        (7, True, "outlasted"),
        (12, True, "hall of fame"),
        (14, True, "hall of fame"),
    ],
)
def test_alone_surviving_turn_six_wins_and_the_last_turn_is_the_rating(turn: int, won: bool, words: str) -> None:
    """R138, R139."""
    state = position("issue_shares", sheet=SOLO, seats=("blue",), turn=turn, blue={"cash": 0, "income": 0})
    state = enter(replace(state, extra=Discs()), "pay_expenses", rules=SOLO)
    assert state.over
    assert SOLO.winners(state, SOLO.standings(state)) == (("blue",) if won else ())
    verdict = SOLO.verdict(state)
    assert verdict is not None
    assert words in str(verdict)


def test_the_bankrupt_are_told() -> None:
    """R135."""
    state = position("issue_shares", sheet=DETROIT, blue={"cash": 0, "income": 0})
    phase = DETROIT.phase_of(replace(state, phase="pay_expenses"))
    events = phase.begin(DETROIT, state, LoadedChance([])).events
    assert [event.seat for event in events if isinstance(event, Eliminated)] == ["blue"]


def test_a_special_link_takes_an_ownership_disc() -> None:
    """R4."""
    one = {"ownership_discs": "1"}
    refusal = at("build_track", options=one).refusal("blue", "build link Midtown-Downtown; L8 N-S")
    assert (refusal.rule, refusal.step) == ("R4", 2)
    for alone in ("link Midtown-Downtown", "L8 N-S"):
        at("build_track", options=one).play("blue", f"build {alone}")
