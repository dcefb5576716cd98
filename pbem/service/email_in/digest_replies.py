"""Replies to a digest: orders and words for one of its games, or for several, each below a line with its name.

Where a digest has told of one game only, all of a reply is for that. Nothing is guessed: text that could be meant for
more than one game is told how games are named, and nothing of that email is played.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Say, say
from pbem.service.email_in import replies
from pbem.service.email_in.replies import Sender
from pbem.service.letters.kinds.questions import Digest
from pbem.service.turns.closings import plain_letters, without_greeting
from pbem.store.statuses import PLAYING
from pbem.store.tables import Game, Letter, Seat

WHICH = say(
    "That email was about several games, so nothing was played. Write the name of the game on a line of its own above"
    " the orders for it: {games}.",
    games="",
)
SAME_NAME = say(
    "Several of your games are called {game}, so nothing was played. Reply to an email of the game you mean.", game=""
)
NO_GAME = say("None of the games in that email is yours to play now, so nothing was done with your reply.")


Listed = tuple[str, Sender]
"""A game of a digest that its reader still plays: its title, and who answers."""


def listed(session: Session, letter: Letter, digest: Digest, message_id: str, key: str) -> Sequence[Listed]:
    """The games of a digest in which its reader has a seat: what is said to each is an answer of its own."""
    found = []
    for game, version in digest.asked.items():
        query = select(Game.title, Seat).join(Seat).where(
            Game.id == game, Game.status.in_(PLAYING), Seat.account_id == letter.account_id, Seat.colour != ""
        )  # fmt: skip
        for title, seat in session.execute(query):
            named = f"{message_id}|{game}" if message_id else ""
            found.append((title, replies.of_seat(letter.id, seat, version, named, f"{key}|{game}")))
    return found


def parts(games: Sequence[Listed], told_of: int, text: str) -> Sequence[tuple[Sender, str]] | Say:
    """What is meant for which game, or why that cannot be said. ``told_of``: how many games the digest had."""
    if not games:
        return NO_GAME
    named: dict[str, list[Listed]] = {}
    for game in games:
        named.setdefault(_name(game[0]), []).append(game)
    above: list[str] = []
    below: list[tuple[Sender, list[str]]] = []
    for line in text.splitlines():
        if (meant := named.get(_name(line))) is None:
            (below[-1][1] if below else above).append(line)
        elif len(meant) > 1:
            return Say(SAME_NAME.one, {"game": meant[0][0]})
        else:
            below.append((meant[0][1], []))
    if not below:
        return [(games[0][1], text)] if told_of == 1 else _which(games)
    if without_greeting("\n".join([*above, "end"])).strip() != "end":
        return _which(games)
    found = [(sender, said) for sender, lines in below if (said := "\n".join(lines).strip())]
    return found or _which(games)


def _which(games: Sequence[Listed]) -> Say:
    return Say(WHICH.one, {"games": ", ".join(dict.fromkeys(title for title, _ in games))})


def _name(line: str) -> str:
    """The name of a game as people write it: whatever its case, accents, quotes, and a colon behind it."""
    return " ".join(plain_letters(line).replace("*", " ").split()).strip(" :.\"'“”„«»<>")
