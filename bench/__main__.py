"""``python -m bench [NAME …]``: measure, print a table, write ``bench/results.json``.

Every other file here with a ``measure() -> list[Row]`` is a benchmark and runs in a process of its own, so that
none warms or burdens another. Beside each value stands that of the last release, which ``bench/released.json`` holds:
``python -m bench --release`` keeps the results of the run before as those. Exit status 1 when a limit is missed or a
benchmark ended with an error.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from bench.row import Row

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
RELEASED = HERE / "released.json"
RUN_ONE = """
import importlib, json, sys
rows = importlib.import_module(sys.argv[1]).measure()
json.dump([row.to_json() for row in rows], open(sys.argv[2], "w"))
"""


def benchmarks() -> list[str]:
    """The names of all benchmarks: files of this folder that define ``measure``."""
    return sorted(path.stem for path in HERE.glob("*.py") if "\ndef measure(" in path.read_text())


def run(name: str) -> list[Row] | None:
    """The rows of one benchmark, ``None`` when it ended with an error (which it has printed)."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "rows.json")
        done = subprocess.run([sys.executable, "-c", RUN_ONE, f"bench.{name}", str(out)], cwd=HERE.parent)
        return None if done.returncode else [row_from(stored) for stored in json.loads(out.read_text())]


def row_from(stored: dict[str, object]) -> Row:
    """A row that came back from its process; what can be computed is left out."""
    return Row(**{key: value for key, value in stored.items() if key not in ("ratio", "ok")})  # type: ignore[arg-type]


def number(value: float | None) -> str:
    """Three significant digits, thousands apart."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def bound(row: Row) -> str:
    """The limits of a row in words."""
    sign = "≥" if row.at_least else "≤"
    bounds = [f"{sign} {number(row.limit)} {row.unit}"] if row.limit is not None else []
    if row.most is not None:
        bounds.append(f"{sign} {number(row.most)} × floor")
    return ", ".join(bounds)


def cells(row: Row, before: Mapping[tuple[str, str], float]) -> tuple[str, ...]:
    """A row as the table prints it."""
    floor = f"{row.floor}: {number(row.floor_value)} {row.unit}" if row.floor else ""
    verdict = "" if row.limit is None and row.most is None else "ok" if row.ok else "MISSED"
    was = number(before.get((row.name, row.unit)))
    return (row.name, f"{number(row.value)} {row.unit}", was, number(row.ratio), floor, bound(row), verdict)


def table(rows: Sequence[Row], before: Mapping[tuple[str, str], float]) -> str:
    """All rows as aligned text, notes below."""
    head = ("what", "measured", "before", "ratio", "floor", "limit", "")
    lines = [head, *(cells(row, before) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    texts.insert(1, "-" * max(map(len, texts)))
    return "\n".join([*texts, *(f"{row.name}: {row.note}" for row in rows if row.note)])


def released() -> dict[tuple[str, str], float]:
    """The values of the last release by name and unit; nothing where none are kept."""
    if not RELEASED.is_file():
        return {}
    return {(row["name"], row["unit"]): row["value"] for row in json.loads(RELEASED.read_text())["rows"]}


def release() -> int:
    """Keep the results of the last run as those of the release."""
    if json.loads(RESULTS.read_text())["failed"]:
        print("A benchmark ended with an error; nothing is kept.", file=sys.stderr)
        return 1
    RELEASED.write_bytes(RESULTS.read_bytes())
    return 0


def write(rows: Sequence[Row], failed: Sequence[str]) -> None:
    """``bench/results.json``: the machine, the versions that matter and every row."""
    results = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "python": platform.python_version()},
        "versions": {name: metadata.version(name) for name in ("pillow", "sqlalchemy", "celery", "flask")},
        "rows": [row.to_json() for row in rows],
        "failed": list(failed),
    }
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def main(names: Sequence[str]) -> int:
    if list(names) == ["--release"]:
        return release()
    rows: list[Row] = []
    failed: list[str] = []
    for name in names or benchmarks():
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        measured = run(name)
        if measured is None:
            failed.append(name)
        else:
            rows += measured
    print(table(rows, released()))
    write(rows, failed)
    missed = [row.name for row in rows if not row.ok]
    for name in failed:
        print(f"bench/{name}.py ended with an error.", file=sys.stderr)
    for name in missed:
        print(f"Limit missed: {name}.", file=sys.stderr)
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
