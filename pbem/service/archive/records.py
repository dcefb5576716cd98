"""Records: a stored game written as one, and games played elsewhere imported into the archive."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Sheet, State, Step, catalog, say
from pbem.engine.events import tell
from pbem.engine.faults import BadDrawing
from pbem.engine.record import (
    BadRecord,
    Entry,
    Played,
    Record,
    digest,
    read_record,
    replay,
    result_lines,
    running,
    start,
    verify,
    write_record,
)
from pbem.service.archive import choochoo, game_files
from pbem.service.base import BadInput, GameWork, NotNow, Office, Problem, queries, seals, validation
from pbem.service.base.task_hints import count_hint
from pbem.service.games.opening import ID_LENGTH, ID_LETTERS
from pbem.service.own_maps import versions
from pbem.store.statuses import NOTES, GameStatus, MoveCause, SeatStatus
from pbem.store.tables import AuditEntry, Game, Move, Seat
from pbem.store.time_controls import NO_LIMIT


def export(office: Office, game_id: str) -> dict[str, Any]:
    """The record of a game. Raises :class:`NoSuch`, and :class:`NotNow` before the start.

    A running game shows the commitment and how it was dealt; a finished one the seed, from which all follows.
    """
    with office.read() as session:
        game = queries.game(session, game_id)
        if game.imported is not None:
            return dict(game.imported)
        if game.started_at is None:
            raise NotNow(say("This game has not started; there is no record yet."))
        return write_record(_record(session, game))


def _record(session: Session, game: Game) -> Record:
    sheet = queries.sheet(game)
    counts = (Move.game_id == game.id, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES))
    deal, *moves = session.scalars(select(Move).where(*counts).order_by(Move.number)).all()
    dealt = sheet.position(sheet.decode(deal.state))
    seats = queries.seats(session, game.id)
    over = game.status == GameStatus.OVER
    record = Record(
        game=game.game,
        map=game.map,
        options=game.options,
        players=tuple(dealt.get("order") or [seat.colour for seat in seats]),
        turns=tuple(map(_entry, moves)),
        seed=game.seed,
        commitment=game.commitment,
        deal=tuple(deal.chance),
        result=result_lines(sheet, sheet.decode(game.state)) if over else (),
        names={seat.colour: seat.name for seat in seats},
        ended_early=game.ended_early,
        substitutes=_substitutes(session, game),
        board=sheet.drawing,
    )
    return record if over else running(sheet, record, dealt)


def _substitutes(session: Session, game: Game) -> tuple[dict[str, Any], ...]:
    """Who took whose seat, and after how many entries of the record."""
    taken = session.scalars(
        select(AuditEntry).where(AuditEntry.game_id == game.id, AuditEntry.kind == "took-seat").order_by(AuditEntry.id)
    )
    counts = (Move.game_id == game.id, Move.number > 0, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES))
    return tuple(
        {
            "player": done.data["colour"],
            "from": done.data["other"],
            "to": done.name,
            "entry": session.scalar(select(func.count()).where(*counts, Move.number <= done.data["entry"])) or 0,
        }
        for done in taken
    )


def _entry(move: Move) -> Entry:
    return Entry(
        turn=move.turn,
        phase=move.phase,
        player=move.seat,
        orders=move.orders,
        chance=tuple(move.chance),
        auto=move.cause not in (MoveCause.PLAYER, MoveCause.ROBOT),
        digest=move.digest,
    )


def import_record(office: Office, text: str | bytes, now: datetime) -> str:
    """Take a finished game into the archive and return its id; the same record twice is one game.

    ``text``: a record, or a game file, which has one in it, or the export of a server of choochoo.games.
    Raises :class:`BadInput` with what is wrong with the record: not readable, not to its end, not provable.
    """
    try:
        held, title = game_files.read(text)
        record = _read(held)
        sheet = catalog.of_record(record)
        dealt, chance = start(sheet, record)
        played = _played(sheet, record)
    except (BadDrawing, BadRecord, catalog.UnknownSheet) as bad:
        raise _bad(str(bad)) from bad
    raw = write_record(record)
    if sheet.drawing:
        versions.keep(office, sheet, now)
    seal = bytes.fromhex(seals.seal(raw))
    game_id = "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in seal[:ID_LENGTH])
    with office.work(now) as work:
        if work.session.get(Game, game_id) is None:
            work.session.add(game := _game(sheet, record, len(played), played[-1].state, now))
            game.id, game.imported, game.count_at = game_id, raw, now
            game.title = validation.one_line(title or record.source)[: validation.LONGEST_TITLE] or sheet.name
            work.hints.append(count_hint(game_id))
            work.session.flush()
            _seats(work.session, game_id, record)
            _moves(work.at(game), dealt, chance, played)
    return game_id


def _read(held: bytes) -> Record:
    """Raises :class:`BadRecord`."""
    try:
        raw = msgspec.json.decode(held)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raw = None
    return choochoo.read(raw) if choochoo.is_export(raw) else read_record(held)


def _played(sheet: Sheet, record: Record) -> list[Played]:
    """The entries that were played. Raises :class:`BadInput` unless they lead to the end of the game."""
    played = list(replay(sheet, record))
    if played and (refusal := played[-1].refusal) is not None:
        raise _bad(f"Entry {played[-1].number} cannot be played: {refusal.sentence()}")
    if not played or (not sheet.over(played[-1].state) and not record.ended_early):
        raise _bad("The record ends before the game does; only finished games can be taken into the archive.")
    ends = [dict(line) for line in result_lines(sheet, played[-1].state)]
    if record.result and [dict(line) for line in record.result] != ends:
        raise _bad("The result is not the one the game ends with.")
    if record.seed and (faults := verify(sheet, record).faults):
        raise _bad(faults[0])
    return [entry for entry in played if entry.step is not None]


def _bad(sentence: str) -> BadInput:
    return BadInput(Problem("record", say("{sentence}", sentence=sentence)))


def _game(sheet: Sheet, record: Record, version: int, state: State, now: datetime) -> Game:
    return Game(
        game=sheet.game,
        map=sheet.slug,
        options=dict(record.options),
        status=GameStatus.OVER,
        seed=record.seed,
        commitment=record.commitment[:64],
        version=version,
        state=sheet.encode(state),
        phase=sheet.phase(state),
        turn=sheet.turn(state),
        time_control=NO_LIMIT,
        opened_at=now,
        started_at=now,
        ended_at=now,
        ended_early=record.ended_early,
    )


def _seats(session: Session, game_id: str, record: Record) -> None:
    for number, colour in enumerate(record.players):
        name = validation.one_line(record.names.get(colour, ""))[: validation.LONGEST_NAME] or colour.capitalize()
        session.add(Seat(game_id=game_id, number=number, name=name, colour=colour, status=SeatStatus.ACCEPTED))


def _moves(work: GameWork, dealt: Step[State], chance: Sequence[dict[str, object]], played: Sequence[Played]) -> None:
    sheet = work.sheet
    deal = Entry(sheet.turn(dealt.state), sheet.phase(dealt.state), "", "")
    steps = [(deal, dealt, chance, MoveCause.START)]
    steps += [
        (p.entry, p.step, p.draws, MoveCause.DEADLINE if p.entry.auto else MoveCause.PLAYER) for p in played if p.step
    ]
    for number, (entry, step, draws, cause) in enumerate(steps):
        work.session.add(
            Move(
                game_id=work.game.id,
                number=number,
                seat=entry.player,
                turn=entry.turn,
                phase=entry.phase,
                orders=entry.orders,
                cause=cause,
                chance=list(draws),
                events=[tell(event) for event in step.events],
                state=sheet.encode(step.state),
                digest=digest(sheet, step.state),
                at=work.now,
            )
        )
