"""Replacing tiles: crossing, coexisting, redirecting, town upgrades (section 7.3)."""

import pytest

from tests.age_of_steam.table import RUST_BELT, Table, position

FROM_KANSAS_CITY = {"T1": "blue SW-NE", "S2": "blue SW-NE", "R3": "blue SW-N"}
"""Blue's section from Kansas City; its last segment SW-N on R3 hangs on SW and is open to the north."""
FROM_ST_LOUIS = {"S4": "blue SE-NW"}
"""Blue's section from St. Louis, open towards R3."""
BOTH = {**FROM_KANSAS_CITY, **FROM_ST_LOUIS}
TWO_ON_R3 = {**BOTH, "R3": "blue SW-N; blue SE-NW"}
"""Both sections end on R3."""


def lies(table: Table, hex_: str) -> set[tuple[str, str | None]]:
    names = RUST_BELT.board.directions
    return {(f"{names[s.a]}-{names[s.b]}", s.owner) for s in table.state.track[hex_]}


def test_every_legal_replacement_keeps_or_turns_what_lies_there() -> None:
    """R26: no segment is ever removed, own or not."""
    table = Table(position(track={**TWO_ON_R3, "Q4": "nobody SW-NE", "P5": "nobody SW-S", "R5": "nobody N-S"}))
    before = {hex_: len(segments) for hex_, segments in table.state.track.items()}
    tried = {step for step in table.steps if step.split()[0] in before}
    assert len(tried) > 10
    for step in tried:
        after = Table(table.state).play("blue", f"build {step}").state.track
        assert all(len(after[hex_]) >= count for hex_, count in before.items())


def test_a_tile_that_would_drop_a_segment_is_refused() -> None:
    """R26, R28a: both old segments cannot become one."""
    assert Table(position(track=TWO_ON_R3)).refusal("blue", "build R3 SW-SE").rule == "R28"


def test_naming_track_that_lies_there_is_harmless() -> None:
    """7.3: but a placement must add or turn something."""
    table = Table(position(track=BOTH))
    assert table.refusal("blue", "build R3 SW-N").rule == "Replacing Track"
    assert table.paid("blue", "build R3 SW-N,SE-NW") == table.paid("blue", "build R3 SE-NW") == 3


def test_track_of_a_finished_link_stays() -> None:
    """R27: also the own link."""
    track = {"S10": "blue SW-NE", "R11": "blue SW-NE"}
    assert Table(position(track=track)).refusal("blue", "build R11 SW-N").rule == "R27"


def test_track_of_another_player_stays() -> None:
    """R27."""
    track = {hex_: text.replace("blue", "green") for hex_, text in FROM_KANSAS_CITY.items()}
    assert Table(position(track=track)).refusal("blue", "build R3 SW-NW").rule == "R27"


def test_only_the_free_end_of_a_section_is_turned() -> None:
    """R28: the side on which it hangs stays."""
    table = Table(position(track=FROM_KANSAS_CITY))
    assert table.refusal("blue", "build R3 N-SE").rule == "R28"
    assert table.refusal("blue", "build S2 SW-SE").rule == "R28", "S2 is not the end of the section"
    table.play("blue", "build R3 SW-SE")
    assert lies(table, "R3") == {("SE-SW", None)}


def test_a_turned_end_may_meet_a_city_and_own_or_unowned_track_but_no_rivals() -> None:
    """R28."""
    for owner in ("blue", "nobody"):
        table = Table(position(track={**FROM_KANSAS_CITY, "S4": f"{owner} SE-NW"})).play("blue", "build R3 SW-SE")
        assert table.links == {(frozenset({"U0", "T5"}), "blue")}
    rival = Table(position(track={**FROM_KANSAS_CITY, "S4": "green SE-NW"}))
    assert rival.refusal("blue", "build R3 SW-SE").rule == "Restrictions"
    city = Table(position(track={"P3": "blue NW-N", "N3": "blue S-NW", "M2": "blue SE-N"}))
    assert city.refusal("blue", "build M2 SE-S").rule == "Completed Links", "the City it came from"
    other = Table(position(track={"P3": "blue NW-S", "R3": "blue N-SE", "S4": "blue NW-S"}))
    assert other.play("blue", "build S4 NW-SE").links == {(frozenset({"O2", "T5"}), "blue")}


