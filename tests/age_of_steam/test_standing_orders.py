"""Orders given ahead of time (P1 to P8): for which moment they are, and what they say when it comes."""

import pytest

from maps.france.rules import France
from maps.hungary.rules import Hungary
from maps.st_lucia.rules import Alternation, StLucia
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import BadMove, Move, Refused, replace
from pbem.engine.chance import LoadedChance
from pbem.engine.standing_orders import FIRST, StandingOrder
from pbem.language.voice import GameVoice
from tests.age_of_steam.table import RUST_BELT, SIX, Table, position, sheet_of
from tests.age_of_steam.test_move_goods import CHAIN


def take(table: Table, seat: str, text: str) -> tuple[StandingOrder, ...]:
    return table.sheet.take_standing_orders(table.state, seat, table.sheet.parse(table.state, text, {}))


def refused(table: Table, seat: str, text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        take(table, seat, text)
    return caught.value


def said(table: Table, text: str, seat: str = "") -> Move | None:
    """What an order that was taken for the seat to act says now."""
    (ahead,) = take(table, seat or table.asked or "", text)
    return table.sheet.due_order(table.state, ahead)


def whole_turn() -> list[str]:
    return [
        "issue_shares", "turn_order", "select_actions", "build_track", "move_goods.1", "move_goods.2", "goods_growth",
    ]  # fmt: skip


# moments ------------------------------------------------------------------------------------------------------


def test_a_turn_has_seven_moments_at_most() -> None:
    table = Table.deal(4)
    assert list(table.sheet.moments(table.state, "pink")) == whole_turn()
    assert table.sheet.moments(table.state, "nobody") == ()


def test_a_moment_is_over_when_the_seat_has_acted() -> None:
    table = Table.deal(4)
    first = table.asked or ""
    table.play(first, "issue 0")
    assert list(table.sheet.moments(table.state, first)) == whole_turn()[1:]


def test_who_has_dropped_bids_no_more() -> None:
    table = Table(position("turn_order"))
    table.play("blue", "drop")
    assert "turn_order" not in table.sheet.moments(table.state, "blue")
    assert table.sheet.moments(table.state, "green")[0] == "turn_order"


def test_the_second_round_of_moving_goods_is_a_moment_of_its_own() -> None:
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "red"}))
    table.play("blue", "loco")
    assert table.sheet.moments(table.state, "blue")[0] == "move_goods.2"
    assert table.sheet.moments(table.state, "green")[:2] == ("move_goods.1", "move_goods.2")


def test_an_order_says_for_which_moment_it_waits() -> None:
    table = Table(position("build_track"))
    orders = take(table, "green", "build nothing; loco; pass")
    voice = GameVoice(RUST_BELT, table.state, {})
    assert [order.words.read(voice) for order in orders] == [
        "build track",
        "move goods, round 1",
        "move goods, round 2",
    ]


def test_there_is_no_growth_to_order_for_in_the_last_turn() -> None:
    table = Table(position("move_goods", turn=10, track=CHAIN, cubes={"T9": "red"}))
    assert "goods_growth" not in table.sheet.moments(table.state, "blue")


# taking in ----------------------------------------------------------------------------------------------------


def test_lines_find_their_moments_in_any_order() -> None:
    table = Table.deal(4)
    text = "move red Chicago to Toronto | loco\naction engineer\nissue 1\nmove blue Detroit to Duluth"
    assert [ahead.moment for ahead in take(table, "pink", text)] == [
        "move_goods.1", "select_actions", "issue_shares", "move_goods.2",
    ]  # fmt: skip


def test_one_order_too_many_is_refused_with_its_line() -> None:
    table = Table.deal(4)
    error = refused(table, "pink", "loco\nloco\npass | loco")
    assert (error.line, "one too many" in str(error)) == (3, True)


def test_who_is_out_of_the_game_gives_no_orders() -> None:
    table = Table(position("issue_shares", blue={"out": True}))
    assert str(refused(table, "blue", "bid max 3")) == "You are out of the game."


