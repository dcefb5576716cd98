"""What a seat is asked, and the draft of a track action."""

import pytest

from pbem.engine.chance import SeededChance
from pbem.engine.overview import HandCard
from pbem.steam_power.payments import Way, amounts_said
from tests.steam_power.table import MEADOW, SOLO, Table, deal, position

HOME = {"C2": "red N-S", "F3": "blue NE-NW"}
CITIES = {"Alder": "black red 5", "Birch": "orange", "Fir": "gray blue 1", "Gorse": "white"}


def _table(**more: object) -> Table:
    more = {"hands": {"red": "1 2 3"}, "cities": CITIES, "cash": {"red": 9}} | more
    return Table(position(track=HOME, **more))  # type: ignore[arg-type]


def test_a_turn_offers_payable_contracts_factories_draw_and_cash_and_leads_to_the_builder() -> None:
    question = MEADOW.question(_table().state)
    assert (question.form, question.builder) == ("choices", True)
    orders = [choice.order for choice in question.choices]
    assert orders == ["contract 3", "contract 1", "factory E2", "factory F5", "draw", "cash"]
    assert str(question.otherwise) == "you take $3"
    assert [str(sentence) for sentence in question.lead] == [
        "You have $9, 17 trains and 14 factories.",
        "2 of the 3 contracts in your hand can be fulfilled.",
        "You can send one action, see what it brings, and then send the next.",
    ]
    assert str(question.heading) == "Take 2 actions, $9 in hand"
    assert question.below == question.lead[1:], "the heading says the money"


def test_an_empty_hand_is_told_without_a_count() -> None:
    assert str(MEADOW.question(_table(hands={}).state).below[0]) == "There is no contract in your hand."


def test_the_five_actions_are_told_with_what_they_cost_and_mean_now() -> None:
    kinds = {kind.word: kind for kind in MEADOW.question(_table().state).kinds}
    assert list(kinds) == ["track", "factory", "cash", "draw", "contract"]
    assert {word: str(kind.price) for word, kind in kinds.items()} == {
        "track": "costs by terrain",
        "factory": "costs nothing",
        "cash": "brings $3",
        "draw": "costs nothing",
        "contract": "costs $0 to $7",
    }
    assert [str(sentence) for kind in kinds.values() for sentence in kind.about] == [
        "Lay one or two tiles. A plain hex is free, a hill costs $2, a mountain $4, and a crossing $2 more.",
        "5 cubes of its colour go onto a City that a connection reaches.",
        "2 Cities are open.",
        "It brings you 2 points once all its cubes are gone.",
        "You then have $12. Every $5 is 1 point at the end.",
        "You hold 3 contracts now.",
        f"The bag holds {len(_table().state.bag)} contracts.",
        "A draw cannot be taken back.",
        "You can pay for 2 of the 3 contracts that you hold.",
        "The reward comes after the price is paid.",
    ]
    assert [(kind.on_board, kind.from_hand) for kind in kinds.values()] == [
        (True, False), (False, False), (False, False), (False, False), (False, True),
    ]  # fmt: skip


def test_an_action_that_cannot_be_taken_says_so() -> None:
    def said(hand: dict[str, str]) -> tuple[str, list[str]]:
        kinds = {kind.word: kind for kind in MEADOW.question(_table(hands=hand, cash={"red": 0}).state).kinds}
        return str(kinds["contract"].price), [str(sentence) for sentence in kinds["contract"].about]

    assert said({"red": "2"}) == ("none can be paid now", ["You cannot pay for any contract that you hold."])
    assert said({"red": "1"}) == (
        "costs $0",
        ["You can pay for the contract that you hold.", "The reward comes after the price is paid."],
    )
    assert said({}) == ("none in hand", ["There is no contract in your hand."])


def test_the_hand_is_told_as_cards_those_that_can_be_paid_first() -> None:
    found = MEADOW.cards(_table().state, "red")
    assert [(card.order, card.price, card.short) for card in found] == [
        ("contract 1", 0, 0), ("contract 3", 7, 0), ("contract 2", 10, 1),
    ]  # fmt: skip
    assert found[1].wants == ("black", "orange", "gray")
    assert (str(found[1].title), str(found[1].gain)) == ("Contract 3", "$4 and 3 points")
    assert [str(part) for part in found[0].how] == ["black from A2 (free)"]
    assert MEADOW.cards(_table().state, "green") == ()


