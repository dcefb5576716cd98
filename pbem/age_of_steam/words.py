"""Words of a position: the players' table, names of places, cubes and unfinished track."""

from collections.abc import Iterable

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Place, Say, Seat, Word, say
from pbem.engine.overview import Column, Row
from pbem.rails.board import Label
from pbem.rails.track import Chain

WORDS = {
    "issue_shares": "issue shares", "turn_order": "turn order", "select_actions": "select actions",
    "build_track": "build track", "move_goods": "move goods", "collect_income": "collect income",
    "pay_expenses": "pay bills", "income_reduction": "income reduction", "goods_growth": "goods growth",
    "first-move": "First Move", "first-build": "First Build", "engineer": "Engineer", "locomotive": "Locomotive",
    "urbanization": "Urbanization", "production": "Production", "turn-order": "Turn Order",
}  # fmt: skip
"""Words of the notation as the rulebook writes them; colours stand for themselves."""
BUTTONS = {
    "issue_shares": say("Choose shares"),
    "turn_order": say("Bid or drop"),
    "select_actions": say("Choose an action"),
    "build_track": say("Build on the board"),
    "move_goods": say("Choose a delivery"),
    "goods_growth": say("Place cubes"),
}
COLUMNS = (
    Column("action", say("Action")),
    Column("cash", say("Cash"), money=True),
    Column("income", say("Income")),
    Column("shares", say("Shares")),
    Column("engine", say("Engine")),
    Column("bill", say("Bill"), money=True),
    Column("points", say("Points")),
)
"""The players' table: the bill is what the turn's expenses will be (shares plus engine)."""


def columns(rules: Rules, state: State) -> tuple[Column, ...]:
    return tuple(column for column in COLUMNS if rules.scored or column.key != "points")


def rows(rules: Rules, state: State) -> tuple[Row, ...]:
    """One row a player in turn order, the eliminated last."""
    scores = points(rules, state)
    table = [
        Row(
            seat,
            {
                "action": say("{action}", action=Word(action)) if (action := state.players[seat].action) else None,
                **figures(rules, state, seat),
                "points": scores.get(seat),
            },
        )
        for seat in state.order
    ]
    for seat in state.seats:
        if turn := state.players[seat].out:
            table.append(Row(seat, {}, say("out in turn {turn}", turn=turn)))
    return tuple(table)


def points(rules: Rules, state: State) -> dict[Seat, int]:
    """Victory points of the players still in the game, as they stand now."""
    if not rules.scored:
        return {}
    links = rules.links(state)
    return {seat: sum(part for _, part in rules.score(state, seat, links)) for seat in state.order}


def figures(rules: Rules, state: State, seat: Seat) -> dict[str, int]:
    """What a row says of the money of a player; nothing of the eliminated."""
    player = state.players[seat]
    if player.out:
        return {}
    return {
        "cash": player.cash,
        "income": player.income,
        "shares": player.shares,
        "engine": player.engine,
        "bill": rules.expenses(state, seat),
    }


def place_name(rules: Rules, state: State, label: Label) -> str:
    """ "Toledo (D)" for a New City, the name of a City or town, else the label itself."""
    name = rules.board.towns.get(label)
    for letter, hex_ in state.new_cities.items():
        if hex_ == label:
            return f"{name or label} ({letter})"
    city = rules.board.cities.get(label)
    return city.name if city is not None else name or label


def place_names(rules: Rules, state: State) -> dict[Label, str]:
    board = rules.board
    names = {label: name or label for label, name in board.towns.items()}
    names |= {label: city.name for label, city in board.cities.items()}
    return names | {label: place_name(rules, state, label) for label in state.new_cities.values()}


def cubes_said(cubes: Iterable[str]) -> tuple[Say | Word, ...]:
    """Cubes as a list of words: black, 2 blue."""
    kinds = sorted(cubes)
    return tuple(
        Word(colour) if (n := kinds.count(colour)) == 1 else say("{n} {colour}", n=n, colour=Word(colour))
        for colour in dict.fromkeys(kinds)
    )


def section_said(rules: Rules, chain: Chain) -> Say:
    """An unfinished section by the node it hangs on and the hex its open end points at."""
    return say("{anchor} towards {hex}", anchor=Place(chain.anchor or ""), hex=Place(towards(rules, chain)))


def towards(rules: Rules, chain: Chain) -> Label:
    """The hex that the open end of a section points at; the town itself for a loop (R45)."""
    for hex_, edge in chain.open:
        beyond = rules.board.neighbours[hex_][edge]
        if beyond is not None:
            return beyond
    return chain.anchor or ""