def test_a_refused_order_is_told_by_its_line_where_there_are_several() -> None:
    table = Table.deal(4)
    assert refused(table, "pink", "issue 1\nbid 4").line == 2
    assert refused(table, "pink", "bid 4").line == 0


def test_orders_for_the_opening_of_the_next_turn_may_come_when_this_one_is_under_way() -> None:
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "red"}))
    assert [(ahead.moment, ahead.turn) for ahead in take(table, "green", "issue 1\nbid max 2\naction loco")] == [
        ("issue_shares", 2), ("turn_order", 2), ("select_actions", 2),
    ]  # fmt: skip
    assert [ahead.moment for ahead in take(table, "green", "action loco\nissue 1")] == [
        "select_actions", "issue_shares",
    ], "in any order"  # fmt: skip
    assert "too late" in str(refused(table, "green", "build nothing"))
    last = Table(position("move_goods", turn=10, track=CHAIN, cubes={"T9": "red"}))
    assert "too late" in str(refused(last, "green", "issue 1"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bid 4", "“bid max 4”"),
        ("issue 99", "You cannot issue 99 shares"),
        ("bid max 4 until 9", "There are 4 places"),
        ("bid 6 max 4", "above the limit"),
        ("pass", "could be meant for the auction"),
        ("move 3", "works only for the position"),
        ("move 3 | loco", "works only for the position"),
        ("produce display", "drawn before you are asked"),
        ("cancel", "cannot be given ahead"),
        ("resign", "cannot be given ahead"),
        ("always issue 99", "more than 15 shares"),
    ],
)
def test_what_cannot_wait_is_refused_with_the_reason(text: str, why: str) -> None:
    assert why in str(refused(Table.deal(4), "pink", text))


def test_what_no_phase_of_a_map_asks_for_cannot_wait_on_it() -> None:
    pittsburgh, cardboard = (
        Table.deal(3, sheet=sheet_of("pittsburgh")),
        Table.deal(3, sheet=sheet_of("heavy_cardboard")),
    )
    assert "the actions are first-move" in str(refused(pittsburgh, "blue", "action turn-order"))
    assert "No phase of this map takes" in str(refused(cardboard, "blue", "produce decline"))


@pytest.mark.parametrize(
    ("text", "found"),
    [("pay", "pay"), ("buyback", "buyback"), ("lift red Chicago > Detroit", "lift"), ("always pay", "pay"),
     ("action heavy-lifting", "heavy-lifting"), ("produce Toledo", "Toledo"), ("produce city Chicago", "city"),
     ("build transcon blue", "transcon blue")],
)  # fmt: skip
def test_an_order_that_only_another_map_has_is_no_order_here(text: str, found: str) -> None:
    with pytest.raises(BadMove) as bad:
        take(Table.deal(4), "pink", text)
    assert bad.value.found == found


# P1, P3, P4: shares, actions, and an opening in one reply --------------------------------------------------------


def test_shares_are_issued_as_ordered_and_not_when_they_are_too_many() -> None:
    """P1: fifteen shares in all."""
    table = Table(position("issue_shares", blue={"shares": 13}))
    (ahead,) = take(table, "blue", "issue 2")
    assert str(table.sheet.due_order(table.state, ahead)) == "issue 2"
    more = table.state.with_player("blue", shares=14)
    assert table.refusal("blue", "issue 3").rule == "R10"
    with pytest.raises(Refused, match="You cannot issue 2 shares"):
        table.sheet.play(more, "blue", (ahead.move,), LoadedChance([]))


def test_the_first_action_of_a_list_that_is_free_is_taken() -> None:
    """P3: and when all are taken its owner is asked."""
    table = Table(position("select_actions"))
    (ahead,) = take(table, "green", "action urbanization > engineer")
    free = Table(table.state).play("blue", "action locomotive")
    assert spoken(free, ahead) == "urbanization"
    taken = Table(table.state).play("blue", "action urbanization")
    assert spoken(taken, ahead) == "engineer"
    both = Table(taken.state.with_player("yellow", action="engineer"))
    with pytest.raises(Refused):
        spoken(both, ahead)


