"""What players say to each other in a game, and what each writes down for nobody else."""

import unicodedata
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.service.base import BadInput, GameWork, NotNow, Office, Problem, queries
from pbem.service.letters import kinds
from pbem.service.letters.kinds.talk import Talk, unread
from pbem.store.statuses import GameStatus
from pbem.store.tables import GameNotification, Letter, Note, Post, Seat
from pbem.store.upserts import insert_unless_known
from pbem.views.people import PostView

LONGEST_POST = 2_000
LONGEST_NOTE = 10_000
MOST_LINES = 60
AT_ONCE, WITHIN = 20, timedelta(hours=1)
"""How much one player may say in a game within a time: everybody gets it by mail."""
SHOWN = 50
IN_A_LETTER = 20


def post(office: Office, game_id: str, number: int, text: str, now: datetime, source: str | None = None) -> None:
    """Say something as the player of a seat; it goes out with the next letters of the game.

    ``source``: where it comes from, if it may come from there twice: it is said once.

    Raises :class:`BadInput` for field ``say``, :class:`NotNow` for too much at once or a game that is cancelled.
    """
    text = spoken(text, "say", LONGEST_POST)
    if not text:
        raise BadInput(Problem("say", say("Write something first.")))
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.status == GameStatus.CANCELLED or seat.account_id is None:
            raise NotNow(say("You cannot talk in this game."))
        lately = select(func.count()).where(
            Post.game_id == game_id, Post.account_id == seat.account_id, Post.at > now - WITHIN
        )
        if work.session.scalars(lately).one() >= AT_ONCE:
            raise NotNow(say("You have posted {n} times within an hour. Wait a little.", n=AT_ONCE))
        values = {
            "game_id": game_id, "account_id": seat.account_id, "colour": seat.colour, "name": seat.name, "text": text,
            "at": now, "source": source or None,
        }  # fmt: skip
        number_of_post = insert_unless_known(work.session, Post, "source", values)
        if number_of_post is not None:
            seat.talk_read = number_of_post
            for other in _told_at_once(work, seat):
                work.write_to(other, Talk(), f"talk:{number_of_post}:{other.account_id}")


def read(office: Office, game_id: str, number: int, up_to: int, now: datetime) -> None:
    """The player of a seat has read what was said up to a post. Raises ``NoSuch`` for no such game or seat."""
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        last = work.session.scalar(select(func.max(Post.id)).where(Post.game_id == game_id, Post.id <= up_to))
        seat.talk_read = max(seat.talk_read, last or 0)


def said(office: Office, game_id: str) -> tuple[PostView, ...]:
    with office.read() as session:
        query = select(Post).where(Post.game_id == game_id).order_by(Post.id.desc()).limit(SHOWN)
        return tuple(_shown(row) for row in reversed(session.scalars(query).all()))


def pick_up(session: Session, letter: Letter, last: int | None) -> None:
    """A letter is about to be written: it carries what has been said until now. ``last``: the last post of its game."""
    if last and kinds.named(letter.kind).carries_talk:
        habit = session.get(GameNotification, (letter.account_id, letter.game_id))
        if habit is None or habit.talk != "never":
            letter.talk_up_to = last


def _told_at_once(work: GameWork, speaker: Seat) -> list[Seat]:
    """The seats of those who want a letter for everything that is said, but for who has said it."""
    query = select(GameNotification.account_id).where(
        GameNotification.game_id == work.game.id, GameNotification.talk == "once"
    )
    readers = set(work.session.scalars(query)) - {speaker.account_id}
    return [seat for seat in work.seats if seat.account_id in readers]


def since_last_letter(session: Session, letter: Letter) -> tuple[PostView, ...]:
    """What others said after the last letter about this game that has left for the same reader."""
    if not letter.talk_up_to:
        return ()
    fresh = unread(letter).where(Post.id <= letter.talk_up_to)
    latest = session.scalars(fresh.order_by(Post.id.desc()).limit(IN_A_LETTER)).all()
    return tuple(_shown(row) for row in reversed(latest))


def carried(session: Session, letter: Letter) -> bool:
    """Whether others said something that stood in a letter which has left."""
    if not letter.talk_up_to:
        return False
    same = (Letter.account_id == letter.account_id, Letter.game_id == letter.game_id, Letter.id < letter.id)
    before = session.scalar(select(func.max(Letter.talk_up_to)).where(*same)) or 0
    fresh = select(Post.id).where(
        Post.game_id == letter.game_id, Post.id > before, Post.id <= letter.talk_up_to,
        Post.account_id != letter.account_id,
    )  # fmt: skip
    return session.scalar(fresh.limit(1)) is not None


def note(office: Office, game_id: str, account_id: int) -> str:
    with office.read() as session:
        row = session.get(Note, (game_id, account_id))
        return "" if row is None else row.text


def write_note(office: Office, game_id: str, account_id: int, text: str, now: datetime) -> None:
    """Keep a note in place of the one before. Raises :class:`BadInput` for field ``note``, ``NoSuch`` for no game."""
    text = spoken(text, "note", LONGEST_NOTE, lines=1_000)
    with office.work(now) as work:
        queries.locked(work.session, game_id)
        row = work.session.get(Note, (game_id, account_id))
        if row is None:
            work.session.add(Note(game_id=game_id, account_id=account_id, text=text, changed_at=now))
        else:
            row.text, row.changed_at = text, now


def spoken(text: str, field: str, longest: int, lines: int = MOST_LINES) -> str:
    """Text of people as it is kept: line breaks as ``\\n``, nothing that turns or hides the letters around it."""
    if len(text) > longest + 1_000:
        raise BadInput(_too_long(field, longest))
    kept = "\n".join(_line(line) for line in text.splitlines()).strip()
    if len(kept) > longest:
        raise BadInput(_too_long(field, longest))
    if kept.count("\n") >= lines:
        raise BadInput(Problem(field, say("This has more than {n} lines.", n=lines)))
    return kept


def _line(line: str) -> str:
    shown = (c if c == "\t" or unicodedata.category(c) not in HIDDEN or c in JOINERS else "" for c in line)
    return unicodedata.normalize("NFC", "".join(shown)).replace("\t", "    ").rstrip()


HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
JOINERS = "\u200c\u200d"
"""Parts of words in some languages and of compound signs."""


def _too_long(field: str, longest: int) -> Problem:
    return Problem(field, say("This is longer than {n} characters.", n=longest))


def _shown(row: Post) -> PostView:
    return PostView(row.id, row.colour, row.name, row.text, row.at)
