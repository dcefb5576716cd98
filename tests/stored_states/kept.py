"""States as released versions stored them, one file for each sheet and version; a file is never written again."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

STATES = Path(__file__).with_name("states")
WRITE = "python -m tests.stored_states.write VERSION"


@dataclass(frozen=True)
class Kept:
    """One stored state.

    ``stored``: the bytes of ``Sheet.encode`` as text. ``digest``: of the position, as a record would hold it.
    ``asked`` and ``table``: what is asked, and the table of the players, for people to compare.
    """

    moment: str
    turn: int
    phase: str
    to_act: str
    over: bool
    digest: str
    asked: str
    table: list[str]
    stored: str


@dataclass(frozen=True)
class Kind:
    """The states of one sheet in one version."""

    version: str
    game: str
    map: str
    states: tuple[Kept, ...]

    @property
    def path(self) -> Path:
        return STATES / self.version / self.game / f"{self.map}.json"


def save(kind: Kind) -> None:
    """Write the file of a sheet. Raises ``FileExistsError`` when there is one: what was released stays as it was."""
    kind.path.parent.mkdir(parents=True, exist_ok=True)
    with kind.path.open("x", encoding="utf-8") as file:
        json.dump(asdict(kind), file, indent=1, ensure_ascii=False)
        file.write("\n")


def load(path: Path) -> Kind:
    """Read such a file."""
    raw = json.loads(path.read_text("utf-8"))
    return Kind(raw["version"], raw["game"], raw["map"], tuple(Kept(**state) for state in raw["states"]))


def every_kind() -> Iterator[Kind]:
    """All files of all versions, oldest version first."""
    for path in sorted(STATES.glob("*/*/*.json"), key=lambda path: (_numbers(path.parts[-3]), path)):
        yield load(path)


def newest(game: str, map: str) -> Kind | None:
    """The states of the newest version that has any of this sheet."""
    return next((kind for kind in reversed(list(every_kind())) if (kind.game, kind.map) == (game, map)), None)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
