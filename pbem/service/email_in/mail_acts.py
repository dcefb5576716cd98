"""What the words of an email do that change something: undo, pause, away, resign, votes, and what is said and noted.

What cannot be undone is asked back, and done when that email is answered with yes. So is everything that comes from an
address which is none of the reader's.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from types import MappingProxyType

from pbem.engine import Say, Value, say, say_to_json
from pbem.language import email_words
from pbem.service.base import BadInput, GameReader, NewLetter, NotNow, Office, queries, rate_limits
from pbem.service.clocks import game_clock
from pbem.service.email_in import days, mail_words
from pbem.service.email_in.mail_words import Parts
from pbem.service.email_in.replies import Sender
from pbem.service.games import ballots, departures, pauses, takeback, votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters import refusals, talk
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.answers import MORE, AskedBack, Done, NotTaken
from pbem.service.people import absences
from pbem.service.turns import standing_orders
from pbem.store.statuses import GameStatus, VoteStatus
from pbem.store.tables import Account, Ballot, Vote

NO_DAY = absences.NO_DAY


class Asks(Value):
    """Something that an email asks for. ``meant``: it has been asked back, and confirmed."""

    sender: Sender
    word: str
    first: date | None = None
    last: date | None = None
    vote: int | None = None
    meant: bool = False


def act(office: Office, sender: Sender, said: Parts, stranger: str, now: datetime) -> None:
    """Do what was asked besides orders, and tell the reader. ``stranger``: the address it came from, if that is none
    of the reader's. A mail that comes twice does it once. What cannot be done is told."""
    rate_limits.note(office, rate_limits.ORDERS, f"{sender.game}:{sender.colour}", now)

    def done() -> LetterKind | None:
        if said.talk:
            talk.post(office, sender.game, sender.number, said.talk, now, sender.source)
        if said.note:
            talk.write_note(office, sender.game, sender.account, said.note, now)
        asks = _asked(office, sender, said, now)
        return _asked_back(asks, stranger) if stranger and asks.word else _do(office, asks, now)

    _do_and_tell(office, sender, done, now)
    _tell(office, sender, said.asked, now)


def confirm(office: Office, sender: Sender, asked: AskedBack, yes: bool, now: datetime) -> None:
    """The answer to a letter that has asked back. ``yes``: do it; otherwise nothing is done."""
    asks = Asks(sender, asked.what, asked.first, asked.last, asked.vote, meant=True)
    _do_and_tell(office, sender, lambda: _do(office, asks, now) if yes else Done("kept"), now)


def waiting_votes(look: GameReader, number: int) -> list[Vote]:
    return [
        vote
        for vote in ballots.open_votes(look)
        if number in [seat.number for seat in ballots.voters(look, vote)]
        and look.session.get(Ballot, (vote.id, number)) is None
    ]


def usable(look: GameReader, account: Account, number: int) -> tuple[str, ...]:
    """The words that do something now in an email of this seat, of those that only their game or the moment allows,
    with ``help`` and the others that are always answered first."""
    game, seat = look.game, look.numbered(number)
    asked = game.to_act == seat.colour and game.status == GameStatus.RUNNING
    words = [*(word for word in mail_words.ASKED if asked or word != MORE), "say", "note", mail_words.AWAY]
    if absences.announced(look.session, account, look.now):
        words.append(mail_words.BACK)
    if game.status != GameStatus.RUNNING:
        return tuple(words)
    if asked:
        words.append("try")
    words += (*email_words.ABOUT_PLACES, mail_words.MAP)
    back = takeback.may_take_back(look, seat)
    if back is not None and back.no is None:
        words.append(mail_words.UNDO)
    if standing_orders.waiting_rows(look.session, game.id, seat.colour):
        words.append("cancel")
    if waiting_votes(look, number):
        words += [mail_words.YES, mail_words.NO]
    return (*words, mail_words.PAUSE if game.paused_at is None else mail_words.RESUME, mail_words.RESIGN)


def _asked(office: Office, sender: Sender, said: Parts, now: datetime) -> Asks:
    """What an email asks for, its days read. Raises ``NotNow`` for what is no day."""
    if said.word not in (mail_words.PAUSE, mail_words.AWAY):
        return Asks(sender, "" if said.word in mail_words.ASKED else said.word)
    with office.read() as session:
        today = game_clock.today(queries.account(session, sender.account), now)
    first, last = days.read(said.first, today), days.read(said.last, today)
    if (said.first and first is None) or (said.last and last is None):
        raise NotNow(NO_DAY)
    if first is not None and last is not None and last < first and not _has_year(said.last):
        last = days.read(f"{said.last} {first.year + 1}", today) or last
    return Asks(sender, said.word, first, last)


def _has_year(text: str) -> bool:
    return any(len(part) == 4 and part.isdigit() for part in text.replace("-", " ").split())