def test_everybody_is_told_what_ends_the_game_and_how_far_the_own_railway_is() -> None:
    assert str(MEADOW.goal(_table().state, "red")) == (
        "Most points win. The game ends with the round in which somebody has fulfilled 11 contracts; you have "
        "fulfilled 0 and stand at 1 point."
    )
    assert str(MEADOW.ends()) == (
        "with the round in which somebody fulfils the last of so many contracts: 14 with 2, 11 with 3, 9 with 4 and 8 "
        "with 5"
    )
    assert SOLO.ends() is None
    assert str(SOLO.goal(deal(1, sheet=SOLO).state, SOLO.colours[0])).startswith(
        "Score as much as you can in 8 rounds of ten trains"
    )


def test_a_contract_tells_who_is_paid_for_which_cube_and_what_it_brings() -> None:
    choice = _table().choices["contract 3"]
    assert str(choice.title) == "Contract 3: $2 to Blue and $5 to the bank"
    assert str(choice.effect) == (
        "black from A2 (free), orange from the bank ($5) and gray from E4 ($2 to Blue). Brings $4 and 3 points."
    )
    assert choice.gains == {"red": 4 + 15 - 7, "blue": 2}


def test_cities_of_the_own_network_come_first() -> None:
    """For a factory by action and by bonus; of each kind in the order of the board."""
    state = position(track={"C2": "blue N-S", "C4": "red N-S"}, cities={"Elm": "black red 5"}, hands={"red": "5"})
    factories = [order for order in Table(state).choices if order.startswith("factory")]
    assert factories == ["factory E4", "factory F5", "factory A2", "factory E2"]
    sixes = [order for order in Table(state).play("contract 5").choices if order.endswith("6")]
    assert sixes == ["bonus factory E4 6", "bonus factory F5 6", "bonus factory A2 6", "bonus factory E2 6"]


def test_the_hand_tells_what_every_contract_costs_now() -> None:
    (hand,) = MEADOW.hand(_table().state, "red")
    assert [str(item) for item in hand.items] == [
        "1: black for $2 and 1 point. Costs $0: black from A2 (free).",
        "2: 2 white for $2 and 2 points. Costs $10, $1 too much: 2 white from the bank ($10).",
        "3: black, orange and gray for $4 and 3 points. Costs $7: black from A2 (free), orange from the bank ($5) "
        "and gray from E4 ($2 to Blue).",
    ]
    (hand,) = MEADOW.hand(_table(cash={"red": 10}).state, "red")
    assert str(hand.items[1]) == "2: 2 white for $2 and 2 points. Costs $10: 2 white from the bank ($10)."
    assert MEADOW.hand(_table().state, "green") == ()


def test_a_way_that_nobody_is_paid_for_is_free() -> None:
    assert str(amounts_said(Way((), 0, ()))) == "free"
    assert str(amounts_said(Way((), 3, (("blue", 2),)))) == "$2 to Blue and $1 to the bank"


def test_every_choice_is_legal() -> None:
    table = _table()
    for order in table.choices:
        MEADOW.play(table.state, "red", MEADOW.parse(table.state, order, {}), SeededChance(bytes(32), "tried"))
    assert MEADOW.legal(table.state) is None


def test_the_legal_orders_of_a_bonus_are_listed_unless_it_is_track() -> None:
    table = Table(position(track={"C4": "red N-S"}, hands={"red": "5"}, cities={"Elm": "black red 5", "Fir": "white"}))
    table.play("contract 5")
    assert MEADOW.legal(table.state) == (
        "bonus factory E4 4",
        "bonus factory E4 5",
        "bonus factory E4 6",
        "bonus factory F5 4",
        "bonus factory F5 5",
        "bonus factory F5 6",
        "bonus skip",
    )
    assert MEADOW.placements(table.state) == ()
    table = Table(position(track={"C4": "red N-S"}, hands={"red": "4"}, cities={"Elm": "white red 5"}))
    table.play("contract 4")
    assert MEADOW.legal(table.state) is None
    assert all(order.startswith("bonus track ") for order in MEADOW.placements(table.state))
    assert MEADOW.question(table.state).builder


