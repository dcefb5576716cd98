"""The worked examples of the English rulebook, played as the story they tell: John, Dave, Pete, Vince and Hudson."""

from pbem.age_of_steam.events import AuctionWon, Dropped
from pbem.age_of_steam.phases.money import eliminate
from pbem.engine import replace
from tests.age_of_steam.table import RUST_BELT, Table, dice, enter, position

PETE, DAVE, JOHN, VINCE, HUDSON = "yellow", "blue", "green", "orange", "gray"
NEW_GAME = {"cash": 10, "income": 0}


def test_three_players_issue_two_one_and_no_shares() -> None:
    """E1: John issues two shares, Dave one, Pete none."""
    seats = (JOHN, DAVE, PETE)
    table = Table(position("issue_shares", seats=seats, green=NEW_GAME, blue=NEW_GAME, yellow=NEW_GAME))
    table.play(JOHN, "issue 2").play(DAVE, "issue 1").play(PETE, "issue 0")
    assert [(table[seat].shares, table[seat].cash) for seat in seats] == [(4, 20), (3, 15), (2, 10)]


def test_five_players_bid_and_john_passes_once() -> None:
    """E2: Vince is first for $3, John second for nothing, Pete third for half of $2."""
    seats = (PETE, DAVE, VINCE, HUDSON, JOHN)
    table = Table(position("turn_order", seats=seats, green={"action": "turn-order"}))
    table.play(PETE, "bid 2").play(DAVE, "drop").play(VINCE, "bid 3").play(HUDSON, "drop").play(JOHN, "pass")
    table.play(PETE, "drop")
    assert table.asked == JOHN, "Vince is not asked: his bid stands"
    assert table.legal[:2] == ("drop", "bid 4"), "no second pass"
    table.play(JOHN, "drop")
    assert table.state.order == (VINCE, JOHN, PETE, HUDSON, DAVE)
    assert {seat: 30 - table[seat].cash for seat in seats} == {VINCE: 3, JOHN: 0, PETE: 1, HUDSON: 0, DAVE: 0}
    assert [(e.seat, e.place, e.paid) for e in table.told(Dropped)] == [(JOHN, 2, 0)]
    assert [(e.seat, e.paid) for e in table.told(AuctionWon)] == [(VINCE, 3)]


def pete_has_built() -> Table:
    """E3: the first build of the game, Evansville-Cincinnati and a start from Cincinnati."""
    table = Table(position("build_track", seats=(PETE, DAVE, JOHN, VINCE), turn=1, orange={"action": "urbanization"}))
    return table.play(PETE, "build S10 SW-NE; R11 SW-NE; R13 NW-S")


def dave_has_built() -> Table:
    """E4: Evansville-Indianapolis-Cincinnati."""
    return pete_has_built().play(DAVE, "build R9 S-NE; Q10 @SW,NE; P11 SW-SE")


def john_has_built() -> Table:
    """E5: under Pete's track to Indianapolis, and out of it."""
    return dave_has_built().play(JOHN, "build S12 N-NW; R11 NW-SE; Q10 @SE,NW")


def vince_has_built() -> Table:
    """E6: New City A on Indianapolis, and over Pete's track to Evansville."""
    return john_has_built().play(VINCE, "build city A Q10; O10 S-N; S10 N-S; U10 N-NW")


def test_pete_builds_a_link_and_an_unfinished_section() -> None:
    """E3: $2 + $2 + $3 (river)."""
    table = pete_has_built()
    assert table[PETE].cash == 30 - 7
    assert table.links == {(frozenset({"T9", "Q12"}), PETE)}
    section = table.chain("R13", "NW-S")
    assert (section.owner, section.complete, section.anchor) == (PETE, False, "Q12")
    assert RUST_BELT.board.neighbours["R13"][section.open[0][1]] == "T13", "it points at untiled Lexington"


def test_dave_builds_through_indianapolis() -> None:
    """E4: a town with two exits costs $3 and takes one disc."""
    table = dave_has_built()
    assert table[DAVE].cash == 30 - 7
    assert table.links - pete_has_built().links == {
        (frozenset({"T9", "Q10"}), DAVE),
        (frozenset({"Q10", "Q12"}), DAVE),
    }
    assert [s.owner for s in table.state.track["Q10"]] == [DAVE, DAVE]


