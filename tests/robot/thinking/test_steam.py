"""Steam Power: what others are paid, what a factory in reach saves, and a game against two plain robots."""

from dataclasses import replace

from bench.tournament import thinker, tournament
from pbem.engine import catalog
from pbem.robot.thinking import CHARACTERS, decide
from pbem.robot.thinking.railway import Line, Works, groups_of, view, worth
from tests.every_map.games import deal


def test_one_against_two_plain_robots_does_better_than_they_do() -> None:
    result = tournament(catalog.sheet("steam-power", "ireland"), 3, range(2), thinker(CHARACTERS["rufus"]))
    assert result.mean > result.others_mean


def test_a_connection_to_a_factory_makes_contracts_worth_more() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    seen = view(sheet, state, seat)
    black = next(label for label, works in seen.works.items() if works.colour == "black")
    other = next(label for label in seen.works if seen.groups[label] != seen.groups[black])
    furnished = replace(seen, works={**seen.works, black: Works("black", "red", 5)})
    assert worth(replace(furnished, lines=(Line((black, other), seen.company),))) > worth(furnished)


def test_money_has_a_worth_that_falls_when_there_is_plenty() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seen = replace(view(sheet, state, sheet.to_act(state) or ""), hand=())
    values = [worth(replace(seen, cash=cash, points=cash // 5)) for cash in (0, 5, 30, 35)]
    assert values[1] - values[0] > values[3] - values[2] > 0


def test_cities_that_touch_are_one_group() -> None:
    scene = catalog.sheet("steam-power", "ireland").scene(deal(catalog.sheet("steam-power", "ireland"), 1, 3))
    groups = groups_of(scene)
    for label, group in groups.items():
        for beside in scene.board.neighbours[label]:
            assert beside not in groups or groups[beside] == group


def test_nobody_gathers_money_for_ever() -> None:
    """Seen among three of them: all took cash, turn after turn, and the game did not end."""
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    rich = state.with_cash(seat, 40)
    assert decide(sheet, rich, CHARACTERS["rufus"], "s").order != "cash"
