"""What players are shown at some entries of the kept games: question, table, board in words, plan, draft, picture.

``python -m tests.playthroughs.showing`` writes ``shown/`` anew. Read the difference of the failing test first.
"""

import lzma
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import msgspec

from pbem.engine import Choice, Refusal, Say, Sheet, State, catalog
from pbem.engine.position_text import as_text, spoken
from pbem.engine.record import Played, replay, start
from pbem.engine.text import PLAIN
from pbem.rails.board import Board
from pbem.rails.builder import builder_of
from tests.playthroughs.record import of
from tests.playthroughs.telling import Game

HERE = Path(__file__).parent / "shown"
NONSENSE = "A0 N-S"
"""A step of a build that is not legal on any map."""
Moment = tuple[Game, int, State, Played | None]


def path_of(sheet: Sheet) -> Path:
    """The file of a sheet: text, one figure or sentence on each line."""
    return HERE / f"{sheet.slug}.txt.xz"


def kept(sheet: Sheet) -> list[str]:
    return lzma.decompress(path_of(sheet).read_bytes()).decode().splitlines()


def shown(sheet: Sheet) -> list[str]:
    return [line for game, number, state, played in _moments(sheet) for line in _at(sheet, game, number, state, played)]


def _moments(sheet: Sheet) -> Iterator[Moment]:
    """Of the longest game two decisions for every kind of order, early and late, and the end; of others the end."""
    games = of(sheet)
    longest = max(games, key=lambda game: (len(game.lines), game.name))
    for game in games:
        state = start(sheet, game.record, from_seed=True)[0].state
        kinds: dict[tuple[str, str], list[int]] = {}
        for number, entry in enumerate(game.record.turns):
            kinds.setdefault((entry.phase, entry.orders.partition(" ")[0]), []).append(number)
        wanted = {at for of_kind in kinds.values() for at in (of_kind[0], of_kind[len(of_kind) * 2 // 3])}
        for played in replay(sheet, game.record, from_seed=True):
            if game is longest and played.number in wanted:
                yield game, played.number, state, played
            state = played.state
        yield game, len(game.record.turns), state, None


def _at(sheet: Sheet, game: Game, number: int, state: State, played: Played | None) -> Iterator[str]:
    yield f"== {game.name}, entry {number}"
    about: dict[str, object] = {
        "columns": sheet.columns(state),
        "rows": sheet.rows(state),
        "words": as_text(spoken(sheet.words(state), PLAIN, game.record.players)).splitlines(),
        "scene": sheet.scene(state, subtitle="Now"),
        "hands": {seat: sheet.hand(state, seat) for seat in game.record.players},
    }
    if played is not None:
        about["question"] = sheet.question(state)
        about["default"] = str(sheet.default(state))
        about["plans"] = {
            seat: (sheet.moments(state, seat), sheet.turn_plan(state, seat)) for seat in game.record.players
        }
        about["marks"] = sheet.marks(state, played.state, played.step.events if played.step else ())
        about |= _build(sheet, state, played.entry.orders)
    for name, value in about.items():
        yield from _lines(name, value)


def _build(sheet: Sheet, state: State, orders: str) -> dict[str, object]:
    """The build page with the orders that were given, a step that is not legal, and the tiles of one hex."""
    steps = [step for step in orders.split(" ", 1)[-1].split("; ") if step != "nothing"]
    if not orders.startswith(("build ", "track ")):
        return {}
    builder = builder_of(sheet)
    draft = builder.draft(state, steps)
    label = builder.draft(state, ()).hexes[-1].label if builder.draft(state, ()).hexes else ""
    return {
        "draft": draft,
        "spoiled": builder.draft(state, [NONSENSE, *steps[:1], *steps]).steps,
        "tiles": builder.tiles_at(state, (), label) if label else (),
    }


def _lines(path: str, value: object) -> Iterator[str]:
    match value:
        case Refusal():
            yield f"{path}: {value.rule} {value.sentence()}"
        case Say() | str() | int() | float() | None:
            yield f"{path}: {value}"
        case Mapping():
            for key, inner in value.items():
                yield from _lines(f"{path}/{key}", inner)
        case list() | tuple():
            for place, inner in enumerate(value):
                yield from _lines(f"{path}/{place}", inner)
        case frozenset() | set():
            yield f"{path}: {' '.join(sorted(map(str, value)))}"
        case msgspec.Struct():
            for name in value.__struct_fields__:
                if name not in {"state", "board", "chains"}:
                    yield from _lines(f"{path}/{name}", getattr(value, name))
        case _ if is_dataclass(value) and not isinstance(value, Board):
            for field in fields(value):
                if field.name not in {"state", "board", "chains"}:
                    yield from _lines(f"{path}/{field.name}", getattr(value, field.name))
            if type(value) is Choice:  # kept when every choice had a cube, most of them none
                yield f"{path}/cube: "
        case Board():
            return
        case _:
            yield f"{path}: {value}"


def write() -> None:
    """Keep what is shown today."""
    HERE.mkdir(exist_ok=True)
    for sheet in catalog.sheets():
        text = "".join(f"{line}\n" for line in shown(sheet))
        path_of(sheet).write_bytes(lzma.compress(text.encode(), preset=9))


if __name__ == "__main__":
    write()
