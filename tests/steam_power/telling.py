"""What is told of a position on the meadow, as lines of text: everything that is not empty.

``python -m tests.steam_power.telling`` writes ``said/`` anew. Read the difference of the failing test first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from pbem.engine.events import Event
from pbem.engine.moves import BadMove, Refusal, Refused
from pbem.engine.text import Say
from pbem.language.voice import GameVoice
from pbem.rails.board import Board
from pbem.rails.scene import Scene
from pbem.steam_power.game import SteamPower
from pbem.steam_power.state import State
from tests.steam_power.table import MEADOW, SOLO, Table, position

HERE = Path(__file__).parent / "said"
SILENT = {"state", "board", "chains", "track"}
"""What is not told: the state itself, the board, and track that is told as words."""


@dataclass(frozen=True)
class Moment:
    """A position and what is tried in it; ``whole``: the tables, the board and the picture are told too.

    ``orders``: orders by the seat to act, each from this position. ``drafts``: steps of a build page, parted by ``;``.
    ``ahead``: orders given ahead of time, by seat.
    """

    state: State
    sheet: SteamPower = MEADOW
    orders: Sequence[str] = ()
    drafts: Sequence[str] = ()
    tiles: Sequence[str] = ()
    ahead: Sequence[tuple[str, str]] = ()
    whole: bool = False


def told(moment: Moment) -> list[str]:
    """Everything that is told of a moment."""
    return list(_told(moment))


def _told(moment: Moment) -> Iterator[str]:
    sheet, state = moment.sheet, moment.state
    voice = GameVoice(sheet, state, {})
    scene = sheet.scene(state, subtitle="Now")
    about: dict[str, object] = {
        "head": [str(one) for one in (scene.headline, scene.phase, scene.end, scene.bag, "; ".join(scene.acts))],
        "moments": {seat: sheet.moments(state, seat) for seat in state.seats},
        "legal": sheet.legal(state),
        "placements": sheet.placements(state),
    }
    if not state.over:
        about["question"] = sheet.question(state)
        about["default"] = str(sheet.default(state))
    if moment.whole:
        about |= _table(sheet, state, scene)
    about |= {f"draft “{steps}”": sheet.draft(state, _steps(steps)) for steps in moment.drafts}
    about |= {f"tiles at {label}": sheet.tiles_at(state, (), label) for label in moment.tiles}
    for name, value in about.items():
        yield from _lines(name, value, voice)
    for order in moment.orders:
        yield from _lines(f"> {order}", _answer(moment, order), voice)
    for seat, orders in moment.ahead:
        yield from _lines(f"{seat} ahead > {orders}", _ahead(moment, seat, orders), voice)


def _table(sheet: SteamPower, state: State, scene: Scene) -> dict[str, object]:
    return {
        "hand": {seat: sheet.hand(state, seat) for seat in state.seats},
        "rows": sheet.rows(state),
        "words": sheet.words(state),
        "position": sheet.position(state, state.seat),
        "standings": sheet.standings(state),
        "verdict": sheet.verdict(state),
        "scene": scene,
    }


def _steps(text: str) -> list[str]:
    return text.split("; ") if text else []


def _answer(moment: Moment, order: str) -> object:
    table = Table(moment.state, sheet=moment.sheet)
    try:
        table.play(order)
    except (BadMove, Refused) as refused:
        return refused
    return table.events, moment.sheet.marks(moment.state, table.state, table.events)


def _ahead(moment: Moment, seat: str, orders: str) -> object:
    sheet = moment.sheet
    try:
        return sheet.take_standing_orders(moment.state, seat, sheet.parse(moment.state, orders, {}))
    except (BadMove, Refused) as refused:
        return refused


def _lines(path: str, value: object, voice: GameVoice) -> Iterator[str]:
    """A line for a leaf and for what has leaves only, else lines for every part."""
    if (leaf := _leaf(value, voice)) is not None:
        yield from [f"{path}: {leaf}"] if leaf else []
        return
    parts = {str(key): inner for key, inner in _parts(value).items() if _leaf(inner, voice) != ""}
    leaves = {key: _leaf(inner, voice) for key, inner in parts.items()}
    if parts and None not in leaves.values() and not isinstance(value, list | tuple):
        yield f"{path}: {'; '.join(f'{key} {leaf}' for key, leaf in leaves.items())}"
        return
    for key, inner in parts.items():
        yield from _lines(f"{path}/{key}", inner, voice)


def _leaf(value: object, voice: GameVoice) -> str | None:
    """What is one piece of text; empty where there is nothing to tell, ``None`` where it has parts."""
    match value:
        case None | False | "" | 0 | Board():
            return ""
        case Refused():
            return f"no{f' (line {value.line})' if value.line else ''}. {value.refusal.sentence()}"
        case BadMove() | Refusal():
            return str(value.sentence())
        case Say():
            return value.read(voice)
        case Event():
            return value.text().read(voice)
        case frozenset() | set():
            return " ".join(sorted(map(str, value)))
        case list() | tuple() if all(isinstance(one, str | int | None) for one in value):
            return " ".join(map(str, value))
        case Mapping() if all(isinstance(one, int) for one in value.values()):
            return ", ".join(f"{key} {one}" for key, one in value.items())
        case list() | tuple() | Mapping():
            return None if value else ""
    return None if is_dataclass(value) and type(value).__str__ is object.__str__ else str(value)


def _parts(value: Any) -> dict[object, object]:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list | tuple):
        return dict(enumerate(value, 1))
    return {field.name: getattr(value, field.name) for field in fields(value) if field.name not in SILENT}


# the moments ------------------------------------------------------------------------------------------------

CITIES = {
    "Alder": "black red 5",
    "Birch": "orange",
    "Cedar": "white green 2",
    "Dogwood": "purple",
    "Elm": "black blue 1",
    "Fir": "gray blue 1",
    "Gorse": "white blue 0",
    "Hazel": "purple",
    "Ivy": "orange green 3",
    "Juniper": "white",
    "Larch": "gray",
    "Maple": "black",
}
TRACK = {
    "C2": "red N-S",
    "G2": "blue N-S",
    "F3": "blue NE-NW",
    "D3": "green SE-SW",
    "C4": "blue N-S",
    "C8": "green N-S",
}
HANDS = {"red": "1 2 3 4 5 6 7 8", "blue": "9 10", "green": "11"}
CASH = {"red": 9, "blue": 12, "green": 4}
ON_THE_WAY = TRACK | {"C6": "red N-S", "E6": "red N-S"}
ACTIONS = ("cash", "draw", "factory Birch", "factory Larch", "factory Dogwood", "factory Alder", "factory Gorse",
           "factory C6", *(f"contract {number}" for number in range(1, 10)), "contract 7 option 1",
           "contract 7 option 9", "contract 7 white Cedar over blue",
           "contract 7 white bank", "contract 2 white Cedar over blue, white Cedar over blue, white bank",
           "contract 3 black Alder, orange Ivy over blue, gray Fir over green", "contract 8 orange Ivy over red",
           "draw from blue", "draw from red", "bonus skip", "cash; cash; cash")  # fmt: skip


def _full(**more: Any) -> State:
    given: dict[str, Any] = {"track": TRACK, "cities": CITIES, "hands": HANDS, "cash": CASH, "done": {"blue": 2}}
    return position(**(given | more))


def _after(order: str, **more: Any) -> State:
    return Table(_full(**more)).play(order).state


def _alone(**more: Any) -> State:
    given: dict[str, Any] = {"sheet": SOLO, "hands": {"gray": "1 2 3"}, "left": 1, "trains": ("blue", "blue", "green")}
    return position(**({"track": TRACK, "cities": CITIES} | given | more))


MOMENTS: dict[str, Moment] = {
    "a first action": Moment(
        _full(),
        whole=True,
        orders=(*ACTIONS, "track G2 NE-SW; E6 N-S", "track B3 NE-NW; G4 N-S", "track C2 NE-SW", "track remove"),
        drafts=("", "B3 NE-NW", "G4 N-S", "B3 NE-NW; remove", "B3 NE-SW; B3 NE-NW", "nonsense; C2 NE-SW; C6 N-S; cash"),
        tiles=("B3", "C6", "G2", "G4", "Q0", "A2"),
        ahead=(
            ("red", "cash; cash; cash"),
            ("blue", "contract 9; bonus skip; track C6 N-S; G4 N-S | cash; draw; cash"),
            ("green", "contract 11 | cash; bonus draw; bonus skip; cash"),
            ("green", "contract 9"),
            ("blue", "contract 9 option 1"),
            ("blue", "cash; cash; cash; cash; cash"),
        ),
    ),
    "a last action with a connection on its way": Moment(
        _full(track=ON_THE_WAY, left=1, cash={"red": 1}, bag=[20]),
        whole=True,
        orders=(
            "track remove",
            "track E6 N-S",
            "track E6 SE-SW",
            "track E6 N-SW",
            "track F5 N-S",
            "track G4 N-S",
            "track G6 N-S",
            "track G6 NE-SW",
            "track E6 N-SE; F7 S-NW",
            "track remove; remove",
            "track remove; remove; remove",
            "track B3 NE-NW",
            "contract 2",
            "draw",
        ),
        drafts=("", "remove", "E6 N-SW", "remove; remove", "E6 N-SE; F7 S-NW; remove", "G6 N-S"),
        tiles=("E6", "G6"),
        ahead=(("red", "cash; bonus skip; cash"),),
    ),
    "a bonus factory": Moment(
        _after("contract 5", cities=CITIES | {"Maple": "gray", "Nettle": "gray yellow 5", "Oak": "gray yellow 20"}),
        orders=(
            "bonus factory Birch",
            "bonus factory Birch 4",
            "bonus factory Birch 6",
            "bonus factory Birch 7",
            "bonus factory Juniper 4",
            "bonus draw",
            "bonus skip",
            "cash",
        ),
        ahead=(("red", "bonus skip; cash"),),
    ),
    "a bonus draw": Moment(
        _after("contract 6 gray Fir over blue"), orders=("bonus draw", "bonus draw from blue", "bonus skip", "draw")
    ),
    "a bonus draw from hands": Moment(
        _after("contract 6 gray Fir over blue", bag=[], hands={"red": "6", "blue": "9 10", "green": "11 12"}),
        orders=("bonus draw", "bonus draw from blue", "bonus draw from red"),
    ),
    "a bonus track": Moment(
        _after("contract 4"),
        orders=("bonus track B3 NE-NW", "bonus track B3 NE-NW; remove", "bonus factory Birch", "bonus skip"),
        drafts=("", "B3 NE-NW", "B3 NE-NW; H1 NE-SE"),
        tiles=("B3",),
    ),
    "a hand to draw from": Moment(
        Table(_full(bag=[21], hands={"red": "8", "blue": "9 10", "green": "11 12"})).play("draw").state,
        orders=("draw", "draw from blue", "draw from green", "draw from red", "cash"),
        ahead=(("red", "cash"), ("red", "draw")),
    ),
    "nothing left to draw": Moment(
        _full(bag=[], hands={"red": "8"}, left=1), orders=("draw", "draw from blue"), ahead=(("red", "cash; cash"),)
    ),
    "one contract left to draw": Moment(_full(bag=[22], hands={"red": "8"}), orders=("draw",)),
    "one hand left to draw from": Moment(_full(bag=[], hands={"red": "8", "blue": "9"}), orders=("draw",)),
    "the last round": Moment(
        _full(done={"red": 11, "blue": 2}, seat="blue"),
        whole=True,
        orders=("cash; cash", "contract 9"),
        ahead=(("green", "cash; cash"), ("green", "cash; cash; cash"), ("red", "cash")),
    ),
    "the end": Moment(Table(_full(done={"red": 11, "blue": 2}, seat="green")).play("cash; cash").state, whole=True),
    "alone": Moment(
        _alone(seat="blue"),
        SOLO,
        whole=True,
        orders=("contract 2", "contract 3", "factory Birch", "track G4 N-S; B3 NE-NW", "draw", "cash; cash"),
        drafts=("G4 N-S",),
        ahead=(("gray", "cash"),),
    ),
    "alone with a connection on its way": Moment(
        _alone(seat="red", track=ON_THE_WAY, turn=8, trains=()), SOLO, orders=("cash", "track remove")
    ),
}


def path_of(name: str) -> Path:
    """The file of a moment."""
    return HERE / f"{name.replace(' ', '-')}.txt"


def write() -> None:
    """Keep what is told today."""
    HERE.mkdir(exist_ok=True)
    for name, moment in MOMENTS.items():
        path_of(name).write_text("".join(f"{line}\n" for line in told(moment)), "utf-8")


if __name__ == "__main__":
    write()
