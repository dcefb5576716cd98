"""``python -m bench.profile``: where the processor's time of one turn goes, late in games of five on the Rust Belt.

Plays the turns of ``bench/turns.py`` on SQLite and looks every millisecond of the processor what is being done: the
innermost function that belongs to a part of the server says which part it is. ``--postgresql`` plays them on
PostgreSQL; ``--stacks FILE`` writes every stack with its microseconds, as flame graph programs read them.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from bench.late import stock
from bench.turns import play, serving
from tests import servers

EVERY = 0.001
GAMES = 7
ROOT = str(Path(__file__).parents[1]) + "/"
PARTS: tuple[tuple[str, str, str], ...] = (
    ("encode", "pbem/render/encode.py", ""),
    ("encode", "pbem/render/strips.py", ""),
    ("draw", "pbem/render/", ""),
    ("draw", "workers/pictures.py", ""),
    ("SMTP", "pbem/transport/smtp/", ""),
    ("compose", "pbem/mail/", ""),
    ("letter view", "pbem/service/letter_views/", ""),
    ("letter view", "pbem/service/letters/kinds/", ""),
    ("outbox", "pbem/service/letters/", ""),
    ("play", "pbem/service/orders/submissions.py", "play_waiting"),
    ("submit", "pbem/service/orders/submissions.py", "submit"),
    ("web", "pbem/web/", ""),
    ("outbox", "workers/work.py", "send"),
)
"""Parts by file (or folder) and function; an empty function means all of them. The first that fits a frame counts."""
OTHER = "other"


@dataclass
class Profile:
    """Seconds by part, those of them in SQLAlchemy and the database's driver, and seconds by stack."""

    parts: Counter[str] = field(default_factory=Counter)
    database: Counter[str] = field(default_factory=Counter)
    stacks: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _last: float = 0.0

    def begin(self) -> None:
        """From now on."""
        self._last = time.process_time()

    def look(self, _signal: int, frame: FrameType | None) -> None:
        """What has been used since the last look belongs to what is being done now.

        A long call into C is seen when it returns: that is why the time is measured and looks are not just counted.
        """
        now = time.process_time()
        spent, self._last = now - self._last, now
        frames = list(outwards(frame))
        part = next(filter(None, map(part_of, frames)), OTHER)
        self.parts[part] += spent  # type: ignore[assignment]
        if any("/sqlalchemy/" in each.f_code.co_filename for each in frames):
            self.database[part] += spent  # type: ignore[assignment]
        self.stacks[tuple(named(each) for each in reversed(frames))] += spent  # type: ignore[assignment]


def outwards(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and all that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def part_of(frame: FrameType) -> str | None:
    """The part of the server that a frame belongs to."""
    path, function = frame.f_code.co_filename.removeprefix(ROOT), frame.f_code.co_name
    return next((part for part, where, name in PARTS if path.startswith(where) and name in ("", function)), None)


def named(frame: FrameType) -> str:
    """A frame as flame graphs show it."""
    return f"{frame.f_code.co_filename.removeprefix(ROOT).rpartition('site-packages/')[2]}:{frame.f_code.co_name}"


@contextmanager
def profiling() -> Iterator[Profile]:
    """Look at what this process does meanwhile."""
    profile = Profile()
    signal.signal(signal.SIGPROF, profile.look)
    profile.begin()
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        yield profile
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def table(profile: Profile, turns: int) -> str:
    """Milliseconds of each part for a turn, the dearest first."""
    whole = sum(profile.parts.values())
    lines = [f"{'part':<16}{'ms a turn':>10}{'share':>8}{'of it SQL':>11}"]
    for part, spent in [*profile.parts.most_common(), ("together", whole)]:
        sql = sum(profile.database.values()) if part == "together" else profile.database[part]
        lines.append(f"{part:<16}{1000 * spent / turns:>10.1f}{spent / whole:>8.0%}{1000 * sql / turns:>11.1f}")
    return "\n".join(lines)


def profiled(url: str) -> tuple[Profile, int]:
    """Play the games, the first one without being looked at."""
    with stock(GAMES) as games:
        games.copy_to(url)
        with serving(url) as (server, _):
            first, *others = games.games
            play(server, [first])
            with profiling() as profile:
                played = play(server, others)
    return profile, len(played.processor)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.profile", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--postgresql", action="store_true", help="on PostgreSQL, with fsync on")
    parser.add_argument("--stacks", type=Path, metavar="FILE", help="write stacks for a flame graph")
    asked = parser.parse_args()
    if asked.postgresql:
        with servers.postgresql(on_disk=True) as url:
            profile, turns = profiled(url)
    else:
        with tempfile.TemporaryDirectory() as folder:
            profile, turns = profiled(f"sqlite:///{folder}/profile.sqlite")
    print(f"{turns} turns\n{table(profile, turns)}")
    if asked.stacks:
        lines = (f"{';'.join(stack)} {round(1_000_000 * spent)}\n" for stack, spent in profile.stacks.items())
        asked.stacks.write_text("".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