def spoken(table: Table, ahead: StandingOrder) -> str | None:
    """The action that green has once the order was spoken and played."""
    move = table.sheet.due_order(table.state, ahead)
    assert move is not None
    return table.sheet.play(table.state, "green", (move,), LoadedChance([])).state.players["green"].action


def test_an_opening_in_one_reply_is_three_orders_each_for_itself() -> None:
    """P4: shares, a limit and actions; one that fails takes no other with it."""
    table = Table.deal(4)
    orders = take(table, "pink", "issue 2\nbid max 3 then pass\naction urbanization > engineer")
    assert [order.moment for order in orders] == ["issue_shares", "turn_order", "select_actions"]
    assert [order.turn for order in orders] == [1, 1, 1]
    assert [str(order.move) for order in orders] == [
        "issue 2", "bid max 3 then pass", "action urbanization > engineer",
    ]  # fmt: skip


# P2: limits ---------------------------------------------------------------------------------------------------


def bidding(text: str, *others: str) -> str:
    """What blue says in an auction after the orders of the others, who act before."""
    order = ("green", "yellow", "pink", "blue")
    table = Table(position("turn_order", seats=("blue", "green", "yellow", "pink"), order=order))
    for seat, move in zip(order, others, strict=False):
        table.play(seat, move)
    return str(said(table, text, "blue"))


@pytest.mark.parametrize(
    ("text", "others", "said"),
    [
        ("bid max 6", ("bid 2", "drop", "drop"), "bid 3"),  # one more than the high bid
        ("bid max 3", ("bid 2", "drop", "drop"), "bid 3"),
        ("bid max 2", ("bid 2", "drop", "drop"), "drop"),  # the limit is reached
        ("bid max 0", ("bid 1", "drop", "drop"), "drop"),
        ("bid 4 max 6", ("bid 2", "drop", "drop"), "bid 4"),  # it may begin higher
        ("bid 4 max 6", ("bid 4", "drop", "drop"), "bid 5"),
        ("bid max 6 until 3", ("bid 1", "drop", "bid 2"), "drop"),  # dropping gives the place already
        ("bid max 6 until 2", ("bid 1", "drop", "bid 2"), "bid 3"),
    ],
)
def test_a_limit_bids_one_more_until_it_or_the_place_is_reached(text: str, others: tuple[str, ...], said: str) -> None:
    """P2."""
    assert bidding(text, *others) == said


def test_a_limit_beyond_the_cash_drops() -> None:
    """P2: only who may still pass is asked then at all (A3)."""
    table = Table(position("turn_order", order=("green", "blue", "yellow"), blue={"action": "turn-order", "cash": 3}))
    table.play("green", "bid 3")
    assert str(said(table, "bid max 9")) == "drop"


def test_a_limit_may_ask_instead_of_dropping() -> None:
    with pytest.raises(Refused, match="above your limit"):
        bidding("bid max 2 then ask", "bid 2", "drop", "drop")


def test_a_limit_may_use_the_pass_of_turn_order_first() -> None:
    """P2: ``then pass``."""
    table = Table(position("turn_order", blue={"action": "turn-order"}, order=("green", "blue", "yellow")))
    table.play("green", "bid 3")
    assert str(said(table, "bid max 2 then pass")) == "pass"
    table.play("blue", "pass").play("yellow", "bid 4").play("green", "bid 5")
    assert str(said(table, "bid max 2 then pass")) == "drop"


# P5: builds ---------------------------------------------------------------------------------------------------

LINK = "build S10 SW-NE; R11 SW-NE"


def test_a_build_is_kept_with_the_price_it_has_when_it_is_given() -> None:
    """P5."""
    table = Table.deal(4)
    (ahead,) = take(table, "pink", LINK)
    assert (ahead.moment, dict(ahead.guard)) == ("build_track", {"price": table_price()})


def table_price() -> int:
    table = Table(position("build_track"))
    return table.paid("blue", LINK)


