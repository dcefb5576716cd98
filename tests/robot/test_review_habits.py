"""Mistakes of one kind are called the same, whatever hexes and cities they name."""

import pytest

from pbem.robot.review.comparisons import Comparison
from pbem.robot.review.habits import habit


def said(phase: str, played: str, better: str) -> str:
    return str(habit(Comparison(1, 1, phase, "red", played, better, 5.0)))


@pytest.mark.parametrize(
    ("phase", "played", "better", "sentence"),
    [
        ("issue_shares", "issue 0", "issue 2", "Fewer shares"),
        ("issue_shares", "issue 3", "issue 2", "More shares"),
        ("turn_order", "bid 5", "drop", "Bids above"),
        ("turn_order", "bid 2 max 6 then pass", "bid 3", "Bids above"),
        ("turn_order", "pass", "bid 3", "Auctions left"),
        ("select_actions", "action engineer", "action locomotive > engineer", "Another action"),
        ("build_track", "build nothing", "build B1 NE-S", "No track"),
        ("build_track", "build B1 NE-S", "build B1 NE-S; D1 N-S", "Less track"),
        ("build_track", "build B1 NE-S; D1 N-S", "build nothing", "More track"),
        ("build_track", "build B1 NE-S", "build D1 N-S", "Track in another place"),
        ("move_goods", "loco", "move red A1 > B2", "The engine raised"),
        ("move_goods", "move red A1 > B2", "loco", "A delivery, where"),
        ("move_goods", "move red A1 > B2", "move blue A1 > B2", "Another cube"),
        ("actions", "cash", "contract 12", "A contract was worth more"),
        ("actions", "track A1 N-S", "track A2 N-S", "Track in another place"),
        ("bonus", "bonus skip", "bonus track A2 N-S", "Track was worth more"),
        ("move_goods", "", "lift red A1", "Something else was worth more"),
    ],
)
def test_the_kind_follows_from_both_orders(phase: str, played: str, better: str, sentence: str) -> None:
    assert said(phase, played, better).startswith(sentence)
