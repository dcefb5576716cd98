"""What is asked of a player: the act, the figures that matter, the choices with what each leads to."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.age_of_steam.building import abandoned
from pbem.age_of_steam.deliveries import Delivery, listed, order_of, ways
from pbem.age_of_steam.moves import Build, Loco, Pass, TakeAction
from pbem.age_of_steam.phases import BuildTrack, GoodsGrowth, IssueShares, MoveGoods, SelectActions, TurnOrder
from pbem.age_of_steam.phases.build_track import site
from pbem.age_of_steam.phases.goods_growth import Growing, empty_boxes
from pbem.age_of_steam.phases.issue_shares import PRICE
from pbem.age_of_steam.phases.move_goods import Moving
from pbem.age_of_steam.phases.turn_order import Auction, can_pass
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import section_said
from pbem.engine.moves import Seat
from pbem.engine.phase import Phase
from pbem.engine.sheet import Choice, Question
from pbem.engine.text import Place, Say, Who, Word, count_say, say

EFFECTS = {
    "first-move": say("You move goods before all others, in every round."),
    "first-build": say("You build before all others."),
    "engineer": say("You may lay four tiles instead of three."),
    "urbanization": say("You may place a New City on a town before you build."),
    "production": say("You put two cubes from the bag on empty boxes of the goods display."),
    "turn-order": say("You may pass once in the next auction without dropping."),
}


def question(rules: Rules, phase: Phase[Rules, State], state: State, seat: Seat) -> Question:
    """The question for the seat to act in the present phase."""
    match phase:
        case IssueShares():
            return _shares(rules, state, seat)
        case TurnOrder():
            return _bid(rules, state, seat)
        case SelectActions():
            return _action(rules, phase, state, seat)
        case BuildTrack():
            return _build(rules, state, seat)
        case MoveGoods():
            return _move(rules, phase, state, seat)
        case GoodsGrowth():
            return _produce(rules, phase, state, seat)
    raise TypeError(phase)


def _shares(rules: Rules, state: State, seat: Seat) -> Question:
    player, most = state.players[seat], rules.shares_allowed(state, seat)
    bill = rules.expenses(state, seat)
    choices = []
    for n in range(most + 1):
        effect = say("${cash} in hand, bill ${bill}.", cash=player.cash + PRICE * n, bill=bill + n)
        title = count_say("Issue {n} share", "Issue {n} shares", n) if n else say("Issue none")
        choices.append(Choice(f"issue {n}", title, effect))
    lead = count_say(
        "You have ${cash} and {shares} shares; {n} more is allowed.",
        "You have ${cash} and {shares} shares; {n} more are allowed.",
        most,
        cash=player.cash,
        shares=player.shares,
    )
    due = say("Bill ${bill} at the end of this turn, income {income}.", bill=bill, income=player.income)
    return Question(
        seat,
        "issue_shares",
        say("Issue shares"),
        (lead, due),
        say("no share is issued for you"),
        "choices",
        tuple(choices),
        example="issue 2",
    )


def _bid(rules: Rules, state: State, seat: Seat) -> Question:
    auction, cash = state.desk_as(Auction), state.players[seat].cash
    place = auction.next_place
    drop = say("Drop: place {place} for ${paid}", place=place, paid=auction.price(seat, place))
    choices = [Choice("drop", drop, say("You act {place} of {n} this turn.", place=place, n=len(auction.old)))]
    for amount in range(auction.highest + 1, cash + 1):
        choices.append(Choice(f"bid {amount}", say("Bid ${amount}", amount=amount), _bid_effect(auction, amount)))
    if can_pass(state, seat):
        choices.insert(
            1, Choice("pass", say("Pass once"), say("You stay in without a bid; the Turn Order pass is used."))
        )
    if auction.high is None:
        high = say("Nobody has bid yet.")
    else:
        high = say("{player} bids ${amount}.", player=Who(auction.high), amount=auction.highest)
    facts = say(
        "You have ${cash}. Dropping now is place {place} for ${paid}.",
        cash=cash,
        place=place,
        paid=auction.price(seat, place),
    )
    return Question(
        seat,
        "turn_order",
        say("Bid or drop"),
        (high, facts),
        say("you drop"),
        "choices",
        tuple(choices),
        example=f"bid {auction.highest + 1}",
    )


def _bid_effect(auction: Auction, amount: int) -> Say:
    half = (amount + 1) // 2
    if auction.next_place > 3:
        return say("First or second pays ${amount}, other places ${half}, the last nothing.", amount=amount, half=half)
    if auction.next_place == 3 and len(auction.old) > 3:
        return say("First or second pays ${amount}, third ${half}.", amount=amount, half=half)
    return say("If the bid stands you are first and pay ${amount}.", amount=amount)


def _action(rules: Rules, phase: SelectActions, state: State, seat: Seat) -> Question:
    free = rules.actions_free(state, seat)
    engine = state.players[seat].engine
    choices = []
    for action in free:
        effect = EFFECTS.get(action)
        if action == "locomotive":
            effect = say("Your engine goes from {a} to {b} links now.", a=engine, b=min(rules.engine_cap, engine + 1))
        choices.append(Choice(f"action {action}", say("{action}", action=Word(action)), effect))
    default = phase.default(rules, state, seat)
    kept = default.actions[0] if isinstance(default, TakeAction) else free[0]
    lead = say("Free: {actions}.", actions=tuple(map(Word, free)))
    place = say("You choose at place {place} of {n}.", place=state.order.index(seat) + 1, n=len(state.order))
    return Question(
        seat,
        "select_actions",
        say("Take an action"),
        (lead, place),
        say("you take {action}", action=Word(kept)),
        "choices",
        tuple(choices),
        example=f"action {free[0]}",
    )


def _build(rules: Rules, state: State, seat: Seat) -> Question:
    work = site(state, seat)
    left = rules.tile_limit(state, seat) - len(work.prices)
    cash = state.players[seat].cash - rules.build_price(state, seat, work.prices)
    lead = [
        count_say("You may lay {n} tile and have ${cash}.", "You may lay {n} tiles and have ${cash}.", left, cash=cash)
    ]
    if state.players[seat].action == "urbanization" and not work.urbanized:
        lead.append(say("Before that you may place a New City on a town."))
    lost = abandoned(rules, work)
    warnings = tuple(
        say("You lose {section} unless you add track to it.", section=section_said(chain)) for chain in lost
    )
    nothing = Choice(str(Build()), say("Build nothing"), say("You keep ${cash}.", cash=cash))
    return Question(
        seat,
        "build_track",
        say("Build track"),
        tuple(lead),
        say("you build nothing"),
        "build",
        (nothing,),
        warnings,
        example="build S10 NE-SW",
    )


def _move(rules: Rules, phase: MoveGoods, state: State, seat: Seat) -> Question:
    found, player = listed(rules, state, seat), state.players[seat]
    graph = ways(rules, state)
    choices = [_delivery(delivery, str(order_of(rules, state, delivery, graph))) for delivery in found]
    if phase.refuse_loco(rules, state, seat) is None:
        effect = say("Deliveries over {n} links from the next round on; the bill rises by $1.", n=player.engine + 1)
        title = say("Raise the engine from {a} to {b}", a=player.engine, b=player.engine + 1)
        choices.append(Choice(str(Loco()), title, effect))
    choices.append(Choice(str(Pass()), say("Pass"), say("You move nothing in this round.")))
    desk = state.desk_as(Moving)
    lead = [
        say(
            "Round {round} of {rounds}. Your engine pulls {engine}.",
            round=desk.round,
            rounds=rules.rounds,
            engine=count_say("{n} link", "{n} links", player.engine),
        ),
        _possible(found, seat),
    ]
    short = rules.expenses(state, seat) - player.cash - player.income
    warnings = (say("As things stand you are ${n} short at the end of this turn.", n=short),) if short > 0 else ()
    return Question(
        seat,
        "move_goods",
        say("Move goods"),
        tuple(lead),
        _move_default(found, seat),
        "deliver",
        tuple(choices),
        warnings,
        example=choices[0].order,
    )


def _possible(found: list[Delivery], seat: Seat) -> Say:
    if not found:
        return say("No delivery is possible with this engine.")
    return count_say(
        "{n} delivery is possible, and it gives you {best}.",
        "{n} deliveries are possible, the best gives you {best}.",
        len(found),
        best=found[0].gain(seat),
    )


def _move_default(found: list[Delivery], seat: Seat) -> Say:
    if found and found[0].gain(seat) > 0:
        return say("the delivery that gives you most is made for you")
    return say("you pass")


def _delivery(delivery: Delivery, order: str) -> Choice:
    title = say(
        "{colour} from {start} to {goal}",
        colour=Word(delivery.colour),
        start=Place(delivery.start),
        goal=Place(delivery.nodes[-1]),
    )
    gains = tuple(say("{player} +{n}", player=Who(seat), n=n) for seat, n in delivery.gains)
    via = tuple(Place(node) for node in delivery.nodes[:-1])
    paid = say("{gains}", gains=gains) if gains else say("nobody earns")
    effect = say("Over {nodes}: {gains}.", nodes=via, gains=paid) if via else say("Directly: {gains}.", gains=paid)
    pieces = tuple((piece.hex, piece.a, piece.b) for link in delivery.links for piece in link.pieces)
    return Choice(
        order, title, effect, dict(delivery.gains), delivery.colour, (delivery.start, *delivery.nodes), pieces
    )


def _produce(rules: Rules, phase: GoodsGrowth, state: State, seat: Seat) -> Question:
    drawn, empty = state.desk_as(Growing).drawn, empty_boxes(state)
    fed = rules.columns_fed(state)
    choices = []
    for move in phase.legal(rules, state, seat):
        puts = str(move).removeprefix("produce ").split()
        said = [_put(put, fed) for put in puts]
        choices.append(Choice(str(move), say("Put {puts}", puts=tuple(said))))
    lead = (
        say("Drawn: {cubes}.", cubes=tuple(map(Word, drawn))),
        count_say("{n} box is empty.", "{n} boxes are empty.", len(empty)),
    )
    return Question(
        seat,
        "goods_growth",
        say("Place the drawn cubes"),
        lead,
        say("they go on the topmost empty boxes"),
        "boxes",
        tuple(choices),
        example=choices[0].order if choices else "",
    )


def _put(put: str, fed: Mapping[str, tuple[str, ...]]) -> Say:
    """One cube on one box, with the City that the box feeds if it is on the map."""
    colour, _, box = put.partition(">")
    city = fed.get(box.partition("/")[0])
    if city is None:
        return say("{colour} on {box}", colour=Word(colour), box=box)
    return say("{colour} on {box} ({city})", colour=Word(colour), box=box, city=Place(city[0]))
