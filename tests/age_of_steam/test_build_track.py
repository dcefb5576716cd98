"""The build turn: order, limits, cash, parts, its end (sections 7.1 and 7.10)."""

import pytest

from pbem.age_of_steam.events_build import BuildEnded
from pbem.engine import replace
from tests.age_of_steam.table import RUST_BELT, Table, bent, position, sheet_of

WEST = "P3 NW-S; R3 N-S; T3 N-SE; U4 NW-NE"
"""Four tiles from Des Moines to St. Louis, $2 each."""


def first_three(steps: str) -> str:
    return "; ".join(steps.split("; ")[:3])


def test_three_tiles_may_be_placed_and_the_engineer_places_four() -> None:
    """7.1."""
    table = Table(position(green={"action": "engineer"}))
    assert table.refusal("blue", f"build {WEST}").rule == "Building Track"
    table.play("blue", "build nothing").play("green", f"build {WEST}")
    assert table.links == {(frozenset({"O2", "T5"}), "green")}
    assert table["green"].cash == 30 - 8


def test_fewer_tiles_or_none_may_be_placed() -> None:
    """7.1."""
    table = Table(position()).play("blue", "build P3 NW-S")
    assert (table.asked, table["blue"].cash) == ("green", 28)
    table.play("green", "build nothing").play("yellow", "done")
    assert table.state.phase == "move_goods"


def test_a_build_is_played_whole_or_not_at_all() -> None:
    """7.1: the answer names the step that failed."""
    refusal = Table(position()).refusal("blue", "build P3 NW-S; R3 N-S; K8 N-S")
    assert (refusal.rule, refusal.step) == ("Restrictions", 3)


def test_a_hex_may_be_built_on_twice_in_one_turn_and_is_paid_twice() -> None:
    """R23."""
    table = Table(position()).play("blue", "build P3 NW-S; P3 NW-SE")
    assert table["blue"].cash == 30 - 4
    assert [s.ends for s in table.state.track["P3"]] == [(2, 5)]
    again = Table(position(track={"S4": "blue NW-SE"})).refusal("blue", "build P3 NW-S; P3 NW-SE; P3 NW-N; P3 NW-S")
    assert again.rule == "Building Track"


def test_the_total_of_a_build_may_not_exceed_the_cash() -> None:
    """R24: the first step that cannot be paid is named; there is no borrowing."""
    table = Table(position(blue={"cash": 5}))
    refusal = table.refusal("blue", f"build {first_three(WEST)}")
    assert (refusal.rule, refusal.step) == ("R24", 3)
    table.play("blue", "build P3 NW-S; R3 N-S")
    assert table["blue"].cash == 1


def test_a_build_in_parts_keeps_limit_and_cash_of_the_whole_turn() -> None:
    """R24, R42a: ``more`` asks again."""
    table = Table(position(blue={"cash": 7})).play("blue", "build P3 NW-S; more")
    assert table.asked == "blue"
    table.play("blue", "build R3 N-S; more")
    assert table.refusal("blue", "build T3 N-SE; U4 NW-NE").step == 2
    table.play("blue", "build T3 N-SE")
    assert (table.asked, table["blue"].cash) == ("green", 1)
    (ended,) = table.told(BuildEnded)
    assert (ended.placements, ended.paid) == (3, 6)


def test_after_the_last_tile_the_turn_ends_even_if_more_is_wanted() -> None:
    """7.10."""
    table = Table(position()).play("blue", f"build {first_three(WEST)}; more")
    assert table.asked == "green"


def test_the_turn_ends_when_the_cash_is_below_the_cheapest_placement() -> None:
    """7.10."""
    table = Table(position(blue={"cash": 3})).play("blue", "build P3 NW-S; more")
    assert table.asked == "green"


def test_a_section_extended_in_a_part_of_the_turn_stays_owned() -> None:
    """R37: the parts of a build turn count together."""
    table = Table(position(track={"P3": "blue NW-S"})).play("blue", "build R3 N-S; more").play("blue", "done")
    assert table.owner("P3", "NW-S") == "blue"


def test_who_can_build_nothing_is_not_asked() -> None:
    """A6: below the cheapest placement."""
    table = Table(position(green={"cash": 1})).play("blue", "build nothing")
    assert ("green", "build nothing", "A6") in table.unasked
    assert table.asked == "yellow"


