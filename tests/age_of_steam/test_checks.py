"""A drawn map is a sheet, or is refused in sentences that name the hex."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.engine import Sheet, catalog
from pbem.engine.faults import Checked, Fault
from pbem.rails.hexes import letters
from tests.every_map.games import deal, play
from tests.fuzz.mutate import mutated
from tests.fuzz.sentences import check_said, examples

MAPS = Path(__file__).parents[2] / "maps"
DATA = ("rust_belt", "southern_us", "germany", "new_england", "poland")


@cache
def drawn(slug: str) -> str:
    return (MAPS / slug / "board.toml").read_text("utf-8")


def check(text: str) -> Checked:
    return catalog.check("drawn", text)


def faults(text: str) -> list[tuple[str | None, str]]:
    return [(fault.hex, str(fault.sentence)) for fault in check(text).faults]


def changed(slug: str, was: str, now: str) -> str:
    text = drawn(slug)
    assert was in text
    return text.replace(was, now, 1)


DAMAGES = [
    ("rust_belt", '"Toledo" = "K12"', "", "K12", "The town on K12 has no name."),
    ("rust_belt", '"Toledo" = "K12"', '"Toledo" = "S10"', "S10", "The town Toledo lies on S10, where the sketch"),
    ("rust_belt", '"Toledo" = "K12"', '"Toledo" = "Z99"', "K12", "The town on K12 has no name."),
    ("rust_belt", '"Toledo" = "K12"', '"Toledo" = 12', "K12", "The town on K12 has no name."),
    ("rust_belt", '"Toledo" = "K12"', '"Toledo" = "N11"', "N11", "Two towns lie on N11: Fort Wayne and Toledo."),
    ("rust_belt", '"Toledo" = "K12"', '"J12" = "K12"', "K12", "“J12” looks like a hex. Give the place another name."),
    ("rust_belt", '"Toledo" = "K12"', '"a;b" = "K12"', "K12", "The name “a;b” cannot stand in orders. Give the place"),
    ("rust_belt", '"Toledo" = "K12"', '"" = "K12"', "K12", "The name “” cannot stand in orders."),
    ("rust_belt", '"Toledo" =', f'"{"To" * 13}" =', "K12", "is too long; 24 letters are the most."),
    ("rust_belt", 'hex = "L7"', 'hex = "L9"', "L9", "The City Chicago lies on L9, where the sketch has no City."),
    ("rust_belt", 'hex = "L7"', 'hex = "Q16"', "Q16", "Two Cities lie on Q16: Chicago and Wheeling."),
    ("rust_belt", 'hex = "L7"', 'hex = "Z99"', "L7", "The City on L7 has no name."),
    ("rust_belt", 'hex = "L7"', "hex = 7", "L7", "The City on L7 has no name."),
    ("rust_belt", 'L7", colours = ["red"]', 'L7", colours = ["mauve"]', "L7", "Chicago: there are no “mauve” cubes."),
    ("rust_belt", 'L7", colours = ["red"]', 'L7", colours = "red"', "L7", "Chicago: colours must be a list of words"),
    ("rust_belt", 'hex = "L7"', 'hex = "L7", size = 3', "L7", "Chicago: there is no key “size”."),
    ("rust_belt", "[cities]", "[hexes]\nM2 = { cost = 3 }\n[cities]", "M2", "M2: there is no key “cost”."),
    ("rust_belt", '["L1"]', '["L7"]', "L7", "Chicago: there is no column L7 of the goods display."),
    ("rust_belt", '["L1"]', '["L2"]', "L7", "Column L2 of the goods display feeds both St. Louis and Chicago."),
    ("rust_belt", '["L1"], cubes = 2', '["L1"], cubes = -3', "L7", "Chicago begins with -3 cubes; 0 to 9 are"),
    ("rust_belt", '["L1"], cubes = 2', '["L1"], cubes = 1.5', "L7", "Chicago begins with 1.5 cubes; 0 to 9 are"),
    ("rust_belt", '["L1"], cubes = 2', '["L1"], cubes = 9', None, None),
    ("germany", "J1 = { price = 6 }", "J1 = { price = -6 }", "J1", "J1: the price is -6; $0 to $30 are possible."),
    ("germany", "J1 = { price = 6 }", 'J1 = { terrain = "lava" }', "J1", "J1: there is no land “lava”."),
    ("germany", "J1 = { price = 6 }", 'J1 = { terrain = "difficult" }', "J1", "What does a tile cost on J1?"),
    ("germany", '["O2", "N3"]', '["O2", "O2"]', "O2", "The special link Düsseldorf-Essen joins a place with itself."),
    ("germany", '["O2", "N3"]', '["O2", "P3"]', "P3", "The special link Düsseldorf-Essen ends on P3, where no City"),
    ("detroit", 'hex = "P12"', 'hex = "B0"', "B0", "The special link Downtown-Windsor lies on B0, which is"),
    ("detroit", 'exits = ["N", "SE"]', 'exits = ["N", "E"]', "P12", "Downtown-Windsor has no side “E”; its sides are"),
    ("hungary", 'N5 = ["SE", "S"]', 'N5 = ["UP"]', "N5", "N5 has no side “UP”; its sides are N, NE, SE, S, SW, NW."),
    ("hungary", "M6 = [", 'O2 = ["N", "NE", "SE", "S", "SW", "NW"]\nM6 = [', "O2", "Zalaegerszeg cannot be reached"),
]  # fmt: skip
"""What is changed on a board, the hex that is named, and how a sentence begins or what it holds."""


@pytest.mark.parametrize(("slug", "was", "now", "hex_", "said"), DAMAGES)
def test_damage_at_a_hex_names_it(slug: str, was: str, now: str, hex_: str | None, said: str | None) -> None:
    found = faults(changed(slug, was, now))
    if said is None:
        assert found == []
    else:
        assert [sentence for where, sentence in found if where == hex_ and said in sentence]


ELSEWHERE = [
    ('name = "Rust Belt"', "", "The map has no name."),
    ('name = "Rust Belt"', "name = 3", "name must be text in quotation marks."),
    ('orientation = "flat-top"', "", "Say orientation = “flat-top” or “pointy-top”."),
    ('orientation = "flat-top"', 'orientation = "pointy-top"', "Line 2 of the sketch: the sign at place 3 stands"),
    ("[towns]", "[town]", "There is no table or key “town”. Is towns meant?"),
    ("[towns]", "[xyz]", "There is no table or key “xyz”."),
    ("[towns]", "[cities]\n[towns]", "cannot be read. A quotation mark, a bracket or an equals sign may be"),
    ('"Toledo" = "K12"', '"Toledo = "K12"', "cannot be read."),
    ('"Toledo" = "K12"', '"Cleveland" = "K12"', "or a name stands there twice."),
    ('"Toledo" = "K12"', '"Toledo" = "Z99"', "The town Toledo lies on Z99, which is not on the map."),
    ('"Toledo" = "K12"', '"Toledo" = 12', "The town Toledo needs a hex in quotation marks."),
    ('hex = "L7"', 'hex = "Z99"', "The City Chicago lies on Z99, which is not on the map."),
    ('hex = "L7"', "hexes = 7", "Chicago: there is no key “hexes”."),
    ('A = { colours = ["red"], columns = ["L3"] }', "A = { }", "New City A needs colours and columns."),
    ('A = { colours = ["red"]', 'I = { colours = ["red"]', "There is no New City I; there are A to H."),
    ('A = { colours = ["red"], columns = ["L3"] }', "A = 3", "A in [new_cities] must be written in braces."),
    ("[towns]", '[rivers]\nOhio = ["A1"]\n[towns]', "The river Ohio flows on A1, which is not on the map."),
    ("[towns]", '[walls]\nA1 = ["N"]\n[towns]', "[walls] names A1, which is not on the map."),
    ("[towns]", "[hexes]\nA1 = { price = 3 }\n[towns]", "[hexes] names A1, which is not on the map."),
    ("[towns]", '[also_called]\nx = "S10"\n[towns]', "[also_called] names S10, where no City or town is."),
    ("cubes = 2", "cubes = 9", None),
    ("[towns]", f"x = {'[' * 5000}\n[towns]", "The text is nested too deep."),
    ("# What is", f"# {'x' * 70_000}", "The text is longer than 64 KB."),
    ('name = "Rust Belt"', f'name = "{"x" * 41}"', "name has 41 letters; 40 are the most."),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "said"), ELSEWHERE)
def test_other_damage_is_told(was: str, now: str, said: str | None) -> None:
    found = [sentence for _, sentence in faults(changed("rust_belt", was, now))]
    assert found == [] if said is None else any(said in sentence for sentence in found)


def test_a_sign_that_is_no_land_and_a_sketch_that_is_too_large_are_told() -> None:
    lines = drawn("rust_belt").splitlines()
    at = lines.index('sketch = """') + 1
    there = len(lines[at]) - len(lines[at].lstrip())
    first = lines[at][:there] + "x" + lines[at][there + 1 :]
    found = faults("\n".join([*lines[:at], first, *lines[at + 1 :]]))
    assert (f"A{there // 2}", "Line 1 of the sketch has the sign “x”, which stands for no land.") in found
    huge = "\n".join([*lines[:at], lines[at] + " " * 90 + ".", *lines[at + 1 :]])
    assert faults(huge)[0] == (None, "The sketch is larger than 40 by 40 hexes.")


