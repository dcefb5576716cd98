"""Everything that can happen, one function each: the only writers of the store, and the readers beside them.

How pages and workers use it::

    office = Office.open(settings)                        # one per process, made after the fork
    claim = office.tokens.read_turn(token)                # BadToken for anything that is not ours: a 404
    view = views.game(office, claim.game)                 # NoSuch when there is no such game: a 404
    if view.version != claim.version: ...                 # the question is answered: the stale page
    new = submissions.NewSubmission(claim.seat, text, claim.version, via="page")
    id = submissions.submit(office, claim.game, new, now)
    views.submission(office, id)                          # waiting, played, refused, stuck

Time is an argument (``now``, aware, UTC); nothing here reads a clock. A function that writes is one
transaction, a unit of work (``base.work``); the hints to the broker leave after its commit, and when a hint is
lost the clock finds the row.

Rooms, each of which imports only those above it in this list (``pyproject.toml`` holds them to it):

============  ==============================================================================================
``base``      the office, units of work, task hints, tokens, urls, queries, validation, rate limits, errors
``clocks``    time controls, the clocks of running games and their views, who is asked, the grace time
``kinds``     the kinds of letter, one declaration each: what it stores and says, when it leaves and when not
``outbox``    what leaves, letters and webhook messages alike: write, claim, sent, failed; schedule, digests
``accounts``  accounts, notifications, absences, blocks, bounces, webhooks, the delivery log
``turns``     progress, standing orders, planning, stuck orders, caretaker, audit log, outages
``statistics``  finished games counted: results, figures of maps, ratings
``table``     opening a game, submissions, take-back, deadlines, seats, departures, votes, account deletion
``leagues``   leagues and knock-outs: members, seasons, standings
``reading``   views, records, recheck, feeds, metrics, health, what is due
``letters``   the values of a letter, put together: what its kind says, and what all letters share
============  ==============================================================================================

Errors: :class:`NoSuch` (404), :class:`NotNow` (409, a sentence), :class:`BadInput` (400, sentences by field),
``tokens.BadToken`` (404).
"""

from pbem.service.base.errors import BadInput, NoSuch, NotNow, Problem
from pbem.service.base.office import Office
from pbem.service.base.tokens import BadToken
from pbem.service.base.work import Work
from pbem.service.letters import outbox

Work.outbox = outbox  # the outbox imports the unit of work, so that the two are joined here

__all__ = ["BadInput", "BadToken", "NoSuch", "NotNow", "Office", "Problem"]
