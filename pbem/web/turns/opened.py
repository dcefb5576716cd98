"""A turn page that was opened: whose link it is, whether its question still stands, and which one stands now."""

from dataclasses import dataclass
from typing import Any

from flask import render_template, url_for
from werkzeug.exceptions import NotFound

from pbem.engine import Question, say
from pbem.service import BadToken, NoSuch
from pbem.service.base.tokens import PlanClaim, TurnClaim
from pbem.service.games import answering, seat_changes, views
from pbem.service.games.answering import GameProgress
from pbem.store.statuses import GameStatus
from pbem.views import defaults
from pbem.views.games import GameView, MoveView, SeatView, SubmissionView, TableView
from pbem.web.base import summaries
from pbem.web.base.context import office, read_as, read_as_seat
from pbem.web.base.forms import NotAllowed
from pbem.web.boards import keys
from pbem.web.boards.pictures import in_game
from pbem.web.turns import explain, onward
from pbem.web.turns.addresses import Addresses, turn_page
from pbem.web.turns.done import Done, just_done
from pbem.web.turns.then import Then


@dataclass(frozen=True, slots=True)
class OpenedPage:
    token: str
    claim: TurnClaim | PlanClaim
    game: GameView
    player: SeatView

    @property
    def open(self) -> bool:
        """Whether the game still stands where the link was made; a link for planning is open for its turn."""
        game = self.game
        turn, running = game.sheet.turn(game.state), game.status == GameStatus.RUNNING
        stands = GameProgress(game.id, running, game.version, turn, game.waiting_for)
        return Answer(self.claim, stands, self.player).open

    @property
    def version(self) -> int | None:
        """The position the link was made for, ``None`` for a link for planning."""
        return _version(self.claim)

    @property
    def own(self) -> bool:
        """Whether the player whose link it is is logged in: then it may lead on to other questions."""
        return onward.is_own(self.game.id, self.player)

    @property
    def addresses(self) -> Addresses:
        return Addresses(turn_page(self.token), in_game(self.game.id, self.game.version))

    def besides(self) -> dict[str, Any]:
        """The field for orders that follow, what was done right before, and how the decision is explained."""
        return {
            "then": Then.of(self.game, self.claim.seat),
            "done": just_done(self.game, self.player),
            "explain": explain.of(self.game, self.claim.seat, self.token) if self.version is not None else None,
        }

    def page(self, template: str, as_if: GameView | None = None, **values: Any) -> str:
        """The page with what all turn pages need. ``as_if``: the game as it is imagined, instead of as it stands.

        A link that has served shows no more than everybody may read, but to its player, and to who has just answered
        with it (``goes_on`` among the values).
        """
        seat = self.claim.seat if self.open or self.own or values.get("goes_on") else ""
        game = (as_if or self.game).seen_by(seat)
        shared = {
            "private": True,
            "game": game,
            "voice": game.voice,
            "player": self.player,
            "token": self.token,
            "answer_at": self.addresses.page,
            "try_at": url_for("trials.turn_begin", token=self.token) if self.open else "",
            "words_at": url_for("turns.in_words", token=self.token) if self.open else "",
            "since": self._since(game, values.get("done")),
            "fresh": game.sheet.drawn_cards(seat, summaries.news_of(game, seat)),
        }
        return render_template(template, **(shared | values))

    def _since(self, game: TableView, done: Done | None) -> tuple[MoveView, ...]:
        """What has happened since the player's last turn, but for what stands on top of the page."""
        told = (done.sent.move or 0) + done.sent.moves - 1 if done else 0
        return tuple(move for move in summaries.since(game, self.claim.seat) if move.number > told)[-12:]


@dataclass(frozen=True, slots=True)
class Answer:
    """Orders that a turn page sends: whose they are, and where the game stands. No more is read of it."""

    claim: TurnClaim | PlanClaim
    game: GameProgress
    player: SeatView

    @property
    def open(self) -> bool:
        claim, game = self.claim, self.game
        if isinstance(claim, PlanClaim):
            return game.running and self.player.holder == claim.holder and game.turn == claim.turn
        return game.version == claim.version and game.waiting_for == claim.seat

    @property
    def version(self) -> int | None:
        return _version(self.claim)


@dataclass(frozen=True, slots=True)
class Next:
    question: Question
    url: str


def opened(token: str) -> OpenedPage:
    """Read the token of a turn page. Raises ``BadToken`` and ``NoSuch``, both a 404, and for who had the seat before
    a 403; of an unlisted game a 404."""
    asked = of_seat(_claim(token), token)
    _same_hands(asked.claim, asked.player, asked.game.unlisted)
    read_as_seat(asked.game.id, asked.player.number)
    if asked.open:
        keys.show_position(asked.game, asked.player)
    return asked


def of_seat(claim: TurnClaim | PlanClaim, token: str = "") -> OpenedPage:
    """The same for whoever is known to have the seat; without a token it has no addresses. Raises ``NoSuch``."""
    game = views.game(office(), claim.game, viewer=claim.seat)
    for player in game.seats:
        if player.seat == claim.seat and game.state is not None:
            return OpenedPage(token, claim, game, player)
    raise NoSuch(f"Game {game.id} has no player {claim.seat}.")


def answer(token: str) -> Answer:
    claim = _claim(token)
    found = answering.player(office(), claim.game, claim.seat)
    _same_hands(claim, found.seat, found.game.unlisted)
    read_as(found.zone, found.language)
    return Answer(claim, found.game, found.seat)


def _version(claim: TurnClaim | PlanClaim) -> int | None:
    return None if isinstance(claim, PlanClaim) else claim.version


def _same_hands(claim: TurnClaim | PlanClaim, player: SeatView, unlisted: bool) -> None:
    if player.holder and _handed_on(claim, player):
        if unlisted:
            raise NoSuch(f"Game {claim.game} is not listed.")
        raise NotAllowed(
            say("The seat has changed hands, so this link no longer works. You can still open the game’s page.")
        )


def _handed_on(claim: TurnClaim | PlanClaim, player: SeatView) -> bool:
    if isinstance(claim, PlanClaim):
        return claim.holder != player.holder
    return seat_changes.handed_on(office(), claim.game, player.number, claim.version)


def _claim(token: str) -> TurnClaim | PlanClaim:
    try:
        return office().tokens.read(TurnClaim, token)
    except BadToken:
        return office().tokens.read(PlanClaim, token)


def submission_of(claim: TurnClaim | PlanClaim, number: int) -> SubmissionView:
    """Orders that came with this link, or with another one to the same question; a 404 for every other, of the same
    seat as well."""
    found = views.submission(office(), number)
    if (found.game, found.seat, found.version) != (claim.game, claim.seat, _version(claim)):
        raise NotFound
    if isinstance(claim, PlanClaim) and found.turn != claim.turn:
        raise NotFound
    return found


def next_question(asked: OpenedPage) -> Next | None:
    """The question the same player is asked now, when it is another one than that of the link."""
    game = asked.game
    answered_by_other = isinstance(asked.claim, PlanClaim) and not asked.open
    same_question = asked.open and asked.version is not None
    if same_question or answered_by_other or game.waiting_for != asked.claim.seat:
        return None
    address = url_for("turns.turn", token=office().tokens.make(TurnClaim(game.id, asked.claim.seat, game.version)))
    return Next(defaults.question(game), address)
