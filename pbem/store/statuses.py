"""How things stand, why moves were made, and what is voted on: words of the tables that pages and letters read."""

from enum import StrEnum


class GameStatus(StrEnum):
    OPEN = "open"
    """Not everybody has answered the invitation."""
    RUNNING = "running"
    STOPPING = "stopping"
    """Was ended by vote and is over at ``stops_at``, unless somebody takes the vote back before."""
    OVER = "over"
    CANCELLED = "cancelled"


LIVING = (GameStatus.OPEN, GameStatus.RUNNING, GameStatus.STOPPING)
"""Games in which something can still happen."""
PLAYING = (GameStatus.RUNNING, GameStatus.STOPPING)
"""Games that were dealt and are not over."""


class SeatStatus(StrEnum):
    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    VACANT = "vacant"


class SeatsLeft(StrEnum):
    """What happens to an open table on its date when seats are still free."""

    ROBOTS = "robots"
    WAIT = "wait"
    """Another week."""
    OFF = "off"


class SubmissionStatus(StrEnum):
    """What has become of orders that came in."""

    WAITING = "waiting"
    PLAYED = "played"
    REFUSED = "refused"
    STUCK = "stuck"
    """An error of ours set them aside."""
    TAKEN_BACK = "taken-back"


class StandingOrderStatus(StrEnum):
    """What has become of an order that was given before it was asked for."""

    WAITING = "waiting"
    PLAYED = "played"
    VOID = "void"
    """It could not be played when its moment came."""
    STUCK = "stuck"
    """An error of ours set it aside."""
    REPLACED = "replaced"
    CANCELLED = "cancelled"
    ENDED = "ended"
    """Its turn is over, and its moment never came."""


class MoveCause(StrEnum):
    """Why an entry of the log of a game was written."""

    START = "start"
    PLAYER = "player"
    STANDING_ORDER = "ahead"
    ROBOT = "robot"
    DEADLINE = "deadline"
    CARETAKER = "caretaker"
    TAKEN_BACK = "taken-back"
    """The state is that before the orders it took back."""
    SEAT = "seat"
    """The seat that is asked has changed hands; the state stays."""


NOTES = (MoveCause.TAKEN_BACK, MoveCause.SEAT)
"""Causes of entries that are no orders: records leave them out."""


class VoteStatus(StrEnum):
    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    """Nothing was decided, and nothing is left to decide."""
    WITHDRAWN = "withdrawn"
    """Who asked no longer does."""


class LeagueKind(StrEnum):
    """How a competition goes on after its first games."""

    LEAGUE = "league"
    """Divisions, with promotion and relegation after every season."""
    KNOCKOUT = "knockout"
    """The better half of every table goes on to the next round."""


class LeagueStatus(StrEnum):
    OPEN = "open"
    """Anybody can join until it begins."""
    RUNNING = "running"
    PAUSE = "pause"
    """Between two seasons."""
    OVER = "over"
    CANCELLED = "cancelled"


class MemberStatus(StrEnum):
    INVITED = "invited"
    IN = "in"
    WAITING = "waiting"
    """On the waiting list: gets the next place that is free."""
    DECLINED = "declined"
    LEFT = "left"
    BEATEN = "beaten"
    """Was eliminated in a knock-out."""


class IfLeft(StrEnum):
    """Who gets the place of somebody who leaves a league."""

    WAITING = "waiting"
    """The first of the waiting list, else a robot."""
    ROBOT = "robot"


class Sending(StrEnum):
    """What has become of a letter or of a message to a webhook."""

    WAITING = "waiting"
    SENT = "sent"
    WITHDRAWN = "withdrawn"
    """Nobody needs it any more."""
    FAILED = "failed"
    """It was tried long enough, or refused for good."""


class JobKind(StrEnum):
    """What the clock does with a command because the operator asked for it."""

    DOCTOR = "doctor"
    """Everything is looked at."""
    MAIL = "mail"
    """Whether emails arrive is tried with a test email."""
    BACKUP = "backup"
    CHECK = "check"
    """The newest backup is restored on trial."""
    RECHECK = "recheck"
    """Games are replayed with the installed rules."""
    RATINGS = "ratings"
    """Finished games are counted again, and everybody is rated from the first on."""


class CopyKind(StrEnum):
    """What can be made of a finished game to take it away."""

    PAGE = "page"
    """The game as one page that needs nothing else."""
    A5 = "a5"
    LETTER = "letter"
    """A book, by its paper."""
    PICTURES = "pictures"
    """Every position as a picture, in one archive."""
    ANIMATION = "animation"


class ReviewStatus(StrEnum):
    """How far the review of a finished game is, or the balance report of a map."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"
    """It was begun too often in vain."""


class MapStatus(StrEnum):
    """Who may see a map that somebody draws."""

    DRAFT = "draft"
    PLAYTEST = "playtest"
    """Whoever has its link."""
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    """Running games go on, and no new ones begin."""


class TrialStatus(StrEnum):
    """What has become of the trial games of a map."""

    WAITING = "waiting"
    FINE = "fine"
    FAILED = "failed"
