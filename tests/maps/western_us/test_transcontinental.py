"""The Transcontinental railroad of the Western U.S.: when it is made, who is paid, who says so (R84 to R86a)."""

import random

import pytest

from maps.western_us.events import Connected
from maps.western_us.rules import Transcontinental, transcontinental
from pbem.age_of_steam.events_build import LinkCompleted
from pbem.engine import replace
from tests.age_of_steam.table import SIX, Table
from tests.maps.western_us.line import WEST, line, western

LAST = "build Z0 E-W"
"""The hex that is missing in the line of most tests, for $2."""


def gained(table: Table) -> dict[str, int]:
    """Income beyond the five that everybody begins with."""
    return {seat: player.income - 5 for seat, player in table.state.players.items() if player.income != 5}


@pytest.mark.parametrize(
    ("owners", "gains"),
    [
        (("blue", "blue", "blue"), {"blue": 4}),
        (("green", "blue", "blue"), {"blue": 2, "green": 2}),
        (("nobody", "nobody", "blue"), {"blue": 4}),
        (("green", "nobody", "blue"), {"blue": 2, "green": 2}),
    ],
)
def test_one_railroad_gains_four_two_gain_two_each(owners: tuple[str, str, str], gains: dict[str, int]) -> None:
    """R85: paid at once, unasked where there is no choice (A13); ownerless links do not count."""
    table = western(track=line(*owners, Z0="")).play("blue", LAST)
    assert gained(table) == gains
    assert transcontinental(table.state).made
    assert table.asked == "green"


def test_links_of_anybody_make_the_connection() -> None:
    """R84: towns are nodes on the way; an unfinished section is no link."""
    open_ = western(track=line("green", "green", "blue", Z0="", J0="")).play("blue", LAST)
    assert not transcontinental(open_.state).made
    through = western(track=line("green", "green", "blue", Z0="")).play("blue", LAST)
    assert through.told(Connected)[0].players == ("blue", "green")


def test_the_network_may_part_from_the_next_placement_on() -> None:
    """R84: in the same build turn."""
    table = western(track=line("blue", "blue", "blue", Z0=""))
    assert table.refusal("blue", f"build O5 E-W; {LAST.removeprefix('build ')}").rule == "R83"
    table.play("blue", f"{LAST}; O5 E-W")


def test_the_bonus_is_paid_once_and_the_connection_counts_for_good() -> None:
    """R84a: whatever happened to the links that made it, a later connection pays nothing."""
    table = western(track=line("blue", "blue", "blue", Z0=""), made=True).play("blue", LAST)
    assert not gained(table)
    assert not table.told(Connected)


def test_of_three_railroads_the_builder_chooses_two() -> None:
    """R85: in the build itself."""
    table = western(track=line("green", "yellow", "blue", Z0=""))
    table.play("blue", f"{LAST}; transcon yellow,green")
    assert gained(table) == {"green": 2, "yellow": 2}
    assert table.asked == "green"


def test_a_builder_who_did_not_say_is_asked_before_anybody_else_builds() -> None:
    """R85: buttons for each pair, the own ones first."""
    table = western(track=line("green", "yellow", "blue", Z0="")).play("blue", LAST)
    assert table.asked == "blue"
    assert transcontinental(table.state).made
    orders = ("build transcon blue,green", "build transcon blue,yellow", "build transcon green,yellow")
    assert table.legal == orders
    question = WEST.question(table.state)
    assert (question.form, tuple(choice.order for choice in question.choices)) == ("choices", orders)
    assert (str(question.otherwise), question.example) == ("the bonus goes to Blue and Green", orders[0])
    assert (str(question.choices[0].effect), question.choices[0].gains) == (
        "Income: Blue +2 and Green +2.",
        {"blue": 2, "green": 2},
    )
    assert str(WEST.default(table.state)) == orders[0]
    assert not WEST.placements(table.state)
    assert table.refusal("blue", "build nothing").rule == "R85"
    assert table.refusal("blue", "build transcon blue").rule == "R85"
    assert WEST.decode(WEST.encode(table.state)) == table.state
    table.play("blue", orders[1])
    assert (gained(table), table.asked) == ({"blue": 2, "yellow": 2}, "green")


