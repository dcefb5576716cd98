"""Every kind of decision of both games is answered with forms and links alone."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from pbem.engine import Sheet, State, catalog
from pbem.engine.record import replay
from pbem.store.tables import Game, Move
from tests.every_page.decisions import kept
from tests.web.conftest import Games
from tests.web.forms_only import FormsOnly
from tests.web.site import Site

Kind = tuple[str, str, str]
"""The game, the phase, and the first word of the order."""
KEPT = {
    "st_lucia-2-to-the-last-turn-partial_link_bonus=yes": 85,
    "germany-5-one-survivor-ownership_discs=unlimited": 43,
    "switzerland-4-to-the-last-turn": 108,
    "barbados-1-shares-left-reduction_table=first_edition": 12,
    "heavy_cardboard-3-to-the-last-turn": 18,
    "northern_italy-5-to-the-end-coexisting=yes": 25,
}
"""Kept games, each with the orders of it that are looked through."""


def _every_kind() -> set[Kind]:
    """The orders of every phase of every sheet."""
    return {
        (sheet.game, phase.name, move.keyword)
        for sheet in catalog.sheets()
        for phase in sheet.phases  # type: ignore[attr-defined] # of all sheets that have boards
        for move in phase.moves
    }


def _first_of_each(seen: set[Kind], name: str) -> Iterator[tuple[Kind, State, str]]:
    """Positions of a kept game in which an order of a kind that was not seen yet was given or could have been."""
    record = kept(name)
    sheet = catalog.sheet(record.game, record.map)
    for before, played in pairwise(replay(sheet, record)):
        if played.number >= KEPT[name]:
            return
        state, entry = before.state, played.entry
        if record.map == "heavy_cardboard" and entry.phase == "move_goods":
            state = state.with_player(entry.player, action="heavy-lifting")  # which no kept game has
        orders = [entry.orders, *(order for order in sheet.legal(state) or () if order.startswith("lift "))]
        for order in orders:
            kind = (record.game, entry.phase, order.split()[0])
            if kind not in seen and not played.passed_over and ";" not in order:
                seen.add(kind)
                yield kind, state, order


def _stand(site: Site, sheet: Sheet, state: State) -> None:
    """Let the game of the site go on from a position."""
    with site.office.write() as session:
        game = session.get_one(Game, site.game)
        move = session.get_one(Move, (site.game, game.version))
        game.state = move.state = sheet.encode(state)
        game.turn, game.phase, game.to_act = sheet.turn(state), sheet.phase(state), sheet.to_act(state) or ""


@pytest.fixture(scope="module")
def answered(saved: Games) -> dict[Kind, tuple[str, str, bool]]:
    """By kind: the order, what the log says was played, and whether it had to be typed."""
    found: dict[Kind, tuple[str, str, bool]] = {}
    for name in KEPT:
        record = kept(name)
        names = ("Ann", "Ben", "Cleo", "Dan", "Eva")[: len(record.players)]
        for kind, state, order in _first_of_each(set(found), name):
            site = saved.fresh()
            site.start(names=names, game=record.game, map=record.map, seed=record.seed, options=dict(record.options))
            _stand(site, catalog.sheet(record.game, record.map), state)
            client = FormsOnly(site)
            client.answer(order)
            log = [move for move in site.view().log if move.number == 1]
            found[kind] = (order, log[0].orders if log else "", client.typed)
            saved.close(site)
    return found


def test_every_kind_of_decision_is_answered_with_forms_and_links(answered: dict[Kind, tuple[str, str, bool]]) -> None:
    assert set(answered) == _every_kind()
    wrong = {kind: (order, played) for kind, (order, played, _) in answered.items() if order != played}
    assert wrong == {}


def test_nothing_has_to_be_typed(answered: dict[Kind, tuple[str, str, bool]]) -> None:
    assert [kind for kind, (_, _, typed) in answered.items() if typed] == []