def test_a_build_that_became_dearer_is_void() -> None:
    """P5."""
    table = Table(position("build_track"))
    (ahead,) = take(table, "blue", LINK)
    dearer = StandingOrder(
        ahead.move, ahead.moment, ahead.words, ahead.turn, ahead.lasting, {"price": ahead.guard["price"] - 1}
    )
    assert table.sheet.due_order(table.state, ahead) == ahead.move
    with pytest.raises(Refused, match="it was given for"):
        table.sheet.due_order(table.state, dearer)


def test_a_stated_limit_stands_instead_of_the_price() -> None:
    """P5."""
    table = Table(position("build_track"))
    (ahead,) = take(table, "blue", f"{LINK}; max 99")
    assert dict(ahead.guard) == {}


def test_a_build_without_a_price_needs_a_limit() -> None:
    table = Table.deal(4)
    error = refused(table, "pink", "build M12 S-N")
    assert "“max 9”" in str(error)
    assert take(table, "pink", "build M12 S-N; max 3")


def test_a_build_may_be_given_before_there_is_money_for_it() -> None:
    table = Table(position("issue_shares", green={"cash": 0}))
    assert take(table, "green", LINK)[0].guard["price"] > 0


def test_a_build_that_is_no_longer_legal_says_why() -> None:
    """P5."""
    table = Table(position("build_track", order=("green", "blue", "yellow")))
    (ahead,) = take(table, "blue", LINK)
    table.play("green", LINK)
    with pytest.raises(Refused):
        table.sheet.due_order(table.state, ahead)


# P6: deliveries -----------------------------------------------------------------------------------------------


def test_the_same_income_guards_against_new_owners() -> None:
    """P6."""
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "red blue"}, blue={"engine": 6}))
    (ahead,) = take(table, "blue", "move red T9 > Q12 > K12 > H13 | move blue T9 > Q12 same income")
    assert ahead.guard["gains"] == [{"blue": 2, "green": 1}, {"blue": 1}]
    assert str(table.sheet.due_order(table.state, ahead)).count("|") == 1
    changed = StandingOrder(ahead.move, ahead.moment, ahead.words, 1, False, {"gains": [{"blue": 3}, {"blue": 1}]})
    assert table.sheet.due_order(table.state, changed) == table.sheet.parse(table.state, "move blue T9 > Q12", {})[0]
    gone = StandingOrder(ahead.move, ahead.moment, ahead.words, 1, False, {"gains": [{"blue": 3}, {"green": 1}]})
    with pytest.raises(Refused, match="same players"):
        table.sheet.due_order(table.state, gone)


def test_an_order_beside_deliveries_of_the_same_income_needs_none() -> None:
    """P6."""
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "red blue"}, blue={"engine": 6}))
    (ahead,) = take(table, "blue", "move blue T9 > Q12 | loco same income")
    assert ahead.guard["gains"] == [{"blue": 1}, None]
    changed = StandingOrder(ahead.move, ahead.moment, ahead.words, 1, False, {"gains": [{"blue": 2}, None]})
    assert str(table.sheet.due_order(table.state, changed)) == "loco"


def test_the_same_income_needs_a_delivery_that_is_possible_now() -> None:
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "red"}))
    assert "is not" in str(refused(table, "blue", "move red T9 > Q12 > K12 > H13 same income"))


# P7: production -----------------------------------------------------------------------------------------------


def test_boxes_may_be_ordered_before_the_cubes_are_seen() -> None:
    """P7."""
    assert [a.moment for a in take(Table.deal(4), "pink", "produce any>L3 any>A")] == ["goods_growth"]


def test_france_takes_every_form_ahead() -> None:
    """R114a: the form is chosen before anything is drawn."""
    table = Table.deal(4, sheet=France())
    for text in ("produce decline", "produce display", "produce city Lyon", "produce any>L3 any>A"):
        assert take(table, "pink", text)[0].moment == "goods_growth"


