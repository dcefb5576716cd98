"""What kinds of letter are told by the rooms above them."""

from functools import cached_property

from sqlalchemy import select
from typing_extensions import override

from pbem.engine.sheet import State
from pbem.engine.text import Say
from pbem.service.base.work import GameReader
from pbem.service.email_in import mail_acts
from pbem.service.games import ballots, game_lists, takeback, trials, views
from pbem.service.letters import kinds
from pbem.service.letters.kinds import Context
from pbem.service.turns import standing_orders
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, Seat, Vote
from pbem.views.games import Attempt, GameLine, GameView
from pbem.views.people import BackView, VoteView


class LetterContext(Context):
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
