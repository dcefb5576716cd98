"""What pages and letters know of an account: plain values, filled by ``pbem.service.people``.

Nothing here reads a database or a clock. Times are aware ``datetime`` in UTC; those of a day are in the account's zone.
"""

from datetime import date, datetime, time

from pbem.engine import Value


class BoardLook(Value):
    """How somebody sees boards. ``clear``: in the colours for colour-blind eyes; ``labels``: with those of hexes."""

    clear: bool = False
    labels: bool = True


USUAL_LOOK = BoardLook()


class AccountView(Value):
    id: int
    address: str
    name: str
    zone: str
    language: str = ""
    """Empty as long as nobody has chosen or guessed one."""
    look: BoardLook = USUAL_LOOK
    program: bool = False
    """A program plays for it."""


class AbsenceView(Value):
    id: int
    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


class NotificationsView(Value):
    """How a reader is told. ``mails``: turn hours digest; ``quiet``: from when until when nothing may disturb;
    ``pictures``: inside link text, how the board comes in emails."""

    mails: str
    hours: int
    digest_at: time
    reminders: tuple[str, ...]
    zone: str
    quiet: tuple[time, time] | None
    pictures: str = "inside"


class GameNotificationView(Value):
    """A game in which the reader may be told differently. ``mails``: turn digest mute, empty as in all games;
    ``talk``: once never, empty with the next email."""

    game: str
    title: str
    mails: str
    talk: str = ""


class LoginView(Value):
    """A browser that is logged in; ``key`` is the beginning of a hash of its secret."""

    key: str
    since: datetime
    until: datetime