@pytest.mark.parametrize("sheet", [None, sheet_of("poland"), Hungary()])
def test_drawing_nothing_may_be_ordered_everywhere(sheet: AgeOfSteam | None) -> None:
    """R58 iii, R119, R123: beforehand, so that the holder is asked before the draw."""
    table = Table.deal(4) if sheet is None else Table.deal(4, sheet=sheet)
    (order,) = take(table, "pink", "produce decline")
    assert (order.moment, dict(order.guard)) == ("goods_growth", {FIRST: True})


def test_poland_shows_the_cube_first() -> None:
    assert "drawn before you are asked" in str(
        refused(Table.deal(4, sheet=sheet_of("poland")), "pink", "produce Opole")
    )


# P8: standing orders ------------------------------------------------------------------------------------------


def test_standing_orders_are_for_every_turn() -> None:
    """P8."""
    table = Table.deal(4)
    taken = take(table, "pink", "always issue 0\nalways bid max 0\nalways auto-pass")
    assert [(a.moment, a.every_turn) for a in taken] == [
        ("issue_shares", True), ("turn_order", True), ("move_goods", True),
    ]  # fmt: skip


def test_auto_pass_passes_only_when_nothing_is_to_be_gained() -> None:
    """P8."""
    rich = Table(position("move_goods", track=CHAIN, cubes={"T9": "red"}, blue={"engine": 6}))
    assert said(rich, "always auto-pass") is None
    poor = Table(position("move_goods", track={"O12": "green S-N", "M12": "green S-N", "K12": "green @S"},
                          cubes={"Q12": "red"}, blue={"engine": 6}))  # fmt: skip
    assert str(said(poor, "always auto-pass")) == "pass"
    others = {"S10": "green SW-NE", "R11": "green SW-NE"}
    for track, answer in ((others, "pass"), (CHAIN, "None")):
        table = Table(position("move_goods", track=track, cubes={"T9": "blue"}, blue={"engine": 6}))
        assert str(said(table, "always auto-pass")) == answer, "one step of income is something, another's is nothing"
    slow = Table(position("move_goods", track=CHAIN, cubes={"T9": "red"}, blue={"engine": 1}))
    assert said(slow, "always auto-pass") is None


def test_auto_loco_raises_the_engine_only_when_nothing_can_be_delivered_and_it_can_be_paid() -> None:
    """P8."""
    stuck = {"O12": "green S-N", "M12": "green S-N", "K12": "green @S"}
    nothing = Table(position("move_goods", track=stuck, cubes={"Q12": "red"}, blue={"engine": 1, "cash": 9}))
    assert str(said(nothing, "always auto-loco")) == "loco"
    something = Table(position("move_goods", track=CHAIN, cubes={"T9": "blue"}, blue={"engine": 6}))
    assert said(something, "always auto-loco") is None
    poor = Table(position("move_goods", track=stuck, cubes={"Q12": "red"}, blue={"engine": 1, "cash": 0, "income": 0}))
    assert said(poor, "always auto-loco") is None


def test_st_lucia_may_always_pay_or_decline() -> None:
    sheet = StLucia()
    state = position("turn_order", sheet=sheet, seats=("blue", "green"), extra=Alternation("blue"))
    table = Table(state, sheet=sheet)
    assert str(said(table, "always pay")) == "pay"
    assert str(said(table, "always decline")) == "decline"
    assert str(said(table, "pay")) == "pay"


# the planning letter ------------------------------------------------------------------------------------------


def test_a_plan_leaves_out_what_cannot_be_asked() -> None:
    plan = RUST_BELT.turn_plan(position("issue_shares", blue={"shares": 15}), "blue")
    assert plan is not None
    assert [part.moment for part in plan.parts] == ["turn_order", "select_actions"]
    assert RUST_BELT.turn_plan(position("build_track"), "blue") is None


def test_st_lucia_plans_whether_to_pay() -> None:
    sheet = StLucia()
    state = position("turn_order", sheet=sheet, seats=("blue", "green"), extra=Alternation("blue"))
    plan = sheet.turn_plan(state, "blue")
    assert plan is not None
    assert [(part.form, part.word) for part in plan.parts] == [("pick", ""), ("pick", "issue"), ("rank", "action")]