def test_who_has_cash_but_no_legal_placement_is_not_asked() -> None:
    """A6: the full enumeration decides; with $2 nothing can be laid where every City side is mountain."""
    high = {label: replace(hex_, terrain="mountain") for label, hex_ in RUST_BELT.board.hexes.items()}
    sheet = bent(hexes=high)
    table = Table(position(sheet=sheet, green={"cash": 3}), sheet=sheet).play("blue", "build nothing")
    assert ("green", "build nothing", "A6") in table.unasked


def test_a_holder_of_urbanization_without_money_is_asked() -> None:
    """A6, 7.10: a New City is free."""
    table = Table(position(blue={"action": "urbanization", "cash": 0})).settle()
    assert table.asked == "blue"
    table.play("blue", "build city A Q10")
    assert (table.asked, table.state.new_cities) == ("green", {"A": "Q10"})


def test_a_draft_goes_on_after_a_step_that_is_not_legal() -> None:
    """The build page shows the bad step with its refusal and keeps those after it."""
    state = Table(position("build_track")).settle().state
    draft = RUST_BELT.draft(state, ("S10 SW-NE", "T9 N-S", "R11 SW-NE"))
    assert [step.refusal is None for step in draft.steps] == [True, False, True]
    assert draft.order == "build S10 NE-SW; R11 NE-SW"


def test_who_has_exactly_the_price_of_the_cheapest_tile_may_lay_it() -> None:
    """R24, A6: $2 on plain land."""
    assert Table(position(blue={"cash": 1})).steps == set()
    assert "B1 NE-NW" in Table(position(blue={"cash": 2})).steps


def test_a_build_may_name_what_it_may_cost_at_most() -> None:
    """P5: exactly that much is not too much."""
    table = Table(position())
    refusal = table.refusal("blue", "build P3 NW-S; R3 N-S; max 3")
    assert refusal.sentence() == "The build costs $4, more than your limit of $3 (P5)."
    assert table.paid("blue", "build P3 NW-S; R3 N-S; max 4") == 4


def test_of_two_links_with_one_name_each_is_offered_with_its_price() -> None:
    """Notation: the price tells parallel links apart; a link of its own name needs none."""
    detroit = sheet_of("detroit")
    table = Table(position(sheet=detroit), sheet=detroit)
    links = {step for step in table.steps if step.startswith("link ")}
    assert links == {"link Downtown-Windsor 8", "link Downtown-Windsor 10", "link Midtown-Downtown"}


def test_a_tile_says_only_of_the_track_that_is_new_where_it_leads() -> None:
    """7.6: what lay on the hex before is neither completed nor left unfinished by it."""
    state = position(track={"S10": "green SE-NW"})
    tile = next(tile for tile in RUST_BELT.tiles_at(state, (), "S10") if tile.order == "S10 NE-SW")
    assert str(tile.effect) == "Unfinished: T9 towards R11."


def test_no_tile_is_offered_beyond_the_number_that_may_be_laid_nor_off_the_board() -> None:
    """7.1: three of the four."""
    state = position()
    steps = WEST.split("; ")
    assert RUST_BELT.tiles_at(state, steps[:2], "T3")
    assert RUST_BELT.tiles_at(state, steps[:3], "U4") == ()
    assert RUST_BELT.tiles_at(state, (), "Z99") == ()


def test_a_draft_parts_the_sections_that_are_kept_from_those_that_are_lost() -> None:
    """R37: extended or not."""
    state = position(track={"P3": "blue NW-S", "S10": "blue SW-NE"})
    before, after = RUST_BELT.draft(state, ()), RUST_BELT.draft(state, ("R3 N-S",))
    assert [str(section.words) for section in before.lost] == ["O2 towards R3", "T9 towards R11"]
    assert before.kept == ()
    assert [str(section.words) for section in after.lost] == ["T9 towards R11"]
    assert [str(section.words) for section in after.kept] == ["O2 towards T3"]


def test_there_is_a_draft_only_where_track_is_asked_for() -> None:
    for state in (position("move_goods"), replace(position(), over=True)):
        with pytest.raises(ValueError, match="nobody builds track now"):
            RUST_BELT.draft(state, ())
