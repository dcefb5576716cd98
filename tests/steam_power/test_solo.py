"""The solo mode (section 11)."""

import pytest

from pbem.engine.chance import Draw, NotedChance, SeededChance
from pbem.engine.position_text import Fixed
from pbem.rails.position_text import CHECK, POSITION
from pbem.steam_power.events import ContractFulfilled, CounterLaid, TrainDrawn
from pbem.steam_power.position_text import BOX, CITIES, COMPANIES, PLAYERS
from tests.steam_power.table import FIVE, MEADOW, SOLO, Table, deal, position


def _alone(company: str = "red", **more: object) -> Table:
    more = {"left": 1, "trains": FIVE, "seat": company} | more
    return Table(position(sheet=SOLO, **more), sheet=SOLO)  # type: ignore[arg-type]


def test_five_companies_one_purse_and_one_hand() -> None:
    """Section 11: sixteen trains of each company are left for building."""
    table = deal(1, sheet=SOLO)
    seen = SOLO.position(table.state)
    assert list(seen["players"]) == ["gray"]
    assert seen["players"]["gray"]["cash"] == 5
    assert seen["players"]["gray"]["contracts"] == 5
    assert seen["companies"] == {company: {"trains": 16, "factories": 15} for company in FIVE}
    assert sum(seen["train_bag"].values()) == 9


def test_each_company_has_its_own_track() -> None:
    """Section 11: one incomplete connection and one network for each."""
    table = _alone(track={"C6": "blue N-S", "C2": "red N-S"})
    assert table.refusal("track K2 N-S").rule == "SP-R12"
    assert table.play("track G2 N-S").connections("red")


def test_what_other_companies_supply_is_paid_to_the_bank() -> None:
    """SP-D19: the factory of one and a connection of another are $2."""
    track = {"C2": "red N-S", "F3": "yellow NE-NW"}
    table = _alone(track=track, cities={"Fir": "gray blue 5"}, hands={"gray": "6"}, cash={"gray": 9}, bag=[])
    table.play("contract 6")
    (told,) = table.told(ContractFulfilled)
    assert (told.company, told.price, told.paid) == ("red", 2, (("blue", 1), ("yellow", 1)))
    assert table["gray"].cash == 9 - 2 + 1


def test_the_counter_comes_unseen_from_the_bag() -> None:
    """SP-R45: with an empty bag the turn is just counted."""
    table = _alone(trains=()).play("cash")
    assert table.told(CounterLaid)[0].contract
    assert table.told(CounterLaid)[0].seen_by() is None
    assert set(table.told(CounterLaid)[0].__slots__) == {"turn", "contract"}
    assert (len(table.state.counters), len(table.state.bag)) == (1, 9)
    assert table.state.turn == 2
    assert "counter" in SOLO.secret_draws
    assert not _alone(trains=(), bag=[]).play("cash").told(CounterLaid)[0].contract
    last = position(sheet=SOLO, left=1, turn=8, bag=[])
    assert Table(last, sheet=SOLO, draws=[]).play("cash").state.over, "nothing is drawn from an empty bag"


def test_without_opponents_only_the_bag_is_drawn_from() -> None:
    """SP-R46: with nothing left the action is illegal."""
    table = _alone(bag=[20]).play("draw")
    assert table["gray"].hand == (20,)
    assert _alone(bag=[]).refusal("draw").rule == "SP-R37"


def test_the_next_train_is_drawn_after_the_action() -> None:
    """SP-R47: nobody orders for a train that is not drawn; the same colour may come twice."""
    draws: list[Draw] = [{"for": "train", "cubes": ["red"]}]
    state = position(sheet=SOLO, left=1, trains=("red", "blue"))
    table = Table(state, sheet=SOLO, draws=draws).play("cash")
    assert table.told(TrainDrawn)[0].company == "red"
    assert table.state.trains == ("blue",)
    assert _alone().refusal("cash; cash").rule == "SP-R47"
    assert _alone().refusal("cash; cash | draw").rule == "SP-R47"
    assert _alone().refusal("cash; contract 47 | contract 48").rule == "SP-R47", "whether they are legal or not"


def test_a_bonus_belongs_to_the_action() -> None:
    """Section 11: it is for the active company, in the same message or after it."""
    track = {"C2": "red N-S"}
    table = _alone(track=track, cities={"Alder": "gray red 5"}, hands={"gray": "6"}).play("contract 6; bonus draw")
    assert len(table["gray"].hand) == 2
    table = _alone(track=track, cities={"Alder": "white red 5"}, hands={"gray": "4"})
    table.play("contract 4", "bonus track G2 N-S")
    assert len(table.connections("red")) == 2


def test_a_game_is_eight_turns_of_ten_actions() -> None:
    """SP-R48: the score is recorded, nobody wins."""
    table = deal(1, sheet=SOLO)
    actions = 0
    while not SOLO.over(table.state):
        company = table.state.company
        assert company == SOLO.position(table.state)["company"]
        assert company in FIVE
        table.play("cash")
        actions += 1
    assert actions == 80
    assert SOLO.position(table.state)["company"] is None
    assert SOLO.turn(table.state) == SOLO.turns(1) == 8
    (line,) = SOLO.standings(table.state)
    assert line.score == (5 + 80 * 3) // 5
    assert str(line.score) in str(SOLO.verdict(table.state))


def test_the_score_counts_every_company() -> None:
    """SP-R48: every flipped City, a point for every company connected to a victory City."""
    track = {"C2": "red N-S", "D3": "blue SE-SW", "G2": "red N-S"}
    cities = {"Birch": "purple", "Elm": "white blue 0", "Oak": "white green 0"}
    table = _alone(track=track, cities=cities, cash={"gray": 14})
    (line,) = SOLO.standings(table.state)
    assert dict(line.parts) == {"contracts": 0, "factories": 4, "cities": 2, "cash": 2}


def test_contracts_never_end_the_game() -> None:
    table = _alone(track={"C2": "red N-S"}, cities={"Alder": "white red 5"}, hands={"gray": "7"})
    table.state = table.state.with_player("gray", done=tuple(range(30, 48)))
    assert not SOLO.over(table.play("contract 7").state)


@pytest.mark.parametrize("seed", [1, 2])
def test_trains_come_from_a_bag_of_two_each(seed: int) -> None:
    table = deal(1, seed, SOLO)
    drawn = [table.state.company]
    for _ in range(9):
        table.play("cash")
        drawn.append(table.state.company)
    assert {company: drawn.count(company) for company in FIVE} == dict.fromkeys(FIVE, 2)


def test_the_train_is_a_public_draw() -> None:
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    SOLO.start(("gray",), chance, {})
    assert "train" in [note["for"] for note in chance.notes]
    assert "train" not in SOLO.secret_draws


def test_the_table_of_the_only_player_has_no_pieces_of_companies() -> None:
    """Trains and factories are the companies'; the board in words counts them, and leaves out empty headings."""
    state = position(sheet=SOLO)
    (row,) = SOLO.rows(state)
    assert (row.cells["trains"], row.cells["factories"]) == (None, None)
    heads = [section.head[0] for section in SOLO.words(state)]
    players, companies, cities, box = map(Fixed, (PLAYERS, COMPANIES, CITIES, BOX))
    assert heads == [Fixed(POSITION), players, companies, cities, box, Fixed(CHECK)]
    assert [section.head[0] for section in MEADOW.words(position())][1:-1] == [players, cities, box]
    (row, *_) = MEADOW.rows(position())
    assert (row.cells["trains"], row.cells["factories"]) == (18, 15)
