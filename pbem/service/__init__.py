"""Everything that can happen, one function each: the only writers of the store, and the readers beside them.

How pages and workers use it::

    office = open_office(settings)                        # one per process, made after the fork
    claim = office.tokens.read(TurnClaim, token)          # BadToken for anything that is not ours: a 404
    view = views.game(office, claim.game)                 # NoSuch when there is no such game: a 404
    if view.version != claim.version: ...                 # the question is answered: the stale page
    new = submissions.NewSubmission(claim.seat, text, claim.version, via="page")
    id = submissions.submit(office, claim.game, new, now)
    views.submission(office, id)                          # waiting, played, refused, stuck

Time is an argument (``now``, aware, UTC); nothing here reads a clock. A function that writes is one
transaction, a unit of work (``base.work``); the hints to the broker leave after its commit, and when a hint is
lost the clock finds the row.

Errors: :class:`NoSuch` (404), :class:`NotNow` (409, a sentence), :class:`BadInput` (400, sentences by field),
``tokens.BadToken`` (404).
"""

from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import BadToken, Tokens
from pbem.service.base.urls import Addresses
from pbem.service.letters import outbox
from pbem.service.own_maps import versions
from pbem.settings.settings import Settings
from pbem.store.database import Database

__all__ = ["BadInput", "BadToken", "NoSuch", "NotNow", "Office", "Problem", "open_office"]


def open_office(settings: Settings, hints: Hints | None = None) -> Office:
    """Open the database and the broker that the settings name (neither is connected to yet).

    From now on the rules find the own maps of this database.
    """
    tokens = Tokens(settings.secret_key, settings.old_secret_keys)
    database = Database(settings.database_url)
    versions.serve(database)
    return Office(
        settings=settings,
        database=database,
        hints=hints if hints is not None else Hints.to_broker(settings),
        tokens=tokens,
        addresses=Addresses(settings.public_url, tokens, settings.orders_address),
        finish=outbox.finish,
    )
