"""``python -m bench [NAME …]``: measure, and print a table.

Every other file here with a ``measure() -> list[Row]`` is a benchmark and runs in a process of its own, so that
none warms or burdens another. The calibration is measured before and after each. Exit status 1 when a limit is missed
or a benchmark ended with an error.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.row import Row

HERE = Path(__file__).parent
RUN_ONE = """
import importlib, json, sys
from dataclasses import asdict
from bench.calibration import pace
before = pace()
rows = importlib.import_module(sys.argv[1]).measure()
found = (before + pace()) / 2
json.dump([{**asdict(row), "pace": found} for row in rows], open(sys.argv[2], "w"))
"""


def benchmarks() -> list[str]:
    """The names of all benchmarks: files of this folder that define ``measure``."""
    return sorted(path.stem for path in HERE.glob("*.py") if "\ndef measure(" in path.read_text())


def run(name: str) -> list[Row] | None:
    """The rows of one benchmark, ``None`` when it ended with an error (which it has printed)."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "rows.json")
        done = subprocess.run([sys.executable, "-c", RUN_ONE, f"bench.{name}", str(out)], cwd=HERE.parent)
        return None if done.returncode else [Row(**stored) for stored in json.loads(out.read_text())]


def number(value: float) -> str:
    """Three significant digits, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def cells(row: Row) -> tuple[str, ...]:
    """A row as the table prints it."""
    measured = f"{number(row.value)} {row.unit}"
    if row.limit is None or row.limit_here is None:
        return row.name, measured, "", "", ""
    sign = "≥" if row.at_least else "≤"
    here = f"here {sign} {number(row.limit_here)}" if row.timed else ""
    return row.name, measured, f"{sign} {number(row.limit)} {row.unit}", here, "ok" if row.ok else "MISSED"


def table(rows: Sequence[Row]) -> str:
    """All rows as aligned text, notes below."""
    lines = [("what", "measured", "limit", "", ""), *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    texts.insert(1, "-" * max(map(len, texts)))
    return "\n".join([*texts, *(f"{row.name}: {row.note}" for row in rows if row.note)])


def main(names: Sequence[str]) -> int:
    if unknown := sorted(set(names) - set(benchmarks())):
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(benchmarks())}.", file=sys.stderr)
        return 2
    rows: list[Row] = []
    failed: list[str] = []
    for name in names or benchmarks():
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        measured = run(name)
        if measured is None:
            failed.append(name)
        else:
            print(f"everything takes {measured[0].pace:.2f} times as long as on the reference machine", file=sys.stderr)
            rows += measured
    print(table(rows))
    missed = [row.name for row in rows if not row.ok]
    for name in failed:
        print(f"bench/{name}.py ended with an error.", file=sys.stderr)
    for name in missed:
        print(f"Limit missed: {name}.", file=sys.stderr)
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
