"""What is true after the storm: every order, every position and every letter is accounted for."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select, text
from sqlalchemy.orm import Session, undefer

from pbem.engine import Sheet
from pbem.engine.chance import commitment
from pbem.engine.record import Entry, Record, digest, replay, start
from pbem.service import Office
from pbem.service.base import queries, validation
from pbem.store.statuses import NOTES, SubmissionStatus
from pbem.store.tables import Account, Game, Letter, Move, Submission
from tests.storm.plan import Ledger, Order
from tests.storm.postbox import Taken


def faults_of(session: Session, game: Game) -> Iterator[str]:
    """One sentence for each stored position that the replay from the seed does not reach."""
    sheet, where = queries.sheet(game), f"game {game.id} ({game.map})"
    query = select(Move).where(Move.game_id == game.id).options(undefer(Move.state)).order_by(Move.number)
    deal, *moves = session.scalars(query).all()
    if [move.number for move in (deal, *moves)] != list(range(game.version + 1)):
        yield f"{where} has {len(moves)} moves and is at version {game.version}"
    if commitment(game.seed) != game.commitment:
        yield f"{where} has a seed that does not belong to its commitment"
    counted = [move for move in moves if move.cause not in NOTES and move.taken_back_by is None]
    entries = tuple(_entry(move) for move in counted)
    seats = tuple(seat.colour for seat in queries.seats(session, game.id))
    record = Record(game.game, game.map, game.options, seats, entries, game.seed, game.commitment)
    state = start(sheet, record, from_seed=True)[0].state
    if sheet.encode(state) != deal.state:
        yield f"{where} was dealt otherwise than its seed says"
    for move, played in zip(counted, replay(sheet, record, from_seed=True), strict=False):
        state = played.state
        if played.step is None or sheet.encode(state) != move.state or digest(sheet, state) != move.digest:
            yield f"{where}: move {move.number} ({move.orders!r}) does not lead to the stored position"
            return
    if sheet.encode(state) != game.state:
        yield f"{where} does not stand where its moves lead"


def _entry(move: Move) -> Entry:
    return Entry(move.turn, move.phase, move.seat, move.orders, tuple(move.chance), move.cause != "player", move.digest)


SHOWN = 20
HELD_FOR = 5


@dataclass(slots=True)
class Verdict:
    """``lost``, ``doubled``, ``wrong`` and ``stuck`` are sentences; all are to be empty."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.wrong or self.stuck)

    def sentences(self) -> Iterator[str]:
        """What is wrong, in words; the first ones of each kind."""
        for name, found in (
            ("LOST", self.lost),
            ("DOUBLED", self.doubled),
            ("WRONG", self.wrong),
            ("STUCK", self.stuck),
        ):
            for sentence in found[:SHOWN]:
                yield f"{name}: {sentence}"
            if len(found) > SHOWN:
                yield f"{name}: and {len(found) - SHOWN} more"


def judge(
    office: Office, ledger: Ledger, taken: Sequence[Taken], held: Sequence[str], broken: Sequence[str]
) -> Verdict:
    """Look at all rows; nothing may run any more that writes. ``held``: from :func:`held_locks`; ``broken``: what the
    :class:`~tests.storm.sending.Wire` says of answers."""
    verdict = Verdict(wrong=list(broken))
    with office.read() as session:
        _submissions(session, ledger, verdict)
        _moves(session, verdict)
        _games(session, verdict)
        _letters(session, list(taken), verdict)
        _questions(session, list(taken), verdict)
        _waits(session, verdict)
    verdict.stuck.extend(held)
    return verdict


def held_locks(office: Office) -> list[str]:
    """Locks that somebody has held for seconds while nothing is to be done; to be asked while all processes run."""
    query = text(
        "SELECT a.application_name, l.locktype, l.mode, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
        " WHERE a.pid <> pg_backend_pid() AND a.datname = current_database()"
        f" AND a.xact_start < now() - interval '{HELD_FOR} seconds'"
    )
    with office.read() as session:
        return [f"a lock is held: {tuple(row)}" for row in session.execute(query)]


def _submissions(session: Session, ledger: Ledger, verdict: Verdict) -> None:
    """Every acknowledged order has one row, and its row says what became of it."""
    found = {row.id: row for row in session.scalars(select(Submission))}
    for order, numbers in ledger.acknowledged.items():
        if len(numbers) > 1:
            verdict.doubled.append(f"{order} was given several numbers: {sorted(numbers)}")
        for number in numbers:
            row = found.get(number)
            if row is None or not _is(row, order):
                verdict.lost.append(f"submission {number} ({order}) is not there")
    for row in found.values():
        if row.status not in (SubmissionStatus.PLAYED, SubmissionStatus.REFUSED):
            verdict.stuck.append(f"submission {row.id} of game {row.game_id} is {row.status}")
    status = Counter(row.status for row in found.values())
    verdict.figures.update(
        submissions=len(found), played=status[SubmissionStatus.PLAYED], refused=status[SubmissionStatus.REFUSED]
    )


def _is(row: Submission, order: Order) -> bool:
    same = (row.game_id, row.seat, row.version) == (order.game, order.seat, order.version)
    return same and row.text == validation.orders(order.text)