def test_alone_the_company_is_named() -> None:
    table = deal(1, sheet=SOLO)
    company = table.state.company.capitalize()
    assert str(SOLO.question(table.state).act) == "Take an action"
    assert str(SOLO.question(table.state).below[1]).startswith(
        f"You act for {company}: the train drawn from the bag says"
    )


def test_after_the_end_nobody_is_asked() -> None:
    table = Table(position(2, done={"blue": 14}, seat="blue")).play("cash; cash")
    with pytest.raises(ValueError, match="the game is over"):
        MEADOW.question(table.state)
    assert MEADOW.placements(table.state) == ()
    assert MEADOW.legal(table.state) == ()


# the track builder ----------------------------------------------------------------------------------------


def test_an_empty_draft_cannot_be_sent() -> None:
    draft = MEADOW.draft(_table().state, ())
    assert draft.order == ""
    assert draft.problem is not None
    assert draft.problem.rule == "SP-R9"
    assert (draft.placed, draft.limit) == (0, 2)
    assert {"G2", "B3"} <= {hex_.label for hex_ in draft.hexes}


def test_a_draft_tells_its_price_what_it_completes_and_how_it_is_typed() -> None:
    table = _table()
    draft = MEADOW.draft(table.state, ("G2 N-S", "H3 NE-SW"))
    assert draft.order == "track G2 N-S; H3 NE-SW"
    assert (draft.price, draft.left, draft.problem) == (0, 9, None)
    assert [str(section.words) for section in draft.completed] == ["Completes E2–I2."]
    assert [str(section.words) for section in draft.kept] == ["I2 towards G4"]
    assert draft.hexes == ()
    assert len(table.play(draft.order).connections("red")) == 2


def test_a_bad_step_keeps_its_refusal_and_is_left_out() -> None:
    draft = MEADOW.draft(_table().state, ("K2 N-S", "nonsense", "G2 N-S", "remove", "B3 NE-NW", "B1 N-S", "cash"))
    refused = [step.refusal.rule if step.refusal else None for step in draft.steps]
    assert refused == ["SP-R12", "", None, "SP-R10", None, "SP-R9", ""]
    assert draft.order == "track G2 N-S; B3 NE-NW"


def test_the_last_tile_can_be_taken_away_in_a_draft() -> None:
    state = position(track={"C6": "red N-S"})
    draft = MEADOW.draft(state, ())
    assert [(tile.order, str(tile.shape)) for tile in draft.links] == [("remove", "remove the track on C6")]
    assert draft.hexes[0].own_end
    assert draft.hexes[0].label == "E6"
    assert str(draft.links[0].effect) == "The connection is gone and its train comes back."
    longer = MEADOW.draft(position(track={"C6": "red N-S", "E6": "red N-S"}), ())
    assert [str(tile.effect) for tile in longer.links] == ["The connection ends one hex earlier."]
    draft = MEADOW.draft(state, ("remove", "C6 N-SW"))
    assert draft.order == "track remove; C6 N-SW"
    assert [str(step.words) for step in draft.steps] == ["takes the last tile away", "gentle curve"]


def test_the_tiles_of_a_hex_come_with_what_they_lead_to() -> None:
    state = position(track={"C6": "red N-S", "D7": "blue SE-NW"}, cash={"red": 1})
    first, *others = MEADOW.tiles_at(state, (), "E6")
    assert (first.order, str(first.effect)) == ("E6 N-SW", "Completes A6–F5.")
    assert len(others) == 4
    assert str(others[0].effect).startswith("Incomplete: A6 towards ")
    turned = {tile.order: str(tile.shape) for tile in MEADOW.tiles_at(state, (), "C6")}
    assert turned["C6 N-NE"] == "turns N-S to N-NE"
    assert MEADOW.tiles_at(state, (), "O0") == ()


def test_after_two_operations_there_is_no_tile_to_choose() -> None:
    """SP-R9: not even where the next action could build."""
    table, steps = Table(position(track={"C6": "red N-S"})), ("E6 N-S", "G6 N-S")
    assert MEADOW.tiles_at(table.state, steps, "K6") == ()
    assert MEADOW.tiles_at(table.play(f"track {'; '.join(steps)}").state, (), "K6") != ()


