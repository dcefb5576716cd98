"""The position as others read it."""

from tests.age_of_steam.table import RUST_BELT, position


def test_only_who_was_eliminated_is_out() -> None:
    """R66: ``out`` holds the turn of the elimination, 0 for whoever is in the game."""
    players = RUST_BELT.position(position(green={"out": 2}))["players"]
    assert {seat: player["out"] for seat, player in players.items()} == {"blue": False, "green": True, "yellow": False}


def test_a_map_that_deals_no_colours_to_places_does_not_speak_of_them() -> None:
    assert "accepts" not in RUST_BELT.position(position())
