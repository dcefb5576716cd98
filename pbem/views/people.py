"""What people do in a game besides sending orders, for pages and letters: plain values, as in
:mod:`pbem.views.games`."""

from datetime import datetime, timedelta

from pbem.engine import Say, Sheet, Value, Who, say
from pbem.store.statuses import SeatsLeft, Sending, VoteStatus
from pbem.store.time_controls import TimeControl


class AuditView(Value):
    """An entry of the audit log: what somebody did to the game, in a sentence. ``seat`` is the colour or empty."""

    kind: str
    sentence: Say
    seat: str
    at: datetime


class PostView(Value):
    """Something that was said in a game. ``text`` has its line breaks and nothing that does not print."""

    id: int
    seat: str
    name: str
    text: str
    at: datetime


class RemarkView(Value):
    """A remark on the position after order ``number``, or a bookmark where ``text`` is empty.

    ``seat``: the colour of its author in the game, empty for others; ``own``: the reader wrote it; ``removable``: the
    reader may remove it.
    """

    id: int
    number: int
    seat: str
    name: str
    text: str
    shared: bool
    at: datetime
    own: bool
    removable: bool


class VoteView(Value):
    """Something others are asked to agree to. ``asks``: who asks, by name; ``asked_by``: the number of that seat.

    ``words``: what is asked, a sentence without its full stop; ``title``: the same for a subject; ``terms``: what those
    who decide have to know; ``if_refused``: what remains as it is when they refuse. ``agreed``, ``refused``,
    ``missing``: who has agreed, refused, and not answered. ``needed`` of ``voters`` must agree.
    """

    id: int
    kind: str
    status: VoteStatus
    asks: str
    asked_by: int
    words: Say
    title: Say
    terms: tuple[Say, ...]
    if_refused: Say
    agreed: tuple[Who, ...]
    refused: tuple[Who, ...]
    missing: tuple[Who, ...]
    needed: int
    voters: int
    asked_at: datetime
    version: int

    @staticmethod
    def listed(players: tuple[Who, ...]) -> Say:
        return say("{players}", players=players)


class OfferView(Value):
    """A seat somebody may take. ``name``: who had it before. ``until``: how long the game waits for a substitute."""

    id: int
    game: str
    title: str
    sheet: Sheet
    number: int
    seat: str
    name: str
    turn: int
    since: datetime
    until: datetime
    turn_time: timedelta


class BackView(Value):
    """What the player of a seat may take back: ``orders`` of move ``number``.

    ``until``: alone until then; ``None`` when all others have to agree. ``no``: why it cannot be asked for.
    """

    number: int
    orders: str
    until: datetime | None
    no: Say | None = None
    alone: bool = False
    """Nobody else plays but robots, so that nobody has to agree."""


class Delivery(Value):
    """A letter as its reader finds it in the delivery log.

    ``answer``: what the mail server said, or why it was not sent.
    """

    id: int
    kind: str
    game: str
    title: str
    written: datetime
    sent: datetime | None
    due: datetime
    status: Sending
    attempts: int
    answer: str
    version: int | None = None


class Deliveries(Value):
    """Letters to one reader, latest first; ``older`` is what the next page is asked for with, 0 on the last."""

    letters: tuple[Delivery, ...]
    older: int = 0


class Companion(Value):
    """Somebody who plays or has played with the reader, by the name in their latest game together."""

    account: int
    name: str


class Blocked(Value):
    account: int
    name: str
    since: datetime


class Company(Value):
    """The people of a running game and what is open between them, as one reader sees it.

    ``absent``: seats (numbers) of players whose answers have been missing, and since when. ``removable``: those
    that may be removed now. ``offers``: seats that are free. ``votes``: open ones. ``back``: what the reader may
    take back. ``host``: the reader is the host. ``watch``: the link of spectators, shown to the host.
    """

    votes: tuple[VoteView, ...] = ()
    offers: tuple[OfferView, ...] = ()
    absent: tuple[tuple[int, datetime], ...] = ()
    removable: tuple[int, ...] = ()
    back: BackView | None = None
    host: bool = False
    watch: str = ""
    stops_at: datetime | None = None
    rematch: str = ""


class Tempo(Value):
    """How fast somebody answers, and how it ended: from what was stored, not from opinions.

    ``answers``: of how many answers the times are; without any all three are nothing. ``quick`` and ``slow``: a quarter
    of the answers took no longer, and a quarter no less. ``finished``: games that are over; ``left``: games that were
    left unfinished.
    """

    answers: int = 0
    median: timedelta = timedelta(0)
    quick: timedelta = timedelta(0)
    slow: timedelta = timedelta(0)
    finished: int = 0
    left: int = 0


class RatingView(Value):
    """How strong somebody is in a game, by name of the game, with the uncertainty; of ``games`` rated games."""

    game: str
    mu: float
    sigma: float
    games: int


class SitterView(Value):
    """A seat of an open table. ``name`` is empty and nobody sits there when it is ``free``."""

    number: int
    name: str
    robot: str
    free: bool
    invited: bool
    host: bool
    tempo: Tempo
    rating: RatingView | None = None
    program: bool = False


class OpenTableView(Value):
    """A game that anybody can join. ``languages`` and ``experience`` are codes, ``spoken`` and ``expected`` the words.

    ``link``: to be passed on by its host, empty for others and when it was revoked.
    """

    game: str
    title: str
    sheet: Sheet
    time_control: TimeControl
    languages: tuple[str, ...]
    spoken: tuple[Say, ...]
    experience: str
    expected: Say
    listed: bool
    fill_at: datetime
    if_free: SeatsLeft
    seats: tuple[SitterView, ...]
    hosted: bool
    seated: bool
    link: str = ""
    friendly: bool = False
    """No ratings follow from it."""
    programs: bool = False
    """Programs may join."""
    too_new: Say | None = None
    """Why the reader has finished too few games to sit down."""

    @property
    def free(self) -> int:
        return sum(seat.free for seat in self.seats)

    @property
    def host(self) -> str:
        return next((seat.name for seat in self.seats if seat.host), "")
