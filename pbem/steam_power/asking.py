"""What a seat is asked, with the choices and what each leads to. Shown to that seat only: it tells of its hand."""

from collections.abc import Iterator

from pbem.engine import Choice, Move, Question, Say, Seat, Who, Word, count_say, say
from pbem.engine import Place as At
from pbem.engine.overview import ActionKind
from pbem.rails.board import Label
from pbem.rails.track import RouteChoice
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.laying import any_offer
from pbem.steam_power.moves import Bonus, Cash, Contract, Draw, Factory
from pbem.steam_power.payments import Market, Way, amounts_said, items_said
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import cube_choices, factory_sites, victims
from pbem.steam_power.words import reward_said

WAYS = 6
"""Ways of one contract among the choices, unless more are equally cheap."""
MOST_WAYS = 12


def turn(rules: Rules, state: State, seat: Seat) -> Question:
    market = Market(rules, state, state.company)
    payable = _payable(rules, state, market)
    contracts, factories = list(_contracts(state, market, payable)), list(_factories(rules, state, market))
    draws, builder = list(_draws(state)), any_offer(rules, state)
    return Question(
        seat,
        "actions",
        say("Take an action")
        if rules.actions == 1
        else count_say("Take one more action", "Take {n} actions", state.left),
        _lead(rules, state, len(payable)),
        say("you take ${amount}", amount=rules.cash_action(state)),
        "choices",
        (*contracts, *factories, *draws, _cash(rules, state)),
        example="track H5 N-S; J5 N-SE",
        builder=builder,
        kinds=(
            _track_kind(rules, state, builder),
            _factory_kind(rules, state, len(factories)),
            _cash_kind(rules, state),
            _draw_kind(state, bool(draws)),
            _contract_kind(state, [ways[0].price for _, ways in payable]),
        ),
    )


def _track_kind(rules: Rules, state: State, possible: bool) -> ActionKind:
    prices = rules.terrain_prices
    about = say(
        "Lay one or two tiles. A plain hex is free, a hill costs ${hill}, a mountain ${mountain}, and a crossing "
        "${crossing} more.",
        hill=prices["hill"],
        mountain=prices["mountain"],
        crossing=rules.crossing_price,
    )
    where = () if possible else (say("No tile can be laid with ${cash}.", cash=state.cash),)
    return ActionKind("track", say("Build track"), say("costs by terrain"), (about, *where), on_board=possible)


def _factory_kind(rules: Rules, state: State, sites: int) -> ActionKind:
    about = say("{n} cubes of its colour go onto a City that a connection reaches.", n=rules.factory_cubes)
    open_now = count_say("{n} City is open.", "{n} Cities are open.", sites)
    worth = say("It brings you {n} points once all its cubes are gone.", n=rules.flipped_points)
    return ActionKind("factory", say("Build a factory"), say("costs nothing"), (about, open_now, worth))


def _cash_kind(rules: Rules, state: State) -> ActionKind:
    amount = rules.cash_action(state)
    about = say("You then have ${cash}. Every $5 is 1 point at the end.", cash=state.cash + amount)
    return ActionKind("cash", say("Take money"), say("brings ${amount}", amount=amount), (about,))


def _draw_kind(state: State, possible: bool) -> ActionKind:
    held = len(state.players[state.seat].hand)
    bag = count_say("The bag holds {n} contract.", "The bag holds {n} contracts.", len(state.bag))
    if not possible:
        return ActionKind("draw", say("Draw contracts"), say("costs nothing"), (bag, say("There are none to draw.")))
    hand = count_say("You hold {n} contract now.", "You hold {n} contracts now.", held)
    return ActionKind(
        "draw", say("Draw contracts"), say("costs nothing"), (hand, bag, say("A draw cannot be taken back."))
    )


def _contract_kind(state: State, prices: list[int]) -> ActionKind:
    """``prices``: of the contracts that can be paid."""
    title, held = say("Fulfil a contract"), len(state.players[state.seat].hand)
    if not held:
        return ActionKind("contract", title, say("none in hand"), (say("There is no contract in your hand."),))
    if not prices:
        none = say("You cannot pay for any contract that you hold.")
        return ActionKind("contract", title, say("none can be paid now"), (none,))
    about = count_say(
        "You can pay for the contract that you hold.",
        "You can pay for {payable} of the {n} contracts that you hold.",
        held,
        payable=len(prices),
    )
    least, most = min(prices), max(prices)
    price = say("costs ${n}", n=least) if least == most else say("costs ${least} to ${most}", least=least, most=most)
    after = say("The reward comes after the price is paid.")
    return ActionKind("contract", title, price, (about, after), from_hand=True)


