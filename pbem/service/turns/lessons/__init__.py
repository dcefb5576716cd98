"""Lessons: games of which robots have played the opening, and whose last decisions somebody learns by.

A lesson is a file beside this module: the record of an opening, with its seed, dealt and played by the rules to the
first decision that is left to whoever learns. So its game is a game like every other: it has all its moves from the
deal on, its dice follow from the seed, and its record can be replayed and verified.
"""

from functools import cache
from pathlib import Path

from pbem.engine import Sheet, State, Step, Value, catalog
from pbem.engine.chance import NotedChance
from pbem.engine.record import Played, Record, read_record, replay
from pbem.service.base import GameWork
from pbem.service.turns import audit_log, progress
from pbem.store.statuses import MoveCause

FOLDER = Path(__file__).parent
FIRST = "first"
"""The first game of somebody who has never played."""
ROBOTS = {FIRST: ("penny", "rufus")}
"""Who plays the other seats from then on, by lesson."""
BEFORE = "a robot"
"""Who had the seat before whoever learns, as the audit log and the record call it."""


class Lesson(Value):
    """The opening of a lesson. The first of ``record.players`` is left to whoever learns."""

    key: str
    record: Record
    robots: tuple[str, ...]

    @property
    def sheet(self) -> Sheet:
        return catalog.sheet(self.record.game, self.record.map)


@cache
def lesson(key: str) -> Lesson:
    """The lesson of this name. Raises ``FileNotFoundError`` when there is none."""
    return Lesson(key, read_record((FOLDER / f"{key}.json").read_bytes()), ROBOTS[key])


@cache
def opening(key: str) -> tuple[Played, ...]:
    """The moves of an opening, played by the rules once in a process. Raises ``ValueError`` if one is not legal."""
    told = lesson(key)
    played = tuple(replay(told.sheet, told.record))
    for one in played:
        if one.step is None:
            raise ValueError(f"lesson {key}, entry {one.number}: {one.refusal}")
    return played


def begin(work: GameWork, dealt: Step[State], chance: NotedChance) -> None:
    sheet = work.sheet
    deal = progress.Entry("", "", MoveCause.START, sheet.turn(dealt.state), sheet.phase(dealt.state))
    progress.add(work, deal, dealt, chance.notes)
    for played in opening(work.game.lesson):
        assert played.step is not None, "an opening is legal"
        work.game.version += 1
        told = played.entry
        entry = progress.Entry(told.player, told.orders, MoveCause.ROBOT, told.turn, told.phase)
        progress.add(work, entry, played.step, played.draws)
    seat = work.numbered(0)
    audit_log.write(
        work, "took-seat", seat=seat, other=BEFORE, colour=seat.colour, entry=work.game.version, turn=work.game.turn
    )
    progress.ask(work, sheet.to_act(work.state) or "")