def _do(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    return ACTS[asks.word](office, asks, now) if asks.word else None


def _asked_back(asks: Asks, stranger: str = "") -> AskedBack:
    return AskedBack(asks.word, asks.first, asks.last, asks.vote, stranger)


def _undo(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    game, number = asks.sender.game, asks.sender.number
    with office.read() as session:
        look = GameReader(session, queries.game(session, game), now)
        back = takeback.may_take_back(look, look.numbered(number))
    if back is not None and back.until is None and back.no is None and not back.alone:
        if not asks.meant:
            return _asked_back(asks)
        return _vote_asked(office, asks, votes.ask(office, game, number, TakingBack(), now))
    takeback.take_back(office, game, number, now)
    return Done("undone", orders=takeback.short(back.orders) if back else "")


def _pause(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    return _vote_asked(office, asks, votes.ask(office, asks.sender.game, asks.sender.number, Pausing(asks.last), now))


def _resume(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    with office.read() as session:
        if queries.game(session, asks.sender.game).paused_at is None:
            raise NotNow(say("The game is not paused."))
    pauses.end(office, asks.sender.game, asks.sender.number, now)
    return None


def _away(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    assert asks.first is not None
    assert asks.last is not None
    absences.add(office, asks.sender.account, asks.first, asks.last, now)
    return Done("away", asks.first, asks.last)


def _back(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    found = absences.of(office, asks.sender.account, now)
    if not found:
        raise NotNow(say("You have not announced an absence."))
    absences.remove(office, asks.sender.account, found[0].id, now)
    return Done("back", found[0].first, found[0].last)


def _resign(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    if not asks.meant:
        return _asked_back(asks)
    departures.resign(office, asks.sender.game, asks.sender.number, now)
    return Done("resigned")


def _vote(office: Office, asks: Asks, now: datetime) -> LetterKind | None:
    """Answer the vote that is meant: the one that has asked, or the only one that waits, which is asked back."""
    sender, number = asks.sender, asks.vote
    if number is None:
        with office.read() as session:
            look = GameReader(session, queries.game(session, sender.game), now)
            waiting = [vote.id for vote in waiting_votes(look, sender.number)]
        if not waiting:
            raise NotNow(say("No vote of this game waits for your answer."))
        if len(waiting) > 1:
            raise NotNow(
                say("Several votes wait for your answer. Reply to the email that asks about the one you mean.")
            )
        return AskedBack(asks.word, vote=waiting[0])
    votes.answer(office, sender.game, number, sender.number, asks.word == mail_words.YES, now)
    return Done("voted", vote=number)


def _vote_asked(office: Office, asks: Asks, vote: int) -> LetterKind | None:
    """The others were asked; what nobody had to decide is told by what came of it."""
    with office.read() as session:
        waits = session.get_one(Vote, vote).status == VoteStatus.OPEN
    return Done("asked", vote=vote) if waits else None


ACTS: Mapping[str, Callable[[Office, Asks, datetime], LetterKind | None]] = MappingProxyType(
    {
        mail_words.UNDO: _undo, mail_words.PAUSE: _pause, mail_words.RESUME: _resume, mail_words.AWAY: _away,
        mail_words.BACK: _back, mail_words.RESIGN: _resign, mail_words.YES: _vote, mail_words.NO: _vote,
    }
)  # fmt: skip


def vote(office: Office, sender: Sender, number: int, yes: bool, stranger: str, now: datetime) -> None:
    asks = Asks(sender, mail_words.YES if yes else mail_words.NO, vote=number)
    _do_and_tell(office, sender, lambda: _asked_back(asks, stranger) if stranger else _do(office, asks, now), now)


def _do_and_tell(office: Office, sender: Sender, done: Callable[[], LetterKind | None], now: datetime) -> None:
    try:
        told = done()
    except NotNow as refused:
        told = NotTaken(sender.letter, say_to_json(refused.sentence))
    except BadInput as bad:
        told = NotTaken(sender.letter, say_to_json(bad.problems[0].sentence))
    _tell(office, sender, told, now)


def _tell(office: Office, sender: Sender, told: LetterKind | None, now: datetime) -> None:
    if told is None:
        return
    key = f"{told.kind}:{sender.source}"
    with office.game(sender.game, now) as work:
        seat = work.numbered(sender.number)
        if seat.account_id == sender.account:
            refusals.tell_asked(work, seat, told, key)
        else:  # the seat has just been left
            work.write(NewLetter(told, key, sender.account, game=work.game))


def nothing(office: Office, letter_id: int, account: int, why: Say, now: datetime) -> None:
    """Tell the reader of a letter that nothing could be done with a reply to it: once an hour, whatever comes."""
    with office.work(now) as work:
        if not refusals.answered_within_the_hour(work, account):
            told = NotTaken(letter_id, say_to_json(why))
            work.write(NewLetter(told, f"not-taken:{letter_id}:{now:%Y%m%d%H%M%S}", account))