def test_the_last_builder_is_asked_before_goods_move() -> None:
    """R85: the phase waits."""
    table = western(track=line("green", "blue", "yellow", Z0=""), order=("green", "blue", "yellow"))
    table.play("green", "build nothing").play("blue", "build nothing").play("yellow", LAST)
    assert (WEST.phase(table.state), table.asked) == ("build_track", "yellow")
    table.play("yellow", "build transcon yellow,green")
    assert WEST.phase(table.state) != "build_track"


def test_a_build_in_parts_goes_on_after_the_choice() -> None:
    """R85, R42a."""
    table = western(track=line("green", "yellow", "blue", Z0="")).play("blue", f"{LAST}; more")
    table.play("blue", "build transcon blue,green").play("blue", "build O5 E-W")
    assert table.asked == "green"


def test_of_several_sets_of_owners_the_builder_chooses_one() -> None:
    """R85: Fargo is joined to Duluth by green and to Minneapolis by yellow; blue completes the way from Seattle."""
    track = line("blue", "blue", "green", F0="", V0="blue @W; green @E; yellow @SE", W1="yellow NW-E")
    table = western(track=track)
    table.play("blue", "build F0 E-W; transcon blue,yellow")
    assert gained(table) == {"blue": 2, "yellow": 2}
    asked = western(track=track).play("blue", "build F0 E-W")
    assert asked.legal == ("build transcon blue,green", "build transcon blue,yellow")


def test_a_set_that_holds_a_smaller_one_is_not_offered() -> None:
    """R85: blue owns one way to the east alone."""
    track = line("blue", "blue", "green", F0="", V0="blue @W,@SE; green @E", W1="blue NW-E")
    assert gained(western(track=track).play("blue", "build F0 E-W")) == {"blue": 4}


def test_links_of_nobody_alone_pay_nobody() -> None:
    """R85: zero railroads; the New City that completes them gives blue nothing, for blue has no track there."""
    track = line("nobody", "nobody", "nobody", V0="nobody @E", E9="blue W-E")
    table = western(track=track, blue={"action": "urbanization"}).play("blue", "build city A Fargo")
    assert [event.players for event in table.told(Connected)] == [()]
    assert not gained(table)


def test_a_bonus_that_is_not_due_cannot_be_given() -> None:
    """R85."""
    assert "no transcontinental bonus" in western().refusal("blue", "build transcon blue").sentence()
    three = western(track=line("green", "yellow", "blue", Z0=""))
    for railroads in ("blue", "blue,green,yellow"):
        refusal = three.refusal("blue", f"{LAST}; transcon {railroads}")
        assert "cannot go there; you can choose: “transcon blue,green”" in refusal.sentence()
    table = western(track=line("blue", "blue", "blue", Z0=""))
    assert table.refusal("blue", f"{LAST}; transcon green").rule == "R85"


def test_a_new_city_can_make_the_connection_for_whoever_places_it() -> None:
    """R86: three railroads, so the urbanizing player chooses."""
    track = line("green", "yellow", "pink", V0="pink @E")
    table = western(seats=SIX[:4], track=track, blue={"action": "urbanization"})
    table.play("blue", "build city A Fargo")
    assert table.told(LinkCompleted)[0].seat == "yellow"
    assert table.asked == "blue"
    table.play("blue", "build transcon green,pink")
    assert gained(table) == {"green": 2, "pink": 2}


SECTION = {"E1": "nobody NW-SW"}
"""From Seattle towards Portland."""


@pytest.mark.parametrize(
    ("own", "owner"),
    [
        ({"AB0": "blue E-W"}, None),
        ({"F0": "blue W-E"}, "blue"),
        ({}, "blue"),
    ],
)
def test_a_new_city_gives_a_section_only_to_a_network_beside(own: dict[str, str], owner: str | None) -> None:
    """R86a, D54: an eastern network gets nothing; one at Seattle does, and a player without track does."""
    table = western(track={**SECTION, **own}, blue={"action": "urbanization"})
    table.play("blue", "build city A Portland")
    assert (frozenset({"D0", "D2"}), owner) in table.links