def _moves(session: Session, verdict: Verdict) -> None:
    """Every move of a player stems from one submission that says just this, and every played one made its move."""
    for game in session.scalars(select(Game).where(Game.started_at.is_not(None))):
        made = session.scalars(select(Move).where(Move.game_id == game.id).order_by(Move.number)).all()
        moves = {move.number: move for move in made}
        sources: dict[int, list[Submission]] = defaultdict(list)
        played = Submission.game_id == game.id, Submission.status == "played"
        for row in session.scalars(select(Submission).where(*played)):
            move = moves.get(row.move_number or 0)
            if move is None or (move.seat, move.cause) != (row.seat, "player") or move.number != (row.version or 0) + 1:
                verdict.lost.append(f"submission {row.id} is played, but move {row.move_number} is not its")
            elif (said := _said(queries.sheet(game), moves[move.number - 1], row)) != move.orders:
                verdict.wrong.append(f"submission {row.id} says {said!r}, and {move.orders!r} was played")
            else:
                sources[move.number].append(row)
        for move in made:
            if move.cause == "player" and not sources[move.number]:
                verdict.doubled.append(f"move {move.number} of game {game.id} was played without a submission")
        verdict.figures["moves"] = verdict.figures.get("moves", 0) + len(made) - 1


def _said(sheet: Sheet, asked: Move, row: Submission) -> str:
    """The orders of a submission as the log would write them."""
    return "\n".join(map(str, sheet.parse(sheet.decode(asked.state), row.text, {})))


def _games(session: Session, verdict: Verdict) -> None:
    """Every stored position is that of a replay from the seed."""
    games = session.scalars(select(Game)).all()
    for game in games:
        if game.started_at is not None:
            verdict.wrong.extend(faults_of(session, game))
    verdict.figures.update(games=len(games), over=sum(game.status == "over" for game in games))


def _letters(session: Session, taken: Sequence[Taken], verdict: Verdict) -> None:
    """Every letter due has arrived, and whatever arrived was a letter, once but for the same again."""
    arrived = Counter(mail.message_id for mail in taken)
    unknown = set(arrived)
    addresses = {account.id: account.address for account in session.scalars(select(Account))}
    reached = {(mail.message_id, mail.to) for mail in taken}
    status: Counter[str] = Counter()
    for letter in session.scalars(select(Letter)):
        status[letter.status] += 1
        unknown.discard(letter.message_id)
        status["arrived and withdrawn"] += letter.message_id in arrived and letter.status == "withdrawn"
        if letter.status == "sent" and (letter.message_id, addresses[letter.account_id]) not in reached:
            verdict.lost.append(f"letter {letter.id} ({letter.key}) was sent but has not arrived")
        if letter.status not in ("sent", "withdrawn"):
            verdict.stuck.append(f"letter {letter.id} ({letter.key}) is {letter.status}: {letter.last_error}")
        if letter.claimed_until is not None and letter.status == "sent":
            verdict.stuck.append(f"letter {letter.id} is still in somebody's hands")
    verdict.wrong.extend(f"a mail has arrived that is no letter: {number}" for number in sorted(unknown))
    verdict.figures.update(
        letters=status["sent"] + status["withdrawn"],
        sent=status["sent"],
        withdrawn=status["withdrawn"],
        arrived=len(taken),
        again=len(taken) - len(arrived),
        late=status["arrived and withdrawn"],
        untold=sum(not mail.told for mail in taken),
    )


def _questions(session: Session, taken: Sequence[Taken], verdict: Verdict) -> None:
    """Whatever somebody is to be told has its letter, and no letter asks about a position that never was."""
    keys = set(session.scalars(select(Letter.key)))
    told: Counter[int] = Counter()
    for data in session.scalars(select(Letter.data).where(Letter.kind == "refused")):  # one letter may tell of several
        told.update(data["all"])
    keys.update(f"refused:{submission}" for submission in told)
    verdict.doubled.extend(
        f"submission {number} is told in {times} letters" for number, times in told.items() if times > 1
    )
    verdict.lost.extend(f"there was never a letter {key}" for key in _due(session) if key not in keys)
    positions = {(game, number) for game, number in session.execute(select(Move.game_id, Move.number))}
    for mail in taken:
        found = re.match(r"<(\w+)\.v(\d+)\.", mail.message_id)
        if mail.kind == "your-turn" and (found is None or (found[1], int(found[2])) not in positions):
            verdict.wrong.append(f"{mail.message_id} asks about a position that never was")


def _due(session: Session) -> Iterator[str]:
    """The key of every letter that there is to be: about questions, the beginning, the end and refusals."""
    for game in session.scalars(select(Game).where(Game.started_at.is_not(None))):
        over = game.status == "over"
        for seat in queries.seats(session, game.id):
            yield f"game-started:{game.id}:{seat.number}"
            if over:
                yield f"game-over:{game.id}:{seat.number}"
        for number in session.scalars(select(Move.number).where(Move.game_id == game.id)):
            if not (over and number == game.version):
                yield f"your-turn:{game.id}:{number}"
    for refused in session.scalars(select(Submission.id).where(Submission.status == "refused")):
        yield f"refused:{refused}"


def _within(spans: Sequence[float], share: float) -> float:
    """The time in which this share of them was done."""
    return spans[min(len(spans) - 1, int(len(spans) * share))] if spans else 0.0


def _waits(session: Session, verdict: Verdict) -> None:
    """The times from coming in to being dealt with, in seconds."""
    done = select(Submission.received_at, Submission.done_at).where(Submission.done_at.is_not(None))
    sent = select(Letter.created_at, Letter.sent_at).where(Letter.status == "sent", Letter.kind != "refused")
    for name, query in (("submission received to done", done), ("letter written to delivered", sent)):
        spans = [(until - since).total_seconds() for since, until in session.execute(query) if until is not None]
        for share, words in ((0.5, "half of them"), (0.99, "of a hundred 99"), (1.0, "all")):
            verdict.waits[f"{name}, {words}"] = _within(sorted(spans), share)
