"""Words of a position: the players' table, the hand, unfinished track."""

from pbem.engine import Place as At
from pbem.engine import Say, Seat, Word, count_say, say
from pbem.engine.overview import Column, HandCard, Row, Words
from pbem.rails.board import Label
from pbem.steam_power.contracts import ContractTile
from pbem.steam_power.events import colour_said
from pbem.steam_power.moves import Contract
from pbem.steam_power.payments import Market, items_said
from pbem.steam_power.position import points
from pbem.steam_power.prospects import helps
from pbem.steam_power.railways import OpenEnd, Railways
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import VICTORY, State

COLUMNS = (
    Column("cash", say("Cash"), money=True),
    Column("hand", say("In hand")),
    Column("trains", say("Trains")),
    Column("factories", say("Factories")),
    Column("done", say("Contracts")),
    Column("points", say("Points")),
)
"""The players' table: contracts in hand by number only, trains and factories that are left, contracts done."""
BUTTONS = {"actions": say("Choose an action"), "bonus": say("Take the bonus")}
BONUS = {
    "track": say("a bonus track action"),
    "factory": say("a bonus factory"),
    "contracts": say("a bonus draw"),
}


def reward_said(tile: ContractTile) -> Say:
    parts = [
        *([say("${money}", money=tile.money)] if tile.money else []),
        *([count_say("{n} point", "{n} points", tile.vp)] if tile.vp else []),
        *([BONUS[tile.bonus]] if tile.bonus else []),
    ]
    return say("{parts}", parts=tuple(parts) or say("nothing"))


def columns(rules: Rules, state: State) -> tuple[Column, ...]:
    """The columns of the players' table; a player without a company of the own has no pieces."""
    own = state.seats[0] in state.companies
    return tuple(column for column in COLUMNS if own or column.key not in ("trains", "factories"))


def sums(rules: Rules, state: State, seat: Seat) -> dict[str, Say]:
    player, railways = state.players[seat], rules.railways(state)
    flipped = sum(1 for tile in state.cities.values() if tile.flipped and tile.factory == seat)
    shares = [railways.connected(label) for label, tile in state.cities.items() if tile.colour == VICTORY]
    cities = [rules.victory_points // len(sharing) for sharing in shares if seat in sharing]
    found = {
        "factories": say("{n} × {points}", n=flipped, points=rules.flipped_points),
        "cash": say("${cash} / 5, rounded down", cash=player.cash),
    }
    for part, counted in (("contracts", [rules.contracts[number].vp for number in player.done]), ("cities", cities)):
        if len(counted) > 1:
            found[part] = say("{sum}", sum=" + ".join(map(str, counted)))
    return found


def needs_said(needs: tuple[str, ...]) -> tuple[Say | Word, ...]:
    """The cubes of a contract: black, 2 white."""
    return tuple(colour_said(colour, needs.count(colour)) for colour in dict.fromkeys(needs))


def rows(rules: Rules, state: State) -> tuple[Row, ...]:
    """One row a player, the first player first."""
    railways = rules.railways(state)
    return tuple(
        Row(
            seat,
            {
                "cash": player.cash,
                "hand": len(player.hand),
                "trains": rules.trains - railways.trains(seat) if seat in state.companies else None,
                "factories": rules.factories - state.factories(seat) if seat in state.companies else None,
                "done": len(player.done),
                "points": points(rules, state, seat, railways),
            },
        )
        for seat, player in state.players.items()
    )


def place_names(rules: Rules, state: State) -> dict[Label, str]:
    return {label: city.name for label, city in rules.board.cities.items()}


def hand(rules: Rules, state: State, seat: Seat) -> tuple[Words, ...]:
    """The contracts of a hand: what each needs and pays, what its cubes cost now and from where."""
    market = _market(rules, state, seat)
    tiles = [rules.contracts[number] for number in state.players[seat].hand]
    items = tuple(_contract(market, tile, state.players[seat].cash) for tile in tiles)
    return (Words(say("Contracts in your hand"), items),) if items else ()


def cards(rules: Rules, state: State, seat: Seat) -> tuple[HandCard, ...]:
    """The same as cards, the cheapest first."""
    market, cash = _market(rules, state, seat), state.players[seat].cash
    found = [_card(market, rules.contracts[number], cash) for number in state.players[seat].hand]
    return tuple(sorted(found, key=lambda card: card.price))


def _card(market: Market, tile: ContractTile, cash: int) -> HandCard:
    way = market.cheapest_ways(tile)[0]
    return HandCard(
        str(Contract(tile.number)),
        say("Contract {number}", number=tile.number),
        tile.needs,
        reward_said(tile),
        way.price,
        max(0, way.price - cash),
        items_said(market, way),
        helps(market, tile, way.price, cash),
    )


def _market(rules: Rules, state: State, seat: Seat) -> Market:
    """What this player can get: in a game alone for the company that acts."""
    return Market(rules, state, seat if seat in state.companies else state.company)


def ends(rules: Rules) -> Say | None:
    """With which contract the last round begins, by the number of players."""
    needed = {players: rules.end_threshold(players) for players in rules.players}
    if None in needed.values():
        return None
    by_number = tuple(say("{n} with {players}", n=n, players=players) for players, n in needed.items())
    return say("with the round in which somebody fulfils the last of so many contracts: {numbers}", numbers=by_number)


def goal(rules: Rules, state: State, seat: Seat) -> Say | None:
    """What ends the game, and how far this player is."""
    needed = rules.end_threshold(len(state.seats))
    if needed is None:
        return None
    return say(
        "Most points win. The game ends with the round in which somebody has fulfilled {needed} contracts; you have "
        "fulfilled {n} and stand at {points}.",
        needed=needed,
        n=len(state.players[seat].done),
        points=count_say("{n} point", "{n} points", points(rules, state, seat, rules.railways(state))),
    )


def _contract(market: Market, tile: ContractTile, cash: int) -> Say:
    ways = market.cheapest_ways(tile)
    price = ways[0].price
    values = {
        "number": tile.number,
        "needs": needs_said(tile.needs),
        "reward": reward_said(tile),
        "cubes": items_said(market, ways[0]),
        "price": price,
        "short": price - cash,
        "others": count_say("{n} other way", "{n} other ways", len(ways) - 1),
    }
    if price > cash:
        return say("{number}: {needs} for {reward}. Costs ${price}, ${short} too much: {cubes}.", **values)
    if len(ways) > 1:
        return say("{number}: {needs} for {reward}. Costs ${price}: {cubes}, or {others} for as much.", **values)
    return say("{number}: {needs} for {reward}. Costs ${price}: {cubes}.", **values)


def open_end_said(railways: Railways, end: OpenEnd) -> Say:
    """An incomplete connection: where it starts and where it goes on."""
    return say("{city} towards {hex}", city=At(end.start), hex=At(railways.towards(end)))