def test_turned_track_obeys_the_grid() -> None:
    """R28, 7.2."""
    assert Table(position(track={"T1": "blue SW-NE"})).refusal("blue", "build T1 SW-S").rule == "Restrictions"


def test_track_in_a_town_is_never_turned() -> None:
    """R28: exits are only added."""
    track = {"N3": "blue SW-NE", "M4": "blue SW-SE", "N5": "blue @NW,@S"}
    table = Table(position(track=track))
    assert {step for step in table.steps if step.startswith("N5")} >= {"N5 @NE"}
    table.play("blue", "build N5 @NE")
    assert [s.b for s in table.state.track["N5"]] == [1, 3, 5]


def test_an_unowned_section_may_be_turned_by_who_may_claim_it() -> None:
    """R28, R36: it hangs on a City, so anybody may; it stays nobody's while it is unfinished."""
    track = {hex_: text.replace("blue", "nobody") for hex_, text in FROM_KANSAS_CITY.items()}
    table = Table(position(track=track, order=("green", "blue", "yellow"))).play("green", "build R3 SW-SE")
    assert lies(table, "R3") == {("SE-SW", None)}
    assert table["green"].cash == 28


def test_an_unowned_section_of_a_strange_town_is_turned_only_onto_own_track_or_a_city() -> None:
    """R28, 7.4."""
    track = {"M6": "blue NE-SW", "N5": "blue @NE; nobody @S", "P5": "nobody N-S", "R5": "nobody N-SE"}
    table = Table(position(track=track, order=("green", "blue", "yellow")))
    assert table.refusal("green", "build R5 N-SW").rule == "Building Track"
    table.play("green", "build R5 N-S")
    assert (frozenset({"N5", "T5"}), "green") in table.links, "onto St. Louis"


FROM_A_STRANGE_TOWN = {"M6": "blue NE-SW", "N5": "blue @NE; nobody @S", "P5": "nobody N-S", "R5": "nobody N-SE"}
"""Nobody's section from Rock Island, where only blue has track; its free end on R5 points away from St. Louis."""


@pytest.mark.parametrize(
    ("seat", "order", "beside", "legal"),
    [
        ("blue", "build R5 N-SW", {}, True),  # the kept end: (c), blue has track in the town
        ("green", "build R5 N-SW", {}, False),
        ("green", "build R5 N-S", {}, True),  # the new end: (a), St. Louis
        ("green", "build R5 N-SW", {"S4": "green SE-NE"}, True),  # (b), own track
        ("green", "build R5 N-SW", {"S4": "nobody SE-NE"}, True),  # (c), a section that hangs on St. Louis
        ("green", "build R5 N-SW", {"S4": "nobody SE-NW"}, False),  # which does not lead here
        ("green", "build R5 N-SW", {"S4": "yellow SE-NE"}, False),
    ],
)
def test_nobodys_section_is_turned_by_either_end(seat: str, order: str, beside: dict[str, str], legal: bool) -> None:
    """7.4: the kept end satisfies (c), or the new free end one of (a) to (c)."""
    order_of_players = (seat, *(other for other in ("green", "blue", "yellow") if other != seat))
    table = Table(position(track={**FROM_A_STRANGE_TOWN, **beside}, order=order_of_players))
    step = order.removeprefix("build ")
    assert (step in table.steps) == legal
    if legal:
        table.play(seat, order)
    else:
        assert table.refusal(seat, order).rule in ("Building Track", "Restrictions")


