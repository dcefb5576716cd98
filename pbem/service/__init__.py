"""Everything that can happen, one function each: the only writers of the store, and the readers beside them.

How pages and workers use it::

    office = Office.open(settings)                        # one per process, made after the fork
    claim = office.tokens.read_turn(token)                # BadToken for anything that is not ours: a 404
    view = views.game(office, claim.game)                 # NoSuch when there is no such game: a 404
    if view.version != claim.version: ...                 # the question is answered: the stale page
    id = play.submit(office, claim.game, claim.seat, text, claim.version, via="page", now=now)
    views.submission(office, id)                          # waiting, played, refused, stuck

Time is an argument (``now``, aware, UTC); nothing here reads a clock. A function that writes is one
transaction; the hints to the broker leave after its commit, and when a hint is lost the clock finds the row.

==================  =====================================================================================
module              functions
==================  =====================================================================================
``games``           ``open_game(office, host_id, NewGame, now) -> id``,
                    ``answer(office, claim, accept, now)``, ``cancel(office, game_id, account_id, now)``
``play``            ``submit(office, game_id, seat, text, version, via, now) -> id``,
                    ``seen(office, submission_id, now)`` when a page has shown the outcome,
                    ``play_waiting(office, game_id, now)`` (workers)
``accounts``        ``ask_login(office, address, now)``, ``log_in(office, claim, now) -> secret``,
                    ``logged_in(office, secret, now) -> AccountView | None``, ``log_out(office, secret)``,
                    ``log_in_seat(office, claim, now) -> secret``, ``rename(office, account_id, name)``,
                    ``stop_mail(office, claim, scope, now)``, ``resume_mail(office, claim)``
``goodbye``         ``leaving(office, account_id) -> Leaving``, ``delete(office, account_id, typed, now)``
``times``           ``deadline(office, game_id, now)``, ``remind(office, game_id, now)`` (the clock)
``letters``         ``claim``, ``sent``, ``failed`` (workers)
``due``             what is due now: ``waiting``, ``deadlines``, ``reminders``, ``unsent`` (the clock)
``providers``       ``resting``, ``talked``: mail providers and hosts of webhooks that are slow (workers)
``figures``         ``look(office, now) -> Figures``, ``games``, ``lately``: how things stand, for metrics
``health``          ``findings(office, now, ...)``: whether all is well and what to do (``/readyz``, doctor)
``stuck``           orders that met an error of ours: ``of_all``, ``play_again``; ``tell(session, hints, ...)``
``views``           ``game(office, id, at=None) -> GameView``, ``scene(office, view) -> Scene``,
                    ``submission(office, id) -> SubmissionView``,
                    ``lobby(office, account_id) -> LobbyView``,
                    ``seat_of(office, game_id, account_id) -> SeatView | None``
``replies``         ``take(office, letter_id, text, message_id, now)``, ``check``: letters answered by mail
``takeback``        ``take_back(office, game_id, seat_number, now)``, ``ask_consent(...)``
``votes``           ``answer(office, game_id, vote_id, seat_number, agrees, now)``, ``answer_by_link(...)``
``departures``      ``resign``, ``remove``, ``ask_remove``; ``leave(session, hints, game, seat, how, now)``
``seating``         ``ask_somebody``, ``take``, ``hand_over``;
                    ``offer_seat(session, hints, game, seat, now) -> bool`` (the clock)
``ending``          ``ask_end``, ``finish(office, game_id, now)`` (the clock)
``people``          ``company(...) -> Company``, ``free_seats``, ``rematch(office, game_id, account_id, now)``
``talk``            ``post``, ``said``, ``note``, ``write_note``
``watching``        ``may_look``, ``open_link``, ``close_link``; ``blocks``: ``block``, ``unblock``, ``blocked``
``deeds``           ``of_game(office, game_id)``: who did what, and when
``deliveries``      ``page(office, account_id)``, ``send_test(office, account_id, now)``
``archive``         ``page(office, ...) -> ArchivePage``
``records``         ``export(office, game_id) -> dict`` (contract, section 5),
                    ``import_record(office, text, now) -> id``
``recheck``         ``ids(office, running)``, ``check(office, game_id) -> Finding | None``: play again
``correspondence``  ``letter(office, letter_id, now) -> Draft`` (workers)
``tokens``          ``Tokens``: signed links, one salt per purpose; ``BadToken``
==================  =====================================================================================

Errors: :class:`NoSuch` (404), :class:`NotNow` (409, a sentence), :class:`BadInput` (400, sentences by field),
``tokens.BadToken`` (404).
"""

from pbem.service.errors import BadInput, NoSuch, NotNow, Problem
from pbem.service.office import Office
from pbem.service.tokens import BadToken

__all__ = ["BadInput", "BadToken", "NoSuch", "NotNow", "Office", "Problem"]
