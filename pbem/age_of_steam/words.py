"""The position in words: the players' table, names of places, the board as a list."""

from collections.abc import Iterable
from functools import cache
from operator import itemgetter

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.sheet import Column, Row, Words
from pbem.engine.text import Place, Say, Who, Word, say, to_reader
from pbem.rails.board import Label
from pbem.rails.names import folded
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


def board_in_words(rules: Rules, state: State) -> tuple[Words, ...]:
    """Cubes by City, New Cities, links by owner, unfinished sections with their open end, the goods display."""
    links, sections, owners = _links(rules, state), _sections(rules, state), (*state.order, None)
    parts = (
        _cubes(state),
        _new_cities(rules, state),
        *(links[owner] for owner in owners if owner in links),
        *(sections[owner] for owner in owners if owner in sections),
        _display(state),
        _dealt(state),
        Words(say("On this map"), rules.facts(state)),
    )
    return tuple(part for part in parts if part.items)


def cubes_said(cubes: Iterable[str]) -> tuple[Say | Word, ...]:
    """Cubes as a list of words: black, 2 blue."""
    kinds = sorted(cubes)
    return tuple(
        Word(colour) if (n := kinds.count(colour)) == 1 else say("{n} {colour}", n=n, colour=Word(colour))
        for colour in dict.fromkeys(kinds)
    )


def _cubes(state: State) -> Words:
    return Words(
        say("Cubes"),
        tuple(
            say("{city}: {cubes}", city=Place(label), cubes=cubes_said(cubes))
            for label, cubes in state.cubes.items()
            if cubes
        ),
    )


def _new_cities(rules: Rules, state: State) -> Words:
    return Words(
        say("New Cities"),
        tuple(
            say(
                "{letter} on {town} ({colours})",
                letter=letter,
                town=rules.board.towns[label],
                colours=tuple(map(Word, rules.board.new_cities[letter].colours)),
            )
            for letter, label in sorted(state.new_cities.items())
        ),
    )


def _links(rules: Rules, state: State) -> dict[Seat | None, Words]:
    """The links by their owners, those of each in the order of their names."""
    name = cache(lambda label: folded(place_name(rules, state, label)))
    named: dict[Seat | None, list[tuple[str, Say]]] = {}
    for link in rules.links(state):
        a, b = sorted(link.ends, key=name)
        named.setdefault(link.owner, []).append((name(a), say("{a}–{b}", a=Place(a), b=Place(b))))
    return {
        owner: Words(
            say("Links without an owner") if owner is None else say("Links of {player}", player=Who(owner)),
            tuple(link for _, link in sorted(links, key=itemgetter(0))),
        )
        for owner, links in named.items()
    }


def _sections(rules: Rules, state: State) -> dict[Seat | None, Words]:
    hanging: dict[Seat | None, list[Say]] = {}
    for chain in rules.net(state).chains:
        if not chain.complete and chain.anchor:
            hanging.setdefault(chain.owner, []).append(section_said(rules, chain))
    return {
        owner: Words(
            say("Unfinished, without an owner") if owner is None else say("Unfinished, {player}", player=Who(owner)),
            tuple(sections),
        )
        for owner, sections in hanging.items()
    }


to_reader("Links of {player}", player="Your links")
to_reader("Unfinished, {player}", player="Your unfinished track")


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


def _dealt(state: State) -> Words:
    return Words(
        say("Colours dealt"),
        tuple(
            say("{city} takes {colours}", city=Place(label), colours=tuple(map(Word, colours)))
            for label, colours in state.accepts.items()
        ),
    )


def _display(state: State) -> Words:
    return Words(
        say("Goods display, top box first"),
        tuple(
            say("{column}: {cubes}", column=column, cubes=tuple(Word(cube) for cube in boxes if cube is not None))
            for column, boxes in state.display.items()
            if any(boxes)
        ),
    )
