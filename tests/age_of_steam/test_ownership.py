"""Who owns track, and when an unfinished section is lost (section 7.6)."""

from collections import Counter

from pbem.age_of_steam.events_build import LinkCompleted, SectionLost
from pbem.engine import replace
from tests.age_of_steam.table import Table, position, sheet_of

SECTION = {"P3": "blue NW-S"}
"""Blue's section from Des Moines, open towards R3."""
LINK_AND_EXIT = {"N3": "blue SW-NE", "M4": "blue SW-SE", "N5": "blue @NW,@S"}
"""Blue's link Des Moines-Rock Island and an exit to the south that leads nowhere yet."""


def test_added_track_takes_the_whole_section_along() -> None:
    """7.6: all unowned segments of the chain become the builder's."""
    track = {"P3": "nobody NW-S", "R3": "nobody N-S"}
    table = Table(position(track=track)).play("blue", "build T3 N-SE")
    assert [table.owner(h, s) for h, s in (("P3", "NW-S"), ("R3", "N-S"), ("T3", "N-SE"))] == ["blue"] * 3


def test_a_completed_link_belongs_to_who_completes_it_and_is_told() -> None:
    """7.6: permanent from then on."""
    table = Table(position(track={"P3": "nobody NW-S", "R3": "nobody N-SE"})).play("blue", "build S4 NW-SE")
    assert [(e.seat, set(e.ends), e.points) for e in table.told(LinkCompleted)] == [("blue", {"O2", "T5"}, 3)]
    table.play("green", "build nothing").play("yellow", "build nothing")
    assert table.links == {(frozenset({"O2", "T5"}), "blue")}


def test_a_section_without_added_track_is_lost_at_the_end_of_the_build_turn() -> None:
    """R37: also when track is built elsewhere; others' sections are not touched."""
    track = {**SECTION, "R13": "green NW-S"}
    table = Table(position(track=track)).play("blue", "build P11 SE-N")
    assert (table.owner("P3", "NW-S"), table.owner("P11", "N-SE"), table.owner("R13", "NW-S")) == (
        None,
        "blue",
        "green",
    )
    assert [(e.seat, e.anchor) for e in table.told(SectionLost)] == [("blue", "O2")]


def test_who_builds_nothing_loses_all_sections() -> None:
    """R37."""
    table = Table(position(track={**SECTION, "P11": "blue SE-N"})).play("blue", "build nothing")
    assert (table.owner("P3", "NW-S"), table.owner("P11", "N-SE")) == (None, None)


def test_a_new_or_extended_section_is_kept_until_the_next_build_turn() -> None:
    """R37: creating it counts as adding."""
    table = Table(position(track=SECTION)).play("blue", "build R3 N-S; P11 SE-N")
    assert (table.owner("P3", "NW-S"), table.owner("P11", "N-SE")) == ("blue", "blue")


def test_a_section_that_was_only_turned_is_lost() -> None:
    """D13, R37."""
    table = Table(position(track=SECTION)).play("blue", "build P3 NW-SE")
    assert table.owner("P3", "SE-NW") is None


def test_a_segment_added_and_then_turned_in_the_same_turn_counts_as_added() -> None:
    """D51, R37a."""
    table = Table(position(track=SECTION)).play("blue", "build R3 N-S; R3 N-SE")
    assert (table.owner("P3", "NW-S"), table.owner("R3", "N-SE")) == ("blue", "blue")


def test_a_segment_added_in_one_part_and_turned_in_another_counts_as_added() -> None:
    """R37a: the parts of a turn count together."""
    table = Table(position(track=SECTION)).play("blue", "build R3 N-S; more", "build R3 N-SE; more", "build nothing")
    assert (table.owner("P3", "NW-S"), table.owner("R3", "N-SE")) == ("blue", "blue")


def test_an_unused_town_exit_is_a_section_of_its_own() -> None:
    """R37: lost unless a tile is added to it; upgrading another exit of the town does not help."""
    table = Table(position(track=LINK_AND_EXIT)).play("blue", "build N5 @NE")
    assert (table.owner("N5", "@S"), table.owner("N5", "@NE"), table.owner("N5", "@NW")) == (None, "blue", "blue")
    kept = Table(position(track=LINK_AND_EXIT)).play("blue", "build P5 N-S")
    assert (kept.owner("N5", "@S"), kept.owner("P5", "N-S")) == ("blue", "blue")


def test_a_crossing_laid_over_a_section_does_not_extend_it() -> None:
    """R37."""
    track = {"T1": "blue SW-NE", "S2": "blue SW-NE", "R3": "blue SW-N", "S4": "blue SE-NW"}
    table = Table(position(track=track)).play("blue", "build R3 SE-NW")
    assert (table.owner("R3", "N-SW"), table.owner("R3", "SE-NW"), table.owner("S4", "SE-NW")) == (None, "blue", "blue")


def test_joining_counts_for_the_joined_whole() -> None:
    """R37, R38: one tile between an own and an unowned section."""
    table = Table(position(track={**SECTION, "S4": "nobody SE-NW"})).play("blue", "build R3 N-SE")
    assert table.links == {(frozenset({"O2", "T5"}), "blue")}


def test_a_lost_exit_leaves_the_builder_present_in_the_town() -> None:
    """R38a: presence ends only with urbanization or elimination."""
    table = Table(position(track=LINK_AND_EXIT)).play("blue", "build nothing")
    assert table.owner("N5", "@S") is None
    assert table.owner("N5", "@NW") == "blue"
    later = Table(position(track={**LINK_AND_EXIT, "N5": "blue @NW; nobody @S"})).play("blue", "build N5 @NE")
    assert later.owner("N5", "@NE") == "blue"


def test_every_section_hangs_on_a_node_whatever_is_built() -> None:
    """R38a: after every legal single placement all chains have one owner and an anchored end."""
    track = {**LINK_AND_EXIT, "P5": "blue N-NE", "R5": "nobody S-N", "S10": "green SW-NE", "R11": "green SW-NW"}
    table = Table(position(track=track, green={"cash": 20}))
    for step in sorted(table.steps):
        after = Table(table.state).play("blue", f"build {step}")
        for chain in after.sheet.net(after.state).chains:
            assert any(end is not None for end in chain.ends), step
            owners = Counter(after.owner(p.hex, _word(p.a, p.b)) for p in chain.pieces)
            assert len(owners) == 1, step


def _word(a: int, b: int) -> str:
    names = ("N", "NE", "SE", "S", "SW", "NW")
    return f"@{names[b]}" if a < 0 else f"{names[a]}-{names[b]}"


def test_a_special_link_of_nobody_is_left_out_of_the_position() -> None:
    """Public ones, and those of players who are out, have no owner; a position names those that somebody owns."""
    finland = sheet_of("finland")
    dealt = Table.deal(3, sheet=finland).state
    assert set(dealt.links.values()) == {None}
    assert finland.position(dealt)["links"] == {}
    detroit = sheet_of("detroit")
    state = position(sheet=detroit)
    state = replace(state, links={"link:1": "blue", "link:2": None})
    assert detroit.position(state)["links"] == {"link:1": "blue"}