def _whose_action(rules: Rules, state: State) -> tuple[Say, ...]:
    """Which action of a turn it is; in a game alone, for which company."""
    if state.company != state.seat:
        return (
            say(
                "You act for {company}: the train drawn from the bag says which of your companies takes this action. "
                "Track and factories are its own, money and contracts are yours.",
                company=Who(state.company),
            ),
        )
    return (say("This is the last action of your turn."),) if state.left < rules.actions else ()


def _lead(rules: Rules, state: State, payable: int) -> tuple[Say, ...]:
    money = say(
        "You have ${cash}, {trains} and {factories}.",
        cash=state.cash,
        trains=count_say("{n} train", "{n} trains", rules.trains - rules.railways(state).trains(state.company)),
        factories=count_say("{n} factory", "{n} factories", rules.factories - state.factories(state.company)),
    )
    sentences = (money, _hand_said(len(state.players[state.seat].hand), payable), *_whose_action(rules, state))
    if state.left > 1:
        sentences = (*sentences, say("You can send one action, see what it brings, and then send the next."))
    end = rules.railways(state).open_end(state.company)
    if end is None:
        return sentences
    going = say(
        "Your incomplete connection from {city} goes on to {hex}.",
        city=At(end.start),
        hex=At(rules.railways(state).towards(end)),
    )
    return (*sentences, going)


def _hand_said(held: int, payable: int) -> Say:
    if not held:
        return say("There is no contract in your hand.")
    if not payable:
        return count_say(
            "The contract in your hand cannot be fulfilled.",
            "None of the {n} contracts in your hand can be fulfilled.",
            held,
        )
    return count_say(
        "The contract in your hand can be fulfilled.",
        "{payable} of the {n} contracts in your hand can be fulfilled.",
        held,
        payable=payable,
    )


def _payable(rules: Rules, state: State, market: Market) -> list[tuple[ContractTile, list[Way]]]:
    """The contracts of the hand that can be paid, the best first; each with its ways, the cheapest first."""
    hand = [rules.contracts[number] for number in state.players[state.seat].hand]
    found = ((tile, market.payable(tile, state.cash)) for tile in sorted(hand, key=lambda tile: -tile.vp))
    return [(tile, ways) for tile, ways in found if ways]


def _contracts(state: State, market: Market, payable: list[tuple[ContractTile, list[Way]]]) -> Iterator[Choice]:
    for tile, ways in payable:
        cheapest = sum(1 for way in ways if way.price == ways[0].price)
        for way in ways[: max(WAYS, min(cheapest, MOST_WAYS))]:
            order = Contract(tile.number, () if cheapest == 1 and way is ways[0] else way.items)
            yield _contract(state, market, tile, way, order)


def _contract(state: State, market: Market, tile: ContractTile, way: Way, order: Contract) -> Choice:
    title = say("Contract {number} for ${price}", number=tile.number, price=way.price)
    if way.payees:
        title = say("Contract {number}: {amounts}", number=tile.number, amounts=amounts_said(way))
    effect = say("{cubes}. Brings {reward}.", cubes=items_said(market, way), reward=reward_said(tile))
    gains = {state.seat: 5 * tile.vp + tile.money + 3 * bool(tile.bonus) - way.price}
    for payee, amount in way.payees:
        gains[payee] = gains.get(payee, 0) + amount
    sources = tuple(dict.fromkeys(item.source for item in way.items if item.source is not None))
    return RouteChoice(str(order), title, effect, gains, route=sources)


def _factories(rules: Rules, state: State, market: Market) -> Iterator[Choice]:
    for label, _, about in _sites(rules, state, market, bonus=False):
        title = say("Factory in {city}", city=At(label))
        yield RouteChoice(str(Factory(label)), title, about, route=(label,))


