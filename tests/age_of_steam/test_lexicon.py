"""What names in orders stand for (turn_prompts, section 1)."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from pbem.age_of_steam.lexicon import COLOURS, Lexicon, action
from pbem.engine import catalog
from pbem.engine.reading import Unknown
from pbem.rails.board import BadBoard, City, Connection
from pbem.rails.drawing import load_board
from pbem.rails.names import folded
from pbem.rails.orders import colour
from pbem.rails.sheet import MapSheet
from tests.age_of_steam.typed_orders import VOCABULARY

RUST_BELT = load_board(Path(str(resources.files("maps").joinpath("rust_belt/board.toml"))))
TWO_JACKSONS = replace(
    RUST_BELT,
    cities={**RUST_BELT.cities, "A0": City("Jackson", ("A0", "B1"), ("blue",), (), 1)},
    towns={**RUST_BELT.towns, "C0": "Jackson", "E0": "Jacksonburg", "G0": "Jyväskylä", "I0": "Łódź", "K0": "1846"},
    connections={
        "1": Connection("1", "Detroit-Toledo", ("H13", "K12"), 6),
        "2": Connection("2", "Detroit-Toledo", ("H13", "K12"), 8),
        "3": Connection("3", "Upper Tunnel", ("C16", "F17"), 4),
        "4": Connection("4", "Lower Tunnel", ("C16", "F17"), 4),
        "5": Connection("5", "Jyväskylä-La Crosse", ("G0", "G4"), 2),
    },
)
SEATS = ("red", "blue", "pink")


def lexicon(**values: object) -> Lexicon:
    return replace(Lexicon(board=TWO_JACKSONS, seats=SEATS, new_cities={"D": "K12"}), **values)  # type: ignore[arg-type]


LEXICON = lexicon()


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        # by its label in any case, or by the name of its City or town, without accents, case, spaces and punctuation
        *((kind, text, "S10") for kind in ("hex", "node") for text in ("s10", "S10")),
        *(
            (kind, text, "Q10")
            for kind in ("hex", "node")
            for text in ("Indianapolis", "INDIANAPOLIS", "ind", "In-di an.apolis", "Índïanapolis")
        ),
        ("node", "st louis", "T5"), ("node", "Jyvaskyla", "G0"), ("node", "JYVÄSKYLÄ", "G0"), ("node", "lodz", "I0"),
        ("node", "ŁÓDŹ", "I0"), ("node", "1846", "K0"), ("node", "eva", "T9"),
        # a whole name is no beginning of a longer one, and what can stand there decides
        ("town", "Jackson", "C0"), ("city", "Jackson", "A0"), ("node", "jacksonb", "E0"),
        ("town", "Chicago", "L7"), ("city", "Lexington", "T13"),
        # a New City goes by its letter and keeps the name of the town
        *(("node", text, "K12") for text in ("D", "d", "New City D", '"new city d"', "newcityd", "Toledo", "K12")),
        ("node", "toledo (D)", "K12"), ("hex", "New City D", "K12"),
        # a City of several hexes goes by its first label
        ("node", "b1", "A0"), ("hex", "b1", "B1"),
        # a special link goes by its printed name, by what it joins, and by beginnings of that
        *(
            ("link", text, "Detroit-Toledo")
            for text in ("Detroit-Toledo", "toledo-detroit", "Det-D", "H13–K12", "New City D-Detroit", "detroittoledo")
        ),
        ("link", "upper tunnel", "Upper Tunnel"), ("link", "jyv-la c", "Jyväskylä-La Crosse"),
        ("link", "jyv-la crosse", "Jyväskylä-La Crosse"), ("link", "Chicago-Toledo", "L7-K12"),
        ("link", "L7-K12", "L7-K12"),
    ],
)  # fmt: skip
def test_what_is_named_is_found(kind: str, text: str, found: str) -> None:
    assert getattr(LEXICON, kind)(text) == found


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("node", "ev", "three letters"),
        ("node", "Jackson", r"Jackson \(A0\) and Jackson \(C0\)"),
        ("hex", "D", "."),
        ("node", "A", "New City A is not on the board"),
        ("node", "Chicago (D)", "New City D is not there"),
        ("node", "Z99", "."),
        ("node", "AA7", "."),
        ("node", "", "."),
        ("link", "Toronto-Buffalo", "Lower Tunnel and Upper Tunnel"),
        ("link", "Chicago", "Detroit-Toledo, Jyväskylä-La Crosse"),
    ],
)
def test_what_is_not_there_or_names_several_is_refused_with_what_there_is(kind: str, text: str, why: str) -> None:
    with pytest.raises(Unknown, match=why):
        getattr(LEXICON, kind)(text)


def test_where_there_are_no_special_links_that_is_said() -> None:
    with pytest.raises(Unknown, match="no special links"):
        replace(LEXICON, board=RUST_BELT).link("Nowhere-Chicago")


def test_an_ambiguous_name_is_refused_with_the_list() -> None:
    towns = {"Q6": "Springfield", "G4": "Sprucehill"}
    with pytest.raises(Unknown, match=r"Springfield \(Q6\).*Sprucehill \(G4\)"):
        replace(LEXICON, board=replace(TWO_JACKSONS, towns=towns)).node("spr")


def test_a_new_city_can_stand_where_only_a_city_can() -> None:
    assert LEXICON.with_city("A", "C0").city("A") == "C0"
    with pytest.raises(Unknown, match=r"Jackson \(A0\) and Jackson \(C0\)"):
        LEXICON.with_city("A", "C0").city("Jackson")


def test_a_hyphen_may_belong_to_the_name_of_a_place() -> None:
    board = replace(TWO_JACKSONS, towns={**TWO_JACKSONS.towns, "G4": "La Chaux-de-Fonds"})
    assert replace(LEXICON, board=board).link("la chaux-de-fonds-jyv") == "Jyväskylä-La Crosse"


@pytest.mark.parametrize(
    ("text", "seat"),
    [("Ana", "red"), ("ANA", "red"), ("  Ana ", "red"), ("john o'neil", "blue"), ("John ONeil", "blue"),
     ("Pink", "pink")],
)  # fmt: skip
def test_players_go_by_name_or_by_colour(text: str, seat: str) -> None:
    assert lexicon(names={"red": "Ana", "blue": "John O'Neil"}).seat(text) == seat


def test_a_colour_is_a_seat_only_where_no_player_has_that_name() -> None:
    named = lexicon(names={"red": "Ana", "blue": "Red"})
    assert named.seat("red") == "blue"
    assert LEXICON.seat("red") == "red"


def test_a_name_that_is_nearly_a_colour_does_not_take_it() -> None:
    assert lexicon(names={"blue": "R.E.D."}).seat("red") == "red"
    assert lexicon(names={"blue": "R.E.D."}).seat("r.e.d.") == "blue"


def test_a_name_two_players_have_names_nobody() -> None:
    with pytest.raises(Unknown, match="red and pink"):
        lexicon(names={"red": "Ana", "blue": "Bo", "pink": "ana"}).seat("Ana")


@pytest.mark.parametrize("text", ["Bob", "", "green", "🚂"])
def test_who_does_not_play_is_refused_with_the_players(text: str) -> None:
    with pytest.raises(Unknown, match="Red, Blue and Pink"):
        LEXICON.seat(text)


def test_nobody_is_nobody_whatever_players_are_called() -> None:
    assert lexicon(names={"red": "Nobody"}).owner("(NoBody)") == "nobody"
    assert LEXICON.owner("blue") == "blue"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("loco", "locomotive"), ("urb", "urbanization"), ("eng", "engineer"), ("prod", "production"),
        ("turn", "turn-order"), ("turn order", "turn-order"), ("heavy", "heavy-lifting"), ("common", "commonwealth"),
        ("first-m", "first-move"), ("FIRST BUILD", "first-build"), ("none", "none"),
    ],
)  # fmt: skip
def test_an_action_goes_by_any_unique_beginning(text: str, name: str) -> None:
    assert action(text, VOCABULARY.actions) == name


@pytest.mark.parametrize("text", ["", "-", "locomotives", "x"])
def test_what_is_no_action_is_refused_with_the_actions(text: str) -> None:
    with pytest.raises(Unknown, match="engineer, locomotive"):
        action(text, VOCABULARY.actions)


def test_cubes_have_six_colours() -> None:
    assert [colour(c, COLOURS) for c in ("Red", "BLUE", "purple", "yellow", "black", "white")][:2] == ["red", "blue"]
    with pytest.raises(Unknown, match="red, blue, purple, yellow, black and white"):
        colour("green", COLOURS)


BOARDS = {sheet.board.slug: sheet.board for sheet in catalog.sheets() if isinstance(sheet, MapSheet)}


@pytest.mark.parametrize("slug", BOARDS)
def test_every_place_of_every_map_goes_by_its_name_with_and_without_its_letters(slug: str) -> None:
    """As it is printed, in plain letters, and in capitals; a name that a City and a town share goes to either."""
    board = BOARDS[slug]
    names = Lexicon(board=board, seats=SEATS)
    for label, name in [*((city.label, city.name) for city in board.cities.values()), *board.towns.items()]:
        for text in (name, name.upper(), folded(name)):
            assert label in (names.town(text), names.city(text))


@pytest.mark.parametrize(
    ("slug", "typed", "printed"),
    [
        ("germany", "Gorlitz", "Görlitz"), ("germany", "Goerlitz", "Görlitz"), ("germany", "GÖRLITZ", "Görlitz"),
        ("germany", "Frieburg", "Freiburg"), ("germany", "Duesseldorf", "Düsseldorf"),
        ("germany", "Köln", "Düsseldorf"),
        ("germany", "Muenchen", "Munich"), ("germany", "mun", "Munich"), ("poland", "Ostroteka", "Ostrołęka"),
        ("poland", "ostroleka", "Ostrołęka"), ("poland", "lodz", "Łódź"),
        ("poland", "Zielona Gora", "Zielona Góra"),
        ("poland", "gdan", "Gdańsk"), ("switzerland", "Zurich", "Zürich"), ("switzerland", "zuerich", "Zürich"),
        ("st_lucia", "Mome Gimie", "Morne Gimie"), ("st_lucia", "Barre de Fisle", "Barre de l'Isle"),
        ("detroit", "Mt Clemens", "Mt. Clemens"), ("detroit", "St Clair Shores", "St. Clair Shores"),
    ],
)  # fmt: skip
def test_names_go_as_they_were_printed_before_and_as_people_type_them(slug: str, typed: str, printed: str) -> None:
    board = BOARDS[slug]
    label = Lexicon(board=board, seats=SEATS).node(typed)
    assert (board.cities[label].name if label in board.cities else board.towns[label]) == printed


def test_another_name_of_a_place_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    text = Path(str(resources.files("maps").joinpath("germany/board.toml"))).read_text("utf-8")
    path.write_text(text.replace('"Köln" = "O2"', '"Köln" = "A0"'), "utf-8")
    with pytest.raises(BadBoard, match="A0, where no City or town is"):
        load_board(path)


def test_a_name_that_is_far_too_long_is_not_even_looked_at() -> None:
    assert folded("é" * 100) == "e" * 100
    assert folded("é" * 101) == ""


def test_a_new_city_leaves_the_others_where_they_are_and_takes_the_place_of_the_one_below_it() -> None:
    assert LEXICON.with_city("B", "K12").new_cities == {"B": "K12"}
    both = LEXICON.with_city("B", "Q10")
    assert both.new_cities == {"D": "K12", "B": "Q10"}
    assert both.with_city("F", "Q10").new_cities == {"D": "K12", "F": "Q10"}
