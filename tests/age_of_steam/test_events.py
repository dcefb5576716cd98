"""What is told of a turn."""

from pbem.age_of_steam.events import ActionTaken
from pbem.age_of_steam.events_build import BuildEnded
from pbem.age_of_steam.events_goods import DiceRolled
from pbem.engine.events import Event
from pbem.language.voice import GameVoice
from tests.age_of_steam.table import RUST_BELT, position


def told(event: Event) -> str:
    return event.text().read(GameVoice(RUST_BELT, position(), {"blue": "Ana"}))


def test_an_action_that_changes_the_engine_says_what_it_pulls() -> None:
    assert told(ActionTaken("blue", "engineer")) == "Ana took Engineer."
    assert told(ActionTaken("blue", "locomotive", 2)) == "Ana took Locomotive; the engine pulls 2 links."
    assert told(ActionTaken("blue", "locomotive", 1)) == "Ana took Locomotive; the engine pulls 1 link."


def test_the_end_of_a_build_says_what_was_built_and_paid() -> None:
    assert told(BuildEnded("blue", 0, 0, 9)) == "Ana built no track."
    assert told(BuildEnded("blue", 1, 2, 7, ("S10",))) == "Ana built 1 tile for $2 (S10) and has $7."
    assert told(BuildEnded("blue", 2, 5, 4, ("S10", "R11"))) == "Ana built 2 tiles for $5 (S10 and R11) and has $4."
    assert told(BuildEnded("blue", 1, 5, 4)) == "Ana paid $5 and has $4."


def test_a_roll_says_for_which_half_of_the_display_it_is() -> None:
    assert told(DiceRolled("light", (3, 1))) == "Dice of the light half: 1 and 3."
    assert told(DiceRolled("dark", (2, 6))) == "Dice of the dark half: 2 and 6."
