"""Orders as players write them (turn_prompts, sections 1, 2 and 5)."""

import random

import pytest

from pbem.engine import BadMove, Move
from pbem.engine.flow import FirstLegal
from pbem.engine.moves import Cancel, Resign
from pbem.steam_power.moves import Bonus, Cash, Contract, Draw, Factory, Item, Place, Remove, Track
from pbem.steam_power.notation import ORDERS
from tests.steam_power.table import FIVE, MEADOW, SOLO, position

STATE = position(3)
NAMES = {"red": "Ana", "blue": "Ben", "green": "Chloé"}


def read(text: str) -> tuple[Move, ...]:
    return MEADOW.parse(STATE, text, NAMES)


@pytest.mark.parametrize("word", ["straight", "gentle", "curve", "acute", "sharp", "crossing"])
def test_a_word_for_the_tile_is_accepted_and_ignored(word: str) -> None:
    assert read(f"track C2 {word} N-S") == read("track C2 N-S")


READ: list[tuple[str, Move]] = [
    ("track C2 N-S", Track((Place("C2", ("N", "S")),))),
    ("TRACK c2 s-n; g2 straight NW-N", Track((Place("C2", ("N", "S")), Place("G2", ("N", "NW"))))),
    ("track remove; C2 N-SE", Track((Remove(), Place("C2", ("N", "SE"))))),
    ("factory Birch", Factory("E2")),
    ('factory "birch"', Factory("E2")),
    ("factory bir 6", Factory("E2", 6)),
    ("factory E2", Factory("E2")),
    ("contract 12", Contract(12)),
    ("contract 12 option 2", Contract(12, option=2)),
    (
        "contract 12 white Birch, black Fir over Ben red, grey bank",
        Contract(12, (Item("white", "E2"), Item("black", "E4", ("red", "blue")), Item("gray", None))),
    ),
    ("draw", Draw()),
    ("draw from chloe", Draw("green")),
    ("draw from Green", Draw("green")),
    ("cash", Cash()),
    ("cancel", Cancel()),
    ("resign", Resign()),
    ("bonus skip", Bonus(None)),
    ("bonus track C2 N-S; remove", Bonus(Track((Place("C2", ("N", "S")), Remove())))),
    ("bonus factory Birch 4", Bonus(Factory("E2", 4))),
    ("bonus draw from blue", Bonus(Draw("blue"))),
    ("contract 12 | factory Birch | cash", FirstLegal((Contract(12), Factory("E2"), Cash()))),
    ("contract 1 black bank | cash  # a remark", FirstLegal((Contract(1, (Item("black", None),)), Cash()))),
    ("track C2 N-S; G2 N-S | cash", FirstLegal((Track((Place("C2", ("N", "S")), Place("G2", ("N", "S")))), Cash()))),
    ("draw from Ben | cash", FirstLegal((Draw("blue"), Cash()))),
]


@pytest.mark.parametrize(("text", "move"), READ)
def test_an_order_is_read_and_prints_back_to_the_same(text: str, move: Move) -> None:
    assert read(text) == (move,)
    assert read(str(move)) == (move,)


def test_a_whole_turn_fits_in_a_line_or_in_several() -> None:
    turn = (Contract(12), Bonus(Track((Place("C2", ("N", "S")), Place("G2", ("N", "S"))))), Cash())
    assert read("contract 12; bonus track C2 N-S; G2 N-S; cash") == turn
    assert read("contract 12\nbonus track C2 N-S;\nG2 N-S\ncash") == turn


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 0, "There is no order"),
        ("buy 3", 0, "An order starts with"),
        ("track", 5, "A place is expected"),
        ("track C2", 8, "directions of this board"),
        ("track C2 N-N", 11, "two different sides"),
        ("track C2 N-E", 11, "directions of this board"),
        ("track Z99 N-S", 6, "no hex Z99"),
        ("factory", 7, "A place is expected"),
        ("factory Nowhere", 8, "No City"),
        ("factory Birch six", 8, "No City"),
        ("contract", 8, "A whole number"),
        ("contract twelve", 9, "A whole number"),
        ("contract 12 pink bank", 12, "Cubes are"),
        ("contract 12 white bank,", 23, "A colour is expected here: black, white, orange and gray."),
        ("contract 12 white", 17, "A place is expected"),
        ("contract 12 white Birch over", 28, "owners of the connections"),
        ("contract 12 white Birch over Nobody", 29, "No player has this name"),
        ("draw from", 9, "A player is expected"),
        ("draw two", 5, "Usage: "),
        ("cash 5", 5, "Usage: "),
        ("bonus", 5, "“track”, “factory”, “draw” or “skip”"),
        ("bonus cash", 6, "“track”, “factory”, “draw” or “skip”"),
        ("cash |", 6, "An order starts with"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, column: int, expected: str) -> None:
    with pytest.raises(BadMove) as caught:
        read(text)
    assert caught.value.column == column
    assert expected in str(caught.value.sentence())