def test_tiles_beyond_the_cash_are_shown_as_too_dear() -> None:
    state = position(track={"C2": "red N-S", "B3": "red NE-NW"}, cash={"red": 1})
    tiles = {tile.order: tile.affordable for tile in MEADOW.tiles_at(state, (), "C4")}
    assert tiles == dict.fromkeys(tiles, False)
    assert "C4 N-S" in tiles
    state = position(track={"C6": "blue N-S", "B5": "red SE-NW"})
    (crossing,) = [tile for tile in MEADOW.tiles_at(state, (), "C6") if tile.order == "C6 SE-NW"]
    assert (crossing.price, crossing.kept, str(crossing.shape)) == (2, ((0, 3, "blue"),), "SE-NW across N-S")


@pytest.mark.parametrize(("cash", "affordable"), [(1, False), (2, True)])
def test_a_tile_can_be_paid_with_the_last_dollar(cash: int, affordable: bool) -> None:
    state = position(track={"C2": "red N-S", "B3": "red NE-NW"}, cash={"red": cash})
    assert {tile.affordable for tile in MEADOW.tiles_at(state, (), "C4")} == {affordable}
    (hill,) = [hex_ for hex_ in MEADOW.draft(state, ()).hexes if hex_.label == "C4"]
    assert hill.affordable is affordable


def test_the_draft_of_a_bonus_is_typed_as_one() -> None:
    table = Table(position(track={"C4": "red N-S"}, hands={"red": "4"}, cities={"Elm": "white red 5"}))
    table.play("contract 4")
    assert MEADOW.draft(table.state, ("B3 NE-NW",)).order == "bonus track B3 NE-NW"


def test_who_builds_no_track_has_no_draft() -> None:
    table = Table(position(hands={"red": "6"})).play("contract 6")
    with pytest.raises(ValueError, match="nobody builds"):
        MEADOW.draft(table.state, ())


# prospects ---------------------------------------------------------------------------------------------------


def table(**more: object) -> Table:
    """Red connects Alder and Birch, Blue has a factory in Fir."""
    more = {"hands": {"red": "1 2 3"}, "cities": CITIES, "cash": {"red": 9}} | more
    track = {"C2": "red N-S", "F3": "blue NE-NW"}
    return Table(position(track=track, **more))  # type: ignore[arg-type]


def card(table: Table, order: str) -> HandCard:
    return next(card for card in MEADOW.cards(table.state, "red") if card.order == order)


def helps(table: Table, order: str) -> list[str]:
    return [str(sentence) for sentence in card(table, order).helps]


def test_a_contract_that_an_action_of_money_makes_payable_says_so() -> None:
    beginning = table()
    assert (card(beginning, "contract 2").short, helps(beginning, "contract 2")) == (
        1, ["Take $3 first, and you can pay it."],
    )  # fmt: skip
    assert card(table().play("cash"), "contract 2").short == 0
    assert helps(table(cash={"red": 6}), "contract 2") == [], "$3 are not enough"


def test_the_factory_and_the_connection_that_make_a_contract_cheapest_are_named_with_their_price() -> None:
    beginning = table()
    assert card(beginning, "contract 3").price == 7
    assert helps(beginning, "contract 3") == [
        "With a factory of yours in E2 it costs $2.", "With a connection to E4 it costs $6.",
    ]  # fmt: skip
    assert card(table().play("factory E2"), "contract 3").price == 2
    assert card(table().play("track D3 SE-SW"), "contract 3").price == 6


def test_a_contract_that_costs_nothing_needs_no_help() -> None:
    assert (card(table(), "contract 1").price, helps(table(), "contract 1")) == (0, [])


def test_connections_of_one_track_action_are_named_with_their_tiles() -> None:
    told = [str(sentence) for sentence in MEADOW.prospects(table().state)["track"]]
    assert told == [
        "1 tile for $0 (B3) completes A2–A4.",
        "1 tile for $0 (D3) completes E2–E4.",
        "1 tile for $0 (G2) completes E2–I2.",
    ]


def test_what_can_be_paid_decides_what_is_named() -> None:
    """The mountain of G4 costs $4."""
    rich, poor = table(cash={"red": 4}).play("track G2 N-SE"), table(cash={"red": 3}).play("track G2 N-SE")
    dear = "2 tiles for $4 (H3 and G4) complete E2–F5."
    assert dear in map(str, MEADOW.prospects(rich.state)["track"])
    assert dear not in map(str, MEADOW.prospects(poor.state)["track"])
    assert "F5" in str(rich.play("track H3 NE-NW; G4 NE-SW").events)