def test_a_map_of_few_hexes_or_one_city_is_refused() -> None:
    small = 'name = "S"\norientation = "flat-top"\nprovenance = "us"\nsketch = "*   ."\n[cities]\nX = { hex = "A0" }\n'
    small += '[new_cities]\nA = { colours = ["red"], columns = ["L1"] }\n'
    assert [sentence for _, sentence in faults(small)] == [
        "The map has 2 hexes; 20 to 400 are possible.",
        "A map needs two Cities at least.",
        "X cannot be reached: water, impassable land or closed sides lie all around it.",
    ]


def test_more_cubes_than_the_bag_can_give_are_refused() -> None:
    crowded = drawn("rust_belt").replace("cubes = 2", "cubes = 5")
    assert faults(crowded) == [(None, "56 cubes lie on the map at the start; 44 are the most.")]


@pytest.mark.parametrize("slug", ["ireland", "northern_england", "northern_italy"])
def test_a_board_of_steam_power_is_refused_and_it_says_why(slug: str) -> None:
    ((where, why),) = faults(drawn(slug))
    assert where is None
    assert "Only maps of Age of Steam can be drawn, because the contracts of Steam Power need a drawing" in why


@pytest.mark.parametrize("slug", [*DATA, "detroit"])
def test_maps_that_are_data_have_no_fault(slug: str) -> None:
    assert check(drawn(slug)).faults == ()