@pytest.mark.parametrize(
    ("first", "other", "last", "why"),
    [
        ("cash", "; cash", "", "A submission has at most 64 orders."),
        ("cash", " | cash", "", "An order has at most 64 alternatives."),
        ("track remove", "; remove", "; cash", "A track action has two operations at most."),
        ("contract 1 black bank", ", black bank", "; cash", "A contract needs no more than a few cubes."),
    ],
)
def test_sixty_four_of_anything_are_read_and_no_more(first: str, other: str, last: str, why: str) -> None:
    assert read(first + 63 * other + last)
    with pytest.raises(BadMove) as caught:
        read(first + 64 * other + last)
    assert why in str(caught.value.sentence())


@pytest.mark.parametrize(
    ("word", "usage"),
    [
        ("track", "Usage: “track HEX N-S; HEX N-SE” and “track remove; HEX N-SE”."),
        ("factory", "Usage: “factory CITY”."),
        ("contract", "Usage: “contract N” and “contract N COLOUR CITY over PLAYER, COLOUR bank”."),
        ("draw", "Usage: “draw” and “draw from PLAYER”."),
        ("cash", "Usage: “cash”."),
        ("cancel", "Usage: “cancel”."),
        ("resign", "Usage: “resign”."),
        ("bonus", "Usage: “bonus track HEX N-S”, “bonus factory CITY 6”, “bonus draw” and “bonus skip”."),
    ],
)
def test_who_misspells_an_order_reads_how_it_is_written(word: str, usage: str) -> None:
    with pytest.raises(BadMove) as caught:
        read(f"{word} ?")
    assert str(caught.value.sentence()).endswith(usage)


def test_players_are_named_by_name_or_by_colour_and_companies_by_colour() -> None:
    assert read("draw from Ben") == (Draw("blue"),)
    alone = position(sheet=SOLO)
    order = "contract 6 gray Fir over blue purple"
    assert SOLO.parse(alone, order, {"gray": "Blue"}) == (Contract(6, (Item("gray", "E4", ("blue", "purple")),)),)
    assert SOLO.parse(alone, order, {}) == SOLO.parse(alone, order, {"gray": "Ana"})


def test_every_listed_operation_is_read_and_printed() -> None:
    for players in (2, 5):
        state = position(players, track={"C6": "red N-S"})
        for order in MEADOW.placements(state):
            (move,) = MEADOW.parse(state, order, {})
            assert str(move) == order


def test_any_text_is_answered() -> None:
    """Read or refused with a place, never anything else."""
    luck = random.Random(7)
    words: tuple[str, ...] = (
        *ORDERS,
        "from",
        "over",
        "bank",
        "option",
        "skip",
        "remove",
        "white",
        "12",
        "|",
        ";",
        ",",
        "-",
        "C2",
        "N",
        "S",
    )
    words = (*words, "Birch", "N-S", '"', "\n", "é", "(", "#", *FIVE)
    for _ in range(3_000):
        text = " ".join(luck.choices(words, k=luck.randrange(12)))
        try:
            moves = read(text)
        except BadMove:
            continue
        assert read("; ".join(map(str, moves))) == moves
