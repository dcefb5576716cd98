"""What a letter says: from its row to the values its templates are given."""

from datetime import datetime
from functools import cached_property, partial
from types import SimpleNamespace

from msgspec.structs import asdict
from sqlalchemy import bindparam, select
from sqlalchemy.orm import aliased
from typing_extensions import override

from pbem.engine import Question, Say, State, Value
from pbem.language import reading
from pbem.service.base import GameReader, NoSuch, Office, queries
from pbem.service.email_in import mail_acts
from pbem.service.games import ballots, game_lists, takeback, trials, views
from pbem.service.letters import kinds, talk
from pbem.service.letters.kinds import Context, LetterKind
from pbem.service.people import accounts
from pbem.service.turns import standing_orders
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Account, Game, Letter, Seat, Vote
from pbem.views.games import Attempt, GameLine, GameView
from pbem.views.letters import AskedQuestion, Envelope, LetterView, Links
from pbem.views.people import BackView, VoteView

_EARLIER = aliased(Letter)
_THREAD = (
    select(_EARLIER.message_id)
    .where(
        _EARLIER.account_id == Letter.account_id,
        _EARLIER.game_id == Letter.game_id,
        _EARLIER.id < Letter.id,
        _EARLIER.status == Sending.SENT,
        _EARLIER.message_id != "",
    )
    .order_by(_EARLIER.id)
    .limit(1)
)
"""The Message-ID of the first letter that was sent to the reader about the game: the others answer it."""
_WITH_ITS_GAME = (
    select(Letter, Account, Game, _THREAD.scalar_subquery())
    .select_from(Letter)
    .join(Account, Account.id == Letter.account_id)
    .outerjoin(Game, Game.id == Letter.game_id)
    .where(Letter.id == bindparam("letter"))
)


class LetterContext(Context):
    """What kinds of letter are told by the rooms above them."""

    @cached_property
    @override
    def view(self) -> GameView:
        return self._position if self.attempt is None else self.attempt.game

    @cached_property
    @override
    def attempt(self) -> Attempt | None:
        tries = kinds.of(self.letter).tries()
        if tries is None:
            return None
        text, seed = tries
        return trials.attempt(self._position, self.colour, seed, text)

    @property
    def before(self) -> State:
        """The state before the last order of the view, ``None`` after the deal."""
        if self.attempt is not None and self.attempt.before is not None:
            return self.attempt.before
        view = self._position
        if view.state is None or view.version == 0:
            return None
        return views.state_at(self.session, view, view.version - 1)

    @cached_property
    def _position(self) -> GameView:
        part = kinds.of(self.letter).log(self)
        return views.game_view(self.session, self.game.id, self.letter.version, self.colour, part)

    @override
    def position(self, number: int) -> State:
        return views.state_at(self.session, self.view, number)

    @override
    def vote(self, number: int) -> VoteView:
        return ballots.shown(GameReader(self.session, self.game, self.now), self.session.get_one(Vote, number))

    @override
    def kept(self, submission: int) -> tuple[Say, ...]:
        return standing_orders.taken_words(
            self.view.sheet.unit, standing_orders.of_submission(self.session, submission)
        )

    @override
    def clashes(self, submission: int) -> tuple[Say, ...]:
        return views.clashes_of(self.session, submission)

    @override
    def ahead(self) -> tuple[Say, ...]:
        return standing_orders.taken_words(
            self.view.sheet.unit, standing_orders.waiting_of(self.session, self.game.id, self.colour)
        )

    @override
    def back(self) -> BackView | None:
        seat = self.seat
        return None if seat is None else takeback.may_take_back(GameReader(self.session, self.game, self.now), seat)

    @override
    def words(self) -> tuple[str, ...]:
        seat = self.seat
        if seat is None or not seat.colour:
            return ()
        return mail_acts.usable(GameReader(self.session, self.game, self.now), self.account, seat.number)

    @override
    def running_games(self) -> tuple[GameLine, ...]:
        mine = select(Game).join(Seat).where(Seat.account_id == self.account.id, Game.status == GameStatus.RUNNING)
        games = self.session.scalars(mine.options(*game_lists.BRIEF)).all()
        lines = game_lists.lines(self.office, self.session, games, self.account.id)
        return tuple(sorted(lines, key=lambda line: (line.deadline is None, line.deadline or line.opened_at, line.id)))


