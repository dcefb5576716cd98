"""Kept games, played once more through the service and stopped at every kind of decision."""

from collections.abc import Iterator
from datetime import timedelta

from pbem.engine import catalog
from pbem.engine.record import Record
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening
from pbem.service.orders import submissions
from tests.playthroughs.telling import GAMES, SUFFIX, load
from tests.web.site import Site

NAMES = ("Ann", "Wolfgangamadeus", "Cleo", "Maximiliane", "Eva", "Finn", "Gus")
"""Of people; two have a long one that cannot be broken between words."""
Kind = tuple[str, str]
"""The phase, and the first word of what was ordered."""


def kept(name: str) -> Record:
    """The record of a kept game."""
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
    office, now = site.office, site.now
    offered = {option.key for option in catalog.sheet(record.game, record.map).options()}  # some are kept for old games
    new = opening.NewGame(
        title="All decisions",
        game=record.game,
        map=record.map,
        players=tuple(opening.Invited(f"{name.lower()}@example.org", name) for name in NAMES[: len(record.players)]),
        options={key: value for key, value in record.options.items() if key in offered},
        grace=timedelta(0),
        seed=record.seed,
    )
    site.game = opening.open_game(office, None, new, now)
    for number in range(len(record.players)):
        opening.answer(office, InvitationClaim(site.game, number), True, now)
    for number, entry in enumerate(record.turns):
        if number in wanted:
            yield number, wanted[number]
        submissions.submit(
            office, site.game, submissions.NewSubmission(entry.player, entry.orders, number, "page"), now
        )
        submissions.play_waiting(office, site.game, now)
    assert site.view().version == len(record.turns), f"the kept game stops at order {site.view().version}"
    yield len(record.turns), ("over", "")