def _sites(rules: Rules, state: State, market: Market, *, bonus: bool) -> Iterator[tuple[Label, int, Say]]:
    """Where a factory can be put and with how many cubes, the Cities of the own network first."""
    sites = factory_sites(rules, state, market.railways)
    for label in sorted(sites, key=lambda label: rules.groups[label] not in market.network):
        colour = state.cities[label].colour
        for cubes in reversed(cube_choices(rules, state, colour, bonus=bonus)):
            yield label, cubes, say("{n} {colour} cubes go onto it.", n=cubes, colour=Word(colour))


def _draws(state: State) -> Iterator[Choice]:
    if len(state.bag) >= 2:
        yield Choice(str(Draw()), say("Draw two contracts"), say("The bag holds {n}.", n=len(state.bag)))
    elif state.bag or len(victims(state)) == 1:
        yield Choice(str(Draw()), say("Draw contracts"), _scarce(state))
    else:
        for victim in victims(state):
            title = say("Draw from the hand of {player}", player=Who(victim))
            yield Choice(str(Draw(victim)), title, _scarce(state))


def _scarce(state: State) -> Say:
    left = count_say("The bag holds {n} contract", "The bag holds {n} contracts", len(state.bag))
    hands = victims(state)
    if not hands:
        return say("{bag}.", bag=left)
    return say(
        "{bag}; the rest comes from the hand of an opponent with most, {n}.",
        bag=left,
        n=len(state.players[hands[0]].hand),
    )


def _cash(rules: Rules, state: State) -> Choice:
    amount = rules.cash_action(state)
    return Choice(
        str(Cash()), say("Take ${amount}", amount=amount), say("You then have ${cash}.", cash=state.cash + amount)
    )


# the bonus ------------------------------------------------------------------------------------------------


def bonus(rules: Rules, state: State, seat: Seat, number: int) -> Question:
    tile = rules.contracts[number]
    skip = Choice(str(Bonus(None)), say("Decline the bonus"), say("It is then lost."))
    return Question(
        seat,
        "bonus",
        say("Take the bonus of contract {number}", number=number),
        (say("You have ${cash}.", cash=state.cash), _bonus_lead(tile.bonus)),
        say("the bonus is lost"),
        "choices",
        (*_bonus_choices(rules, state, tile.bonus), skip),
        example="bonus skip" if tile.bonus != "track" else "bonus track H5 N-S; J5 N-SE",
        builder=tile.bonus == "track",
    )


def _bonus_lead(kind: str) -> Say:
    match kind:
        case "track":
            return say(
                "One track action of one or two operations, at the normal prices; it does not count as an action."
            )
        case "factory":
            return say("A factory with 4, 5 or 6 cubes; it does not count as an action.")
    return say("Two contracts; they do not count as an action.")


def _bonus_choices(rules: Rules, state: State, kind: str) -> Iterator[Choice]:
    if kind == "factory":
        for label, cubes, about in _sites(rules, state, Market(rules, state, state.company), bonus=True):
            title = say("Factory in {city} with {n}", city=At(label), n=cubes)
            yield RouteChoice(str(Bonus(Factory(label, cubes))), title, about, route=(label,))
    if kind == "contracts":
        for choice in _draws(state):
            yield Choice(f"bonus {choice.order}", choice.title, choice.effect)


def bonus_orders(rules: Rules, state: State, kind: str) -> list[Move] | None:
    """Every legal order of a bonus, ``None`` for track."""
    if kind == "track":
        return None
    if kind == "contracts":
        if state.bag or len(victims(state)) == 1:
            return [Bonus(Draw()), Bonus(None)]
        return [*(Bonus(Draw(victim)) for victim in victims(state)), Bonus(None)]
    sites = factory_sites(rules, state, rules.railways(state))
    return [
        *(
            Bonus(Factory(label, cubes))
            for label in sites
            for cubes in cube_choices(rules, state, state.cities[label].colour, bonus=True)
        ),
        Bonus(None),
    ]


def whose_hand(rules: Rules, state: State, seat: Seat, missing: int) -> Question:
    """The bag is empty and several opponents hold as many contracts."""
    possible = victims(state)
    count = len(state.players[possible[0]].hand)
    return Question(
        seat,
        "draw",
        say("Choose a hand to draw from"),
        (say("The bag is empty; these players hold most contracts, {n} each.", n=count),),
        say("you draw from {player}", player=Who(possible[0])),
        "choices",
        tuple(
            Choice(str(Draw(victim)), say("Draw from the hand of {player}", player=Who(victim))) for victim in possible
        ),
        example=str(Draw(possible[0])),
    )