def test_after_the_connection_a_new_city_gives_it_as_in_the_base_game() -> None:
    """R86a, R43."""
    table = western(track={**SECTION, "AB0": "blue E-W"}, made=True, blue={"action": "urbanization"})
    table.play("blue", "build city A Portland")
    assert (frozenset({"D0", "D2"}), "blue") in table.links


def test_what_one_new_city_completes_hangs_together_whatever_the_order_of_its_sides() -> None:
    """R86a: the section from Sacramento, where blue has track, brings the one from Seattle with it."""
    sacramento = {"C5": "blue @W; nobody @NE", "D4": "nobody SW-NE", "E3": "nobody SW-NW"}
    table = western(track={**SECTION, **sacramento}, blue={"action": "urbanization"})
    table.play("blue", "build city A Portland")
    assert table.links == {(frozenset({"D0", "D2"}), "blue"), (frozenset({"C5", "D2"}), "blue")}


def test_what_is_said_of_the_connection_names_who_gains() -> None:
    """R85: one +4, two +2 each, nobody nothing."""
    assert str(Connected(("blue",), 4).text()) == "The Transcontinental railroad is complete: Blue +4."
    both = "The Transcontinental railroad is complete: Blue +2 and Green +2."
    assert str(Connected(("blue", "green"), 2).text()) == both
    assert str(Connected((), 0).text()) == "East and West are joined by links without an owner: there is no bonus."


def test_on_the_build_page_the_bonus_costs_nothing() -> None:
    """It is named, at no price."""
    table = western(track=line("green", "yellow", "blue", Z0=""))
    tile, bonus = WEST.draft(table.state, (LAST.removeprefix("build "), "transcon yellow,green")).steps
    assert (str(bonus.words), bonus.price) == ("transcontinental bonus", 0)
    assert tile.price == 2


def test_one_railroad_alone_is_offered_four_steps_and_a_pair_two_each() -> None:
    """R85: a New City may complete the ways of two railroads at once."""
    ways = (("green",), ("blue", "yellow"))
    state = western().state
    asked = WEST.question(replace(state, extra=Transcontinental(made=True, builder="blue", choices=ways)))
    assert [choice.gains for choice in asked.choices] == [{"green": 4}, {"blue": 2, "yellow": 2}]
    assert str(asked.choices[0].effect) == "Income: Green +4."


RICH = {"cash": 999, "action": "engineer"}
PLACEMENTS = 40


def parts(table: Table, seat: str) -> int:
    """How many pieces a railroad falls into: chains that share no City and no town."""
    networks: list[set[str]] = []
    for chain in WEST.net(table.state).chains:
        if chain.owner == seat:
            nodes = {end for end in chain.ends if end is not None}
            joined = [network for network in networks if network & nodes]
            networks = [network for network in networks if not network & nodes] + [nodes.union(*joined)]
    return len(networks)


def built(seed: int) -> Table:
    """Three rich players build by chance, mostly at their own open ends; checked after every placement."""
    luck = random.Random(seed)
    table = western(seats=SIX[:3], blue=RICH, green=RICH, yellow=RICH)
    start = table.state
    for _ in range(PLACEMENTS):
        if WEST.phase(table.state) != "build_track":
            table.state = replace(start, track=table.state.track, extra=table.state.extra)
        seat = table.asked or ""
        if WEST.question(table.state).form == "choices":
            table.play(seat, luck.choice(table.legal))
            continue
        ends = {hex_.label for hex_ in WEST.draft(table.state, []).hexes if hex_.own_end}
        offers = WEST.placements(table.state)
        growing = [order for order in offers if order.split()[1] in ends]
        more = "; more" if luck.random() < 0.7 else ""
        table.play(seat, luck.choice(growing or offers) + more)
        if not transcontinental(table.state).made:
            assert all(parts(table, player) <= 1 for player in SIX[:3])
    return table


@pytest.mark.parametrize("seed", range(3))
def test_random_building_keeps_every_railroad_in_one_piece(seed: int) -> None:
    """R83."""
    assert sum(len(segments) for segments in built(seed).state.track.values()) > PLACEMENTS // 2
