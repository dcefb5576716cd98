"""Replies to a digest: orders and words for one of its games, or for several, each below a line with its name.

Where a digest has told of one game only, all of a reply is for that. Nothing is guessed: text that could be meant for
more than one game is told how games are named, and nothing of that email is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.text import Say, say
from pbem.service.base.office import Office
from pbem.service.email_in import mail_acts, mail_words, replies
from pbem.service.email_in.replies import Sender
from pbem.service.letters.kinds.questions import Digest
from pbem.service.orders import submissions
from pbem.service.turns.closings import plain_letters, without_greeting
from pbem.store.statuses import PLAYING
from pbem.store.tables import Game, Seat

WHICH = say(
    "That email was about several games, so nothing was played. Write the name of the game on a line of its own above"
    " the orders for it: {games}.",
    games="",
)
SAME_NAME = say(
    "Several of your games are called {game}, so nothing was played. Reply to an email of the game you mean.", game=""
)
NO_GAME = say("None of the games in that email is yours to play now, so nothing was done with your reply.")


@dataclass(frozen=True, slots=True)
class Listed:
    """A game of a digest that its reader still plays. ``version``: of the question that the digest told of."""

    sender: Sender
    title: str
    version: int


@dataclass(frozen=True, slots=True)
class Part:
    """What a reply says to one game."""

    game: Listed
    text: str


def listed(office: Office, letter: int, account: int, digest: Digest, message_id: str) -> Sequence[Listed]:
    """The games of a digest in which its reader still has a seat."""
    with office.read() as session:
        found = [_listed(session, letter, account, game, message_id) for game in digest.asked]
    return [Listed(*row, digest.asked[row[0].game]) for row in found if row is not None]


def _listed(session: Session, letter: int, account: int, game: str, message_id: str) -> tuple[Sender, str] | None:
    query = select(Seat, Game.title).join(Game).where(
        Seat.game_id == game, Seat.account_id == account, Seat.colour != "", Game.status.in_(PLAYING)
    )  # fmt: skip
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    seat, title = row
    return Sender(letter, game, seat.colour, seat.number, account, replies.source_of(letter, message_id, game)), title


def parts(games: Sequence[Listed], told_of: int, text: str) -> Sequence[Part] | Say:
    """What is meant for which game, or why that cannot be said. ``told_of``: how many games the digest had."""
    if not games:
        return NO_GAME
    named: dict[str, list[Listed]] = {}
    for game in games:
        named.setdefault(_name(game.title), []).append(game)
    sections: list[tuple[Listed | None, list[str]]] = [(None, [])]
    for line in text.splitlines():
        if (meant := named.get(_name(line))) is None:
            sections[-1][1].append(line)
        elif len(meant) > 1:
            return Say(SAME_NAME.one, {"game": meant[0].title})
        else:
            sections.append((meant[0], []))
    (_, above), *below = sections
    if not below:
        return [Part(games[0], text)] if told_of == 1 else _which(games)
    if without_greeting("\n".join([*above, "end"])).strip() != "end":
        return _which(games)
    found = [Part(game, said) for game, lines in below if game is not None and (said := "\n".join(lines).strip())]
    return found or _which(games)


def _which(games: Sequence[Listed]) -> Say:
    return Say(WHICH.one, {"games": ", ".join(dict.fromkeys(game.title for game in games))})


def _name(line: str) -> str:
    """The name of a game as people write it: whatever its case, accents, quotes, and a colon behind it."""
    return " ".join(plain_letters(line).replace("*", " ").split()).strip(" :.\"'“”„«»<>")


def take(office: Office, part: Part, stranger: str, now: datetime) -> str:
    """Do what a reply says to one game; returns what was done, for the logs. Raises what ``replies.take`` does."""
    said, sender = mail_words.parts(part.text), part.game.sender
    if said.word or said.talk or said.note:
        mail_acts.act(office, sender, said, stranger, now)
        if not said.orders:
            return said.word or "said"
    if (orders := replies.to_try(said.orders)) is not None:
        replies.try_for(office, sender, orders, now)
        return "tried"
    new = submissions.NewSubmission(sender.colour, said.orders, part.game.version, "mail", source=sender.source)
    return f"submission {submissions.submit(office, sender.game, new, now)}"