class Draft(Value):
    """A letter about to be made: its values, and the position before the one it shows (for the picture)."""

    view: LetterView
    before: State = None


def letter(office: Office, letter_id: int, now: datetime) -> Draft:
    """The values of a letter, in the language of its reader. Raises :class:`NoSuch`."""
    with office.read() as session:
        queries.begin_look(session)
        found = session.execute(_WITH_ITS_GAME, {"letter": letter_id}).one_or_none()
        if found is None:
            raise NoSuch(f"There is no letter {letter_id}.")
        row, account, game, thread = found
        context = LetterContext(office, session, row, account, now)
        if game is not None:
            context.game = game
        with reading(account.language):
            return _draft(context, thread or "")


def _draft(context: LetterContext, thread: str) -> Draft:
    row, kind = context.letter, kinds.of(context.letter)
    envelope = _envelope(context, kind, thread)
    own = asdict(kind) | kind.values(context)
    if row.game_id is None:
        return Draft(LetterView(envelope, _links(context, kind, None), SimpleNamespace(**own)))
    question = kind.question(context)
    view = LetterView(
        envelope,
        _links(context, kind, question),
        SimpleNamespace(**own),
        game=context.view,
        seat=context.colour,
        seat_number=row.seat_number,
        asked=_asked(kind, context, question),
        moves=kind.moves(context),
        confirmed=kind.confirmed(context),
        talk=talk.since_last_letter(context.session, row),
    )
    return Draft(view, context.before if kind.pictured and envelope.pictures == "inside" else None)


def _envelope(context: LetterContext, kind: LetterKind, thread: str) -> Envelope:
    row, account = context.letter, context.account
    to, name = kind.addressee(context)
    return Envelope(
        id=row.id,
        kind=row.kind,
        to=to,
        name=name,
        now=context.now,
        zone=account.zone,
        language=account.language,
        message_id=row.message_id,
        thread_id=thread,
        reply_to="" if kind.to_deleted else context.addresses.reply(row.id),
        pictures=account.pictures,
        look=accounts.look_of(account),
    )


def _links(context: LetterContext, kind: LetterKind, question: Question | None) -> Links:
    to, row, page = context.addresses, context.letter, kind.page(context, question)
    reply = to.reply(row.id) if page else ""
    common = {"account": to.account(), "reply": reply, "by_email": to.by_email(), **_unsubscribe(context, kind)}
    if row.game_id is None:
        return Links(lobby=to.lobby(), **common)
    game, seat = context.game, context.seat
    return Links(
        turn=page,
        game=to.game(game.id),
        map=to.map(game.map),
        rulings=to.rulings(game.game),
        seat=to.seat(game.id, seat.number, seat.holder) if seat else "",
        orders=to.notation(game.game) if question else "",
        **common,
    )


def _unsubscribe(context: LetterContext, kind: LetterKind) -> dict[str, str]:
    """Nothing ends letters that were asked for, nor the last one."""
    if kind.always_sent or kind.to_deleted:
        return {}
    to, row = context.addresses, context.letter
    page = to.unsubscribe(context.account.id, row.game_id or "", row.kind)
    return {"unsubscribe": page, "unsubscribe_by_mail": to.unsubscribe_by_mail(row.id)}


def _asked(kind: LetterKind, context: LetterContext, question: Question | None) -> AskedQuestion | None:
    if question is None:
        return None
    view = context.view
    page = partial(context.addresses.turn, view.id, question.seat, view.version)
    return AskedQuestion(question, page, kind.answers(context, question))