def test_the_largest_map_is_checked_in_50_milliseconds() -> None:
    """The best of some tries: a machine with other work takes longer now and then."""
    rows = ["  " * (line % 2) + ".   " * 10 for line in range(40)]
    rows[0], rows[1] = rows[0].replace(".", "*", 2), rows[1].replace(".", "o")
    places = "".join(f'"Town {letters(at)}y" = "B{2 * at + 1}"\n' for at in range(10))
    cities = 'X = { hex = "A0", colours = ["red"], columns = ["L1"] }\nY = { hex = "A2", colours = ["blue"] }\n'
    head = 'name = "L"\norientation = "flat-top"\nprovenance = "us"\nsketch = """\n'
    text = head + "\n".join(rows) + f'\n"""\n[cities]\n{cities}[towns]\n{places}'
    taken = []
    for _ in range(5):
        begun = perf_counter()
        sheet = check(text).sheet
        taken.append(perf_counter() - begun)
        assert sheet is not None
        assert isinstance(sheet, DataSheet)
        assert len(sheet.board.hexes) == 400
    assert min(taken) < 0.05


def test_hints_stop_nothing() -> None:
    text = drawn("rust_belt").replace('colours = ["black"]', 'colours = ["red"]').replace('["L1"]', "[]", 1)
    checked = check(text)
    assert checked.sheet is not None
    assert [(hint.hex, str(hint.sentence)) for hint in checked.hints] == [
        (None, "No City and no New City takes black: black cubes can never be delivered."),
        ("L7", "Chicago has no column of the goods display: it receives no new cubes."),
    ]


# the rules ----------------------------------------------------------------------------------------------

