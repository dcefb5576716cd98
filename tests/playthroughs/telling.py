"""What a recorded game tells about every entry: the position, what happened, what was legal and what was refused.

A file of ``games/`` is JSON in lines, compressed. The first line is the record without its entries and the position
after the deal; each further one an entry with all that it changed; the last one the final table.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.engine import BadMove, Refused, Sheet, State, replace
from pbem.engine.chance import SeededChance
from pbem.engine.record import Played, Record, read_record, replay, start, write_record

HERE = Path(__file__).parent
GAMES = HERE / "games"
SUFFIX = ".jsonl.gz"
Line = dict[str, Any]

STORED = ("extra", "gone", "accepts", "links", "players", "bag", "counters", "trains", "known", "company")
"""Parts of the stored state that count besides the position: what is hidden, or the map's own."""
PLACEMENTS_EVERY = 20
"""Building decisions from one at which every legal placement is listed to the next: it takes 15 ms."""
AMISS = ("issue 99", "bid 1", "bid 99", "drop", "pass", "action urbanization", "action production", "loco", "cash")
"""Orders that are tried at every entry, whatever is asked."""


@dataclass(frozen=True)
class Game:
    """A recorded game as its file has it."""

    name: str
    record: Record
    lines: tuple[Line, ...]

    @property
    def path(self) -> Path:
        return GAMES / f"{self.name}{SUFFIX}"


def load(path: Path) -> Game:
    """Read a file of ``games/``."""
    lines = tuple(json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines())
    turns = [line["entry"] for line in lines[1:-1]]
    record = read_record(json.dumps(lines[0]["record"] | {"turns": turns}))
    return Game(path.name.removesuffix(SUFFIX), record, lines)


def save(game: Game) -> None:
    """Write the file of a game; the same game gives the same bytes."""
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in game.lines)
    game.path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def tell(sheet: Sheet, record: Record) -> Iterator[Line]:
    """The lines of a game as today's rules play it, one by one; ends with a refused entry.

    Rolls come from the seed, and the state is stored after every entry, as on a server.
    """
    state = start(sheet, record, from_seed=True)[0].state
    before = flat(seen(sheet, state))
    yield {"record": head(record), "position": seen(sheet, state)}
    asked = Asked()
    for played in replay(sheet, record, from_seed=True, store=True):
        line = asked.about(sheet, record, played.number, state)
        state = played.state
        after = flat(seen(sheet, state))
        yield _entry(played) | line | {"change": change(before, after)}
        before = after
    yield ending(sheet, state)


def head(record: Record) -> Line:
    return write_record(replace(record, turns=()))


def _entry(played: Played) -> Line:
    entry: Line = {
        "turn": played.entry.turn,
        "phase": played.entry.phase,
        "player": played.entry.player,
        "orders": played.entry.orders,
    }
    if played.draws:
        entry["chance"] = list(played.draws)
    line: Line = {"entry": entry}
    if played.refusal is not None:
        line["refusal"] = played.refusal.sentence()
    if played.step is not None:
        line["events"] = [str(event.text()) for event in played.step.events]
    return line


def ending(sheet: Sheet, state: State) -> Line:
    """The final table, who wins, and what is said of it."""
    table = sheet.standings(state)
    verdict = sheet.verdict(state) if len(table) == 1 and sheet.over(state) else None
    return {
        "over": sheet.over(state),
        "table": [[line.seat, line.place, line.score, line.out, dict(line.parts)] for line in table],
        "winners": list(sheet.winners(state, table)),
        "verdict": verdict and str(verdict),
    }


# positions --------------------------------------------------------------------------------------------------


def seen(sheet: Sheet, state: State) -> Line:
    """Everything about a position: what others see, and what is stored besides."""
    stored = json.loads(sheet.encode(state))["state"]
    position: Line = json.loads(json.dumps(sheet.position(state)))
    return position | {"stored": {key: stored[key] for key in STORED if stored.get(key) not in (None, {}, [])}}


def flat(position: Mapping[str, Any], path: str = "") -> Line:
    """The same with one key for each figure: ``players/red/cash``."""
    leaves: Line = {}
    for key, value in position.items():
        if isinstance(value, dict):
            leaves |= flat(value, f"{path}{key}/")
        else:
            leaves[path + key] = value
    return leaves


def change(before: Line, after: Line) -> Line:
    """What is different afterwards; what is no longer there is listed under an empty key."""
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    lost = sorted(before.keys() - after.keys())
    return changed | ({"": lost} if lost else {})


# what is legal ----------------------------------------------------------------------------------------------


class Asked:
    """What was legal at every entry, and what was said to orders that others gave before."""

    def __init__(self) -> None:
        self.builds = 0

    def about(self, sheet: Sheet, record: Record, number: int, state: State) -> Line:
        """Of the decision that is answered by an entry."""
        line: Line = {}
        if (legal := sheet.legal(state)) is not None:
            line["legal"] = _short(legal)
        elif self.builds % PLACEMENTS_EVERY == 0:
            line["placements"] = _short(sheet.placements(state))
        self.builds += legal is None
        answers = {order: answer(sheet, state, order) for order in _tried(record, number)}
        return line | ({"said": answers} if answers else {})


def _short(orders: tuple[str, ...]) -> list[object]:
    """So many orders, and a mark that is another one for any other orders."""
    return [len(orders), hashlib.sha256("\n".join(sorted(orders)).encode()).hexdigest()[:8]]


def _tried(record: Record, number: int) -> tuple[str, ...]:
    """The last order of this phase, which another seat may have given, or a misplaced one."""
    if number % 2:
        return (AMISS[number // 2 % len(AMISS)],)
    phase = record.turns[number].phase
    return tuple(entry.orders for entry in record.turns[:number] if entry.phase == phase)[-1:]


def answer(sheet: Sheet, state: State, order: str) -> str:
    """What the seat to act would be told: why not, or what would happen."""
    try:
        moves = sheet.parse(state, order, {})
        step = sheet.play(state, str(sheet.to_act(state)), moves, SeededChance(bytes(32), sheet.place(state)))
    except BadMove as bad:
        return f"unreadable: {bad.sentence()}"
    except Refused as refused:
        return refused.refusal.sentence()
    return f"legal: {step.events[0].text()}" if step.events else "legal"