@pytest.mark.parametrize(
    ("order", "answers"),
    [
        ("move 1", True), ("action 1", False), ("loco", True), ("loco | pass", True), ("drop", False),
        ("move 1 | move 2", False), ("bid max 4", False),
    ],
)  # fmt: skip
def test_an_order_answers_the_phase_that_takes_its_kind(order: str, answers: bool) -> None:
    """A line of a list by the word it stands behind."""
    state = position("move_goods")
    (move,) = RUST_BELT.parse(state, order, {})
    assert RUST_BELT.answers(state, move) is answers


def test_a_limit_for_bids_answers_no_question() -> None:
    """It says what to bid when one is asked."""
    state = position("turn_order")
    (limit,) = RUST_BELT.parse(state, "bid max 4", {})
    (bid,) = RUST_BELT.parse(state, "bid 4", {})
    assert (RUST_BELT.answers(state, limit), RUST_BELT.answers(state, bid)) == (False, True)


def test_as_many_shares_as_there_are_can_be_ordered_for_every_turn() -> None:
    """P8, R10: fifteen; what can be issued then is judged then."""
    table = Table(position("issue_shares"))
    for shares in (0, 2, 15):
        assert str(said(table, f"always issue {shares}")) == f"issue {shares}"
    assert "more than 15 shares" in str(refused(table, "blue", "always issue 16"))


def test_a_build_of_nothing_waits_without_a_price() -> None:
    """P5."""
    table = Table(position("build_track"))
    assert take(table, "green", "build nothing")[0].guard == {}
    assert take(table, "green", "build P3 NW-S")[0].guard == {"price": 2}


def test_four_tiles_are_priced_for_who_is_the_engineer_this_turn() -> None:
    """P5: the action of the turn before says nothing about the next one."""
    four = "build P3 NW-S; R3 N-S; T3 N-SE; U4 NW-NE"
    engineer = {"action": "engineer"}
    assert take(Table(position("build_track", green=engineer)), "green", four)[0].guard == {"price": 8}
    assert (
        "on the board as it is now"
        in str(refused(Table(position("issue_shares", green=engineer)), "green", four)).lower()
    )


def test_an_order_that_waits_says_nothing_when_nobody_is_asked() -> None:
    table = Table(position("build_track"))
    (ahead,) = take(table, "green", "build nothing")
    assert table.sheet.due_order(replace(table.state, over=True), ahead) is None


def test_the_plan_of_an_auction_names_places_where_there_are_several() -> None:
    """P2: “until 3” says something only among four or more."""
    examples = {}
    for players in (3, 4):
        plan = RUST_BELT.turn_plan(position("turn_order", seats=SIX[:players]), "blue")
        assert plan is not None
        examples[players] = plan.parts[0].example, [choice.value for choice in plan.parts[0].choices]
    assert examples == {3: ("bid max 4", ["2"]), 4: ("bid max 4 until 3", ["2", "3"])}


def test_a_build_given_ahead_goes_on_from_the_own_build_that_is_open() -> None:
    """P5: what was built in this turn is part of the price; another's open build is not."""
    table = Table(position("build_track")).play("blue", "build P3 NW-S; more")
    assert take(table, "blue", "build R3 N-S")[0].guard == {"price": 4}
    assert take(table, "green", "build S10 SW-NE")[0].guard == {"price": 2}


def test_a_limit_may_end_at_any_place_there_is_and_begin_at_its_most() -> None:
    """P2."""
    table = Table.deal(4)
    for text in ("bid max 4 until 1", "bid max 4 until 4", "bid 4 max 4"):
        assert [str(ahead.move) for ahead in take(table, "pink", text)] == [text]
    for text in ("bid max 4 until 0", "bid max 4 until 5", "bid 5 max 4"):
        assert refused(table, "pink", text).refusal.rule == "P2"


def test_the_last_player_in_the_game_is_asked_for_no_bids() -> None:
    state = position("issue_shares", order=("blue",))
    assert "turn_order" not in RUST_BELT.moments(state, "blue")
    assert "turn_order" in RUST_BELT.moments(position("issue_shares", order=("blue", "green")), "blue")
