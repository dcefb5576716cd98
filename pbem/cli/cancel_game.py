"""Cancel a game that is not over, whatever its players want; they get an email.

One that has not started is called off. One that is played ends at once: it goes to the archive with the standings so
far, changes nobody's rating, and counts in its league as it stands. You are asked to confirm it.
"""

import argparse
from datetime import UTC, datetime

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.cli._terminal import Failure
from pbem.service.games import cancelling


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME-ID", help="the id of the game, as in its address")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        game = cancelling.look(opened, args.game)
        stands = game.sheet.unit.nth(game.turn) if game.started else "not started"
        print(f"{game.title}: {game.sheet.full_name}, {stands}")
        print(f"Players: {', '.join(game.players) or 'none'}")
        if _terminal.typed(_happens(game), "the id of the game", game.id, sure=args.yes) != game.id:
            raise Failure("Nothing was changed: this is not the id of the game.")
        cancelling.cancel(opened, game.id, datetime.now(UTC))
        print("The game is cancelled.")
    return 0


def _happens(game: cancelling.Cancelling) -> list[str]:
    if not game.started:
        return ["The game does not start; its page and the talk are kept.", "Everybody in it gets an email."]
    return [
        "The game ends at once and goes to the archive with the standings so far; the dice are revealed.",
        f"Nobody's rating changes.{' In its league the game counts as it stands.' if game.league else ''}",
        "All players get an email.",
    ]
