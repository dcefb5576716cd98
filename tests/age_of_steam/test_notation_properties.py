"""What is true of every order and of every text (hypothesis)."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from maps.heavy_cardboard.orders import Lift
from maps.hungary.orders import ProduceColours
from maps.st_lucia.orders import Decline, Pay
from maps.switzerland.orders import BuyBack
from maps.western_us.orders import Transcon
from pbem.age_of_steam.bends import ProduceAt
from pbem.age_of_steam.lexicon import COLOURS, Lexicon
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    BuildLink,
    BuildStep,
    Deliver,
    Drop,
    Exits,
    Hop,
    Issue,
    Lay,
    Loco,
    Origin,
    Pass,
    Produce,
    ProduceForm,
    Put,
    SameIncome,
    TakeAction,
    Urbanize,
)
from pbem.age_of_steam.notation import parse
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import BadMove, Cancel, Move, Resign
from pbem.rails.board import Board, Connection, load_board
from pbem.rails.hexes import directions
from tests.age_of_steam.typed_orders import VOCABULARY

BOARD = replace(
    load_board(Path(str(resources.files("maps").joinpath("rust_belt/board.toml")))),
    connections={
        "1": Connection("1", "Midtown-Downtown", ("H13", "J15"), 6),
        "2": Connection("2", "Tunnel", ("A2", "F1"), 8),
    },
)
LEXICON = Lexicon(
    board=BOARD, seats=("red", "blue", "pink"), new_cities={"D": "K12"}, names={"red": "Ana", "blue": "J. Smith"}
)

numbers = st.integers(0, 9999)
maybe_number = st.none() | numbers
hexes = st.sampled_from(sorted(BOARD.hexes))
nodes = st.sampled_from(sorted({*BOARD.cities, *BOARD.towns}))
seats = st.sampled_from(LEXICON.seats)
owners = st.none() | seats | st.just("nobody")
colours = st.sampled_from(COLOURS)
edges = st.integers(0, 5)


def segments(board: Board) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    pair = st.tuples(edges, edges).filter(lambda ends: ends[0] < ends[1])
    return st.sets(pair, min_size=1, max_size=4).map(
        lambda pairs: tuple((board.directions[a], board.directions[b]) for a, b in sorted(pairs))
    )


def build_steps(board: Board) -> st.SearchStrategy[BuildStep]:
    exits = st.sets(edges, min_size=1).map(lambda found: tuple(board.directions[edge] for edge in sorted(found)))
    cubes = st.lists(colours, max_size=4).map(lambda kept: tuple(sorted(kept, key=COLOURS.index)))
    receivers = st.sets(seats, min_size=1).map(lambda found: tuple(sorted(found, key=LEXICON.seats.index)))
    names = st.sampled_from(sorted(link.name for link in BOARD.connections.values())) | st.just("L7-K12")
    return st.one_of(
        st.builds(Lay, hexes, segments(board)),
        st.builds(Exits, nodes, exits),
        st.builds(Urbanize, st.sampled_from("ABCDEFGH"), nodes, st.none() | cubes),
        st.builds(BuildLink, names, maybe_number),
        st.builds(Transcon, receivers),
    )


def builds(board: Board) -> st.SearchStrategy[Build]:
    return st.builds(Build, st.lists(build_steps(board), max_size=5).map(tuple), maybe_number, st.booleans())


def deliveries(board: Board) -> st.SearchStrategy[Move]:
    origins = st.builds(Origin, nodes) | st.builds(
        Origin, hexes, st.just(True), owners, st.none() | st.sampled_from(board.directions)
    )
    hops = st.lists(st.builds(Hop, nodes, owners), min_size=1, max_size=6).map(tuple)
    extras = {"bonus": st.none() | seats, "remove": st.none() | colours}
    return st.one_of(
        st.builds(Deliver, colours, origins, hops, **extras),
        st.builds(Deliver, colours, origins, st.just(()), nodes, **extras),
        st.builds(Lift, colours, nodes, nodes),
        st.builds(ListNumber, st.sampled_from(("move", "lift")), numbers),
        st.builds(Loco),
        st.builds(Pass),
    )


def alternatives(board: Board) -> st.SearchStrategy[Move]:
    several = st.lists(deliveries(board), min_size=2, max_size=4).map(tuple)
    guarded = st.lists(deliveries(board), min_size=1, max_size=3).map(tuple)
    return st.builds(FirstLegal, several) | st.builds(SameIncome, guarded)


def orders(board: Board) -> st.SearchStrategy[Move]:
    columns = st.sampled_from(("L1", "L6", "D3", "A", "H"))
    puts = st.builds(Put, colours | st.just("any"), columns, maybe_number)
    actions = st.lists(st.sampled_from(VOCABULARY.actions), min_size=1, unique=True).map(tuple)
    cubes = st.lists(colours, min_size=1, max_size=4).map(lambda drawn: tuple(sorted(drawn, key=COLOURS.index)))
    standing = st.one_of(
        st.builds(Always, st.sampled_from(("issue", "bid max")), numbers),
        st.builds(Always, st.sampled_from(("pay", "decline", "auto-pass", "auto-loco"))),
    )
    limits = st.builds(BidLimit, numbers, maybe_number, st.sampled_from(("", "pass", "ask")), maybe_number)
    return st.one_of(
        st.builds(Issue, numbers), st.builds(Bid, numbers), limits, st.builds(TakeAction, actions), builds(board),
        deliveries(board), alternatives(board), st.builds(Produce, st.lists(puts, min_size=1).map(tuple)),
        st.builds(ProduceForm, st.sampled_from(("decline", "display"))), st.builds(ProduceAt, nodes, st.booleans()),
        st.builds(ProduceColours, cubes), standing,
        st.builds(ListNumber, st.sampled_from(("action", "produce")), numbers),
        st.sampled_from((BuyBack(), Drop(), Pay(), Decline(), Cancel(), Resign())),
    )  # fmt: skip


@given(orders(BOARD))
@settings(deadline=None, max_examples=300)
def test_the_canonical_form_is_read_back_to_an_equal_order(order: Move) -> None:
    assert parse(str(order), LEXICON, VOCABULARY) == (order,)


@given(orders(replace(BOARD, orientation="pointy-top")))
@settings(deadline=None)
def test_so_it_is_on_a_board_with_the_points_up(order: Move) -> None:
    lexicon = replace(LEXICON, board=replace(BOARD, orientation="pointy-top"))
    assert lexicon.board.directions == directions("pointy-top")
    assert parse(str(order), lexicon, VOCABULARY) == (order,)


@given(st.lists(orders(BOARD), min_size=1, max_size=6), st.sampled_from(("\n", "; ", " ;\r\n", " # remark\n")))
@settings(deadline=None)
def test_several_orders_are_read_one_by_one(moves: list[Move], between: str) -> None:
    assert parse(between.join(map(str, moves)), LEXICON, VOCABULARY) == tuple(moves)


WORDS = (
    "issue", "shares", "bid", "max", "then", "pass", "ask", "until", "drop", "action", "first", "loco", "build",
    "nothing", "done", ";", "S10", "SW-NE", ",", "-", "@", "N", "city", "A", "keep", "red", "all", "none", "link",
    "Midtown-Downtown", "transcon", "Ana", "more", "move", "blue", "Chicago", "to", "Detroit", "(", ")", "nobody",
    ">", "same", "income", "at", "bonus", "remove", "lift", "produce", "decline", "display", "any", "L3", "/",
    "always", "auto-pass", "cancel", "resign", "2", "99999", "#", '"', "New City D", "Toledo", "|", "\n",
)  # fmt: skip


@given(st.text(max_size=80) | st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=20).map(" ".join))
@settings(deadline=None, max_examples=500)
@example("\ud800")
@example("move blue \x00 > \u202e")
def test_every_text_ends_in_orders_or_in_a_complaint_with_its_place(text: str) -> None:
    try:
        moves = parse(text, LEXICON, VOCABULARY)
    except BadMove as bad:
        check_complaint(bad, text)
        return
    canonical = "\n".join(map(str, moves))
    assert parse(canonical, LEXICON, VOCABULARY) == moves
    assert "\n".join(map(str, parse(canonical, LEXICON, VOCABULARY))) == canonical


def check_complaint(bad: BadMove, text: str) -> None:
    """A complaint names a place in the text, and can be read, stored and sent."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= bad.line <= len(lines)
    assert 0 <= bad.column <= len(lines[bad.line - 1])
    assert len(bad.found) <= 40
    assert bad.found.isprintable()
    assert str(bad.sentence()).encode()