def test_a_turn_that_completes_an_unowned_section_gives_the_link() -> None:
    """R35."""
    track = {"P3": "nobody NW-S", "R3": "nobody N-SE", "S4": "nobody NW-S"}
    table = Table(position(track=track)).play("blue", "build S4 NW-SE")
    assert table.links == {(frozenset({"O2", "T5"}), "blue")}


def test_a_turn_that_leaves_an_unowned_section_unfinished_gives_nothing() -> None:
    """R36."""
    track = {"P3": "nobody NW-S", "R3": "nobody N-SE", "S4": "nobody NW-S"}
    table = Table(position(track=track)).play("blue", "build S4 NW-SW")
    assert [table.owner(h, s) for h, s in (("P3", "NW-S"), ("R3", "N-SE"), ("S4", "NW-SW"))] == [None] * 3


def test_a_segment_is_turned_and_another_added_on_the_side_just_freed() -> None:
    """D52, R28a: one turn and one addition, a coexisting tile, $2; the addition needs its own anchor."""
    assert Table(position(track=FROM_KANSAS_CITY)).refusal("blue", "build R3 SW-NW,N-SE").rule == "Building Track"
    table = Table(position(track=BOTH)).play("blue", "build R3 SW-NW,N-SE")
    assert lies(table, "R3") == {("SW-NW", None), ("N-SE", "blue")}, "the section that was only turned is lost"
    assert table["blue"].cash == 28


def test_new_track_that_leaves_the_anchored_side_bare_is_refused() -> None:
    """D52, R28a: nothing would hold the side on which the section hangs."""
    for step in ("R3 N-SE", "R3 N-NW,NE-S"):
        assert Table(position(track=BOTH)).refusal("blue", f"build {step}").rule == "R28"


def test_one_placement_may_turn_one_segment_and_add_another() -> None:
    """R29: priced as the tile, $3 for a crossing."""
    table = Table(position(track=BOTH))
    assert table.paid("blue", "build R3 SW-NE,SE-NW") == 3
    table.play("blue", "build R3 SW-NE,SE-NW")
    assert {segment for segment, _ in lies(table, "R3")} == {"NE-SW", "SE-NW"}


@pytest.mark.parametrize("listed", ["SW-NE,SE-S", "SW-NW,SE-N"])
def test_both_segments_of_a_tile_may_be_turned_at_once_and_may_swap_sides(listed: str) -> None:
    """R30, R40: one placement, $2."""
    table = Table(position(track=TWO_ON_R3))
    wanted = pairs(f"R3 {listed}")
    assert wanted in [pairs(step) for step in table.steps if step.startswith("R3 ")]
    table.play("blue", f"build R3 {listed}; more")
    assert {frozenset(segment.split("-")) for segment, _ in lies(table, "R3")} == wanted
    assert table.paid("blue", "build nothing") == 2


def pairs(step: str) -> set[frozenset[str]]:
    """The segments a step lists, whatever their order."""
    return {frozenset(pair.split("-")) for pair in step.split()[1].split(",")}


def test_one_segment_of_a_complex_tile_is_turned_and_the_rivals_stays() -> None:
    """R27, R28."""
    track = {**FROM_KANSAS_CITY, "S4": "green SE-NW", "R3": "blue SW-N; green SE-NW"}
    table = Table(position(track=track))
    assert table.paid("blue", "build R3 SW-NE") == 2
    assert table.refusal("blue", "build R3 SW-NE,SE-N").rule == "R27"


def test_a_crossing_keeps_the_track_below_whoever_owns_it() -> None:
    """7.3: kept segments keep their owner, nobody's stay nobody's."""
    track = {**FROM_KANSAS_CITY, "R3": "nobody SW-N", "T1": "nobody SW-NE", "S2": "nobody SW-NE", **FROM_ST_LOUIS}
    table = Table(position(track=track)).play("blue", "build R3 SE-NW")
    assert lies(table, "R3") == {("N-SW", None), ("SE-NW", "blue")}