def test_john_crosses_under_pete_and_upgrades_indianapolis() -> None:
    """E5: $3 + $3 + $3; the exit to the north-west stays an unfinished section."""
    table = john_has_built()
    assert table[JOHN].cash == 30 - 9
    assert (table.owner("R11", "NE-SW"), table.owner("R11", "SE-NW")) == (PETE, JOHN)
    assert (frozenset({"Q10", "Q12"}), JOHN) in table.links
    assert not table.chain("Q10", "@NW").complete
    assert table.owner("Q10", "@NW") == JOHN


def test_vince_makes_indianapolis_a_new_city() -> None:
    """E6: the tile goes, John's section disappears, links now end at the City; $0 + $2 + $3 + $3."""
    table = vince_has_built()
    assert table[VINCE].cash == 30 - 8
    assert "Q10" not in table.state.track
    assert table.state.new_cities == {"A": "Q10"}
    assert table.links == {
        (frozenset({"T9", "Q12"}), PETE),
        (frozenset({"T9", "Q10"}), DAVE),
        (frozenset({"Q10", "Q12"}), DAVE),
        (frozenset({"Q10", "Q12"}), JOHN),
        (frozenset({"T9", "Q10"}), VINCE),
    }
    assert (table.owner("O10", "N-S"), table.chain("O10", "N-S").complete) == (VINCE, False)
    links = RUST_BELT.links(table.state)
    track = {seat: dict(RUST_BELT.score(table.state, seat, links))["track"] for seat in (PETE, DAVE, JOHN, VINCE)}
    assert track == {PETE: 2, DAVE: 2, JOHN: 2, VINCE: 2}


def test_dave_moves_first_and_pete_has_nothing_left_to_move() -> None:
    """E7: Dave takes the engine, Pete one link, Dave two links, Pete passes."""
    two_left = eliminate(eliminate(dave_has_built().state, JOHN), VINCE)
    two_left = replace(two_left.with_player(DAVE, action="first-move"), cubes={"T9": ("blue",), "Q12": ("blue",)})
    table = Table(enter(two_left, "move_goods"))
    table.play(DAVE, "loco").play(PETE, "move blue Evansville > Cincinnati")
    assert (table[DAVE].engine, table[PETE].income) == (2, 6)
    table.play(DAVE, "move blue Cincinnati > Indianapolis > Evansville")
    assert (table[DAVE].income, table[PETE].income) == (7, 6)
    assert table.legal == ("loco", "pass"), "Pete has nothing left to move"
    table.play(PETE, "pass")
    assert table.state.turn == 2


def test_three_dice_feed_kansas_city_des_moines_and_new_city_a() -> None:
    """E8: light dice 3, 3, 4 in turn 2; New City B is not on the map."""
    state = position(
        "move_goods",
        turn=2,
        display={"L3": "red blue black", "A": "yellow purple", "L4": "- red blue", "B": "black black", "D3": "red - -"},
        new_cities={"A": "Q10"},
        blue={"engine": 6},
        green={"engine": 6},
        yellow={"engine": 6},
    )
    table = Table(state, rolls=dice(3, 3, 4, dark=(1, 2, 6))).settle()
    assert table.state.turn == 3
    assert dict(table.state.cubes) == {"U0": ("red", "blue"), "Q10": ("yellow", "purple"), "O2": ("red",)}
    display = table.state.display
    assert (display["L3"], display["A"], display["L4"]) == ((None, None, "black"), (None, None), (None, None, "blue"))
    assert (display["B"], display["D3"]) == (("black", "black"), ("red", None, None))


def test_the_cheapest_town_has_one_exit_and_the_dearest_four() -> None:
    """E9: one exit costs $2, a complex tile with a town disc $5."""
    table = Table(position(track={"R9": "blue NE-S"}))
    assert table.paid("blue", "build Q10 @SW") == 2
    assert table.paid("blue", "build Q10 @SW,NE,N,SE") == 5


def test_a_game_of_five_ends_after_the_seventh_turn() -> None:
    """E10: the turn marker of five players stops at seven."""
    assert RUST_BELT.turns(5) == 7
