"""The words for what is numbered in a game, in every language, and where a text numbers with them."""

import re

GAMES = ("age-of-steam", "steam-power")
WORDS = {
    "en": {"age-of-steam": "turn", "steam-power": "round"},
    "es": {"age-of-steam": "turno", "steam-power": "ronda"},
    "pl": {"age-of-steam": "tur(?:a|y|ze|ę|ą)", "steam-power": "rund(?:a|y|zie|ę|ą)"},
    "pt": {"age-of-steam": "turno", "steam-power": "rodada"},
}
OF_MOVING_GOODS = 2
"""Rounds that a turn of Age of Steam has itself."""


def numbered(text: str, game: str, code: str) -> list[str]:
    """Where a text says "turn 3", or "round 3", whichever is the word of the game."""
    return re.findall(rf"\b{WORDS[code][game]} \d+", text, re.IGNORECASE)


def strange(text: str, game: str, code: str) -> list[str]:
    """Where a text about a game numbers with the word of the other one."""
    (other,) = {*GAMES} - {game}
    found = numbered(text, other, code)
    return [one for one in found if game == "steam-power" or int(one.split()[-1]) > OF_MOVING_GOODS]
