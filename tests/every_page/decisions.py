"""Kept games, played once more through the service and stopped at every kind of decision."""

from collections.abc import Iterator

from pbem.engine.record import Record
from tests.late_game import opened, play
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.web.site import Site

NAMES = ("Ann", "Wolfgangamadeus", "Cleo", "Maximiliane", "Eva", "Finn", "Gus")
"""Of people; two have a long one that cannot be broken between words."""
Kind = tuple[str, str]
"""The phase, and the first word of what was ordered."""


def kept(name: str) -> Record:
    return load(GAMES / f"{name}{SUFFIX}").record


def games_of(slug: str) -> list[str]:
    """The names of the kept games of a sheet."""
    return [path.name.removesuffix(SUFFIX) for path in sorted(GAMES.glob(f"{slug}-*{SUFFIX}"))]


def late_ones(record: Record) -> dict[int, Kind]:
    """By its number an order late in the game for every kind that was asked."""
    kinds: dict[Kind, list[int]] = {}
    for number, entry in enumerate(record.turns):
        kinds.setdefault((entry.phase, entry.orders.partition(" ")[0]), []).append(number)
    return {numbers[len(numbers) * 2 // 3]: kind for kind, numbers in kinds.items()}


def stops(site: Site, record: Record, wanted: dict[int, Kind]) -> Iterator[tuple[int, Kind]]:
    """Play a game and stop before each of the orders that are wanted, last of all at the end of the game."""
    site.game, done = opened(site.office, record, site.now, NAMES[: len(record.players)], "All decisions"), 0
    for number in (*sorted(wanted), len(record.turns)):
        play(site.office, site.game, record.turns[done:number], site.now, done)
        yield number, wanted.get(number, ("over", ""))
        done = number
