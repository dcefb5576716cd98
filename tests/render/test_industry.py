"""What games with factories show besides: coins and pills on plates, bars between Cities, stock, contracts."""

from pbem.engine import replace
from pbem.rails.scene import Bar, CityPlate, Marks, PlayerRow, Scene
from pbem.rails.track import Chain, Piece
from pbem.render.encode import scene_palette
from pbem.render.key import entries
from pbem.render.page import laid_out, page_sketch
from pbem.render.palette import GOODS, PLAYERS, TERRAIN
from pbem.render.places import Places
from pbem.render.plates import plate_of
from tests.render.scenes import opening

COLUMNS = (("cash", "Cash"), ("hand", "In hand"), ("trains", "Trains"), ("factories", "Factories"), ("done", "Done"))
SEATS = ("red", "blue", "green")


def scene() -> Scene:
    """Northern England with a factory, a factory used up, a victory City and two bars."""
    base = opening("northern_england")
    plain = [CityPlate(city.label, city.hexes, city.name, ("white",), (), None) for city in base.cities]
    plain[0] = replace(plain[0], factory="red", cubes=("white",) * 3)
    plain[1] = replace(plain[1], factory="blue", pill="2 VP", used_up=True)
    plain[2] = replace(plain[2], colours=("purple",), pill="4 VP")
    return replace(
        base,
        cities=tuple(plain),
        phases=("First action", "Second action"),
        phase=1,
        columns=COLUMNS,
        players=tuple(row(seat, number) for number, seat in enumerate(SEATS, 1)),
        bars=(Bar("E6", 2, True), Bar("Q6", 2, False)),
        stock=(("black", 16), ("white", 23), ("orange", 22), ("gray", 24)),
        bag="bag: 19 contracts",
        left_over=("gray", "white", "purple"),
        progress="contracts",
        end="ends after the round in which somebody fulfils contract 11",
        acts=("track", "factory", "cash"),
    )


def row(seat: str, place: int) -> PlayerRow:
    cells = {"cash": "$12", "hand": "4", "trains": "10", "factories": "9", "done": "6"}
    return PlayerRow(seat, str(place), seat.capitalize(), cells, place == 1, progress=(6, 11))


def pixels(shown: Scene, label: str) -> bytes:
    """The hex of a City and its sides, as drawn."""
    frame = laid_out(shown).frame
    x, y = frame.centre(shown.board, label)
    r = round(frame.lattice.r)
    return page_sketch(shown).picture().crop((x - r, y - r, x + r, y + r)).tobytes()


def test_the_key_names_factories_victory_cities_and_bars_where_there_are_any() -> None:
    words = {entry.text for entry in entries(scene())}
    assert {"factory, train", "victory City", "used-up factory", "adjacent Cities", "river, no terrain"} <= words
    bare = replace(scene(), stock=(), bars=(), left_over=())
    assert not {"factory, train", "adjacent Cities"} & {entry.text for entry in entries(bare)}


def test_a_used_up_factory_loses_the_colour_of_its_plate_and_keeps_its_owner() -> None:
    shown = scene()
    used = shown.cities[1]
    plate = plate_of(used, beside_city=False)
    assert (plate.colours, plate.factory, plate.pill) == ((), "blue", "2 VP")
    frame = laid_out(shown).frame
    x, y = frame.centre(shown.board, used.label)
    below = page_sketch(shown).picture().getpixel((x, y + round(0.7 * frame.lattice.r)))
    assert below == TERRAIN["block"].fill


def test_the_coin_of_a_factory_is_on_its_plate() -> None:
    shown = scene()
    first = shown.cities[0]
    without = replace(shown, cities=(replace(first, factory=None), *shown.cities[1:]))
    assert pixels(shown, first.label) != pixels(without, first.label)


def test_an_open_group_has_a_whole_bar_and_others_have_dots() -> None:
    shown = scene()
    looks = {pixels(replace(shown, bars=bars), "E6") for bars in ((), (Bar("E6", 2, True),), (Bar("E6", 2, False),))}
    assert len(looks) == 3


def test_the_head_says_when_the_game_ends_and_what_may_be_done() -> None:
    head = (0, 0, 1400, 150)
    looks = {
        page_sketch(one).picture().crop(head).tobytes()
        for one in (scene(), replace(scene(), end=""), replace(scene(), acts=()))
    }
    assert len(looks) == 3


def test_the_palette_has_the_colours_of_companies_that_nobody_plays() -> None:
    shown = scene()
    company = Chain((Piece("C4", 0, 3),), (None, None), "purple", (("C4", 0), ("C4", 3)))
    colours = scene_palette(replace(shown, chains=(company,)))
    assert PLAYERS["purple"].core in colours
    assert PLAYERS["purple"].core not in scene_palette(shown)
    assert {GOODS[good].fill for good, _ in shown.stock} <= set(colours)
    assert TERRAIN["block"].fill in colours


def test_cities_that_changed_have_an_amber_ring_that_labels_keep_off() -> None:
    label = scene().cities[0].label
    marked = replace(scene(), marks=Marks(cities=frozenset({label})))
    assert pixels(marked, label) != pixels(scene(), label)
    assert "changed" in [entry.text for entry in entries(marked)]
    frame = laid_out(marked).frame
    first = {one.label: one.box for one in Places(scene(), frame).labels}
    then = {one.label: one.box for one in Places(marked, frame).labels}
    beside = {beyond for beyond in marked.board.neighbours[label] if beyond is not None}
    assert {one for one in first if first[one] != then[one]} <= beside