RULES = [
    ("round = 2", "There is no rule “round”. Is “rounds” meant?"),
    ("xyz = 2", "There is no rule “xyz”."),
    ("engineer = 3", "The rule engineer must be a table."),
    ("rounds = 99", "The rule rounds must be a whole number from 1 to 4."),
    ("tiles = true", "The rule tiles must be a whole number from 1 to 8."),
    ("complete_links = 1", "The rule complete_links must be true or false."),
    ("players = [5, 3]", "The rule players must be two numbers, the smaller one first."),
    ('players = "3-5"', "The rule players must be a list of 2 to 2 values in brackets."),
    ("turns = [10]", "The rule turns must be a table by the number of players, such as { 3 = 9, 4 = 8 }."),
    ("turns = { 3 = 10 }", "How many turns does a game of 4 have? Say it in rules.turns."),
    ("turns = { 3 = 10, 4 = 0, 5 = 7, 6 = 6 }", "A game of 4 has no last turn; that needs end = “last player”."),
    ('actions = ["fly"]', "The rule actions must be one of these words: “first-move”, “first-build”"),
    ('actions = ["engineer"]', "There is 1 action for 6 players; everybody needs one."),
    ('actions = ["engineer", "engineer"]', "The rule actions must be a list without a value twice."),
    ("prices = { lava = 3 }", "The rule prices must be a table with these names: plain, river"),
    ("prices = { plain = -1 }", "The rule prices.plain must be a whole number from 0 to 20."),
    ('engineer = { discount = "all" }', "The rule engineer.discount must be one of these words: “none”"),
    ("start = { cash = 1000000 }", "The rule start.cash must be a whole number from 0 to 100."),
    ("start = { gold = 1 }", "There is no rule “start.gold”."),
    ("start = { shares = 9 }\nshare_cap = 8", "Everybody begins with 9 shares, but 8 are the most."),
    ("start = { engine = 5 }\nengine_cap = 4", "Every engine begins at 5, but 4 is the most."),
    ('[[rules.cubes]]\nhex = "ZZ9"', "A cube of rules.cubes is for ZZ9, where no City is."),
    ("[[rules.cubes]]\nturns = [1, 2]", "The rule cubes must be a table with these names: hex, when, turns, colour."),
    ("[[rules.cubes]]\nhex = 9", "The rule cubes.hex must be a hex in quotation marks, such as “K4”."),
    ("cubes = 3", "The rule cubes must be a list of 0 to 20 values in brackets."),
    ("goods = { pink = { income = 1 } }", "The rule goods must be a table with these names: red, blue"),
    ("goods = { red = 1 }", "The rule goods.red must be a table with these names: income, leaves."),
    ('order = "none"', "Without an auction a map can have at most two players."),
    ('order = "none"', "Without an auction nobody needs the action turn-order: leave it out of rules.actions."),
    ('first_player = ["white"]', 'rules.first_player needs two players, order = "none", and white or black'),
    ('end = "never"', "The rule end must be one of these words: “turns”, “last player”."),
    ('end = "last player"', "A game to the last player might never end: it needs expenses_add_turn"),
    ('end = "last player"\nexpenses_add_turn = true\nbankruptcy = "never"', "A game to the last player might"),
    ('end = "last player"\nexpenses_add_turn = true\nincome_reduction = "none"', "A game to the last player might"),
    ('end = "last player"\nexpenses_add_turn = true\nturns = { 3 = 4 }', "A game to the last player has no last turn"),
    ('towns = { cube = "drawn" }\n[[rules.cubes]]\nhex = "L7"', None),
    ('towns = { cube = "black" }', None),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "said"), RULES)
def test_a_rule_that_cannot_be_is_told(rules: str, said: str | None) -> None:
    found = [sentence for _, sentence in faults(f"{drawn('rust_belt')}[rules]\n{rules}\n")]
    assert found == [] if said is None else any(sentence.startswith(said) for sentence in found)


def test_rules_are_a_table() -> None:
    found = faults(drawn("rust_belt").replace("[cities]", "rules = 3\n[cities]"))
    assert found == [(None, "[rules] must be a table.")]


# anything ------------------------------------------------------------------------------------------------

lucks = st.randoms(use_true_random=False)
SIGNS = ".~h^%=*o$MdDsz#x "


def _lines(luck: Random) -> Iterator[str]:
    """A drawing with one to three faults in its lines."""
    lines = drawn(luck.choice(DATA)).splitlines()
    for _ in range(luck.choice((1, 1, 2, 3))):
        at = luck.randrange(len(lines))
        match luck.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, luck.choice(lines))
            case 2:
                place = luck.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:place] + luck.choice(SIGNS) + lines[at][place + 1 :]
            case 3:
                lines[at] = lines[at].replace("2", str(luck.choice((-1, 0, 9, 1e9))), 1)
            case 4:
                lines[at] = lines[at].replace("=", "", 1) if luck.random() < 0.3 else f" {lines[at]}"
            case _:
                lines[at] = mutated(lines[at], luck, *lines[:40])
    yield from lines


@examples(60)
@example(luck=Random(3))
@given(luck=lucks)
def test_a_damaged_drawing_ends_with_a_sentence_or_a_game_that_plays(luck: Random) -> None:
    checked = check("\n".join(_lines(luck)))
    assert (checked.sheet is None) is bool(checked.faults)
    for fault in (*checked.faults, *checked.hints):
        _judge(fault)
    if checked.sheet is not None:
        _played(checked.sheet, luck.randrange(1000))


def _judge(fault: Fault) -> None:
    check_said(str(fault.sentence))
    assert fault.hex is None or fault.hex.isalnum()


def _played(sheet: Sheet, seed: int) -> None:
    """The beginning of a game of random orders."""
    players = sheet.player_counts()[0]
    for number, _ in enumerate(play(sheet, seed, deal(sheet, seed, players))):
        if number == 30:
            return
