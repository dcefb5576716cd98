"""What can be known without running: bandit over our code (``python -m tests.audit code``, a part of ``make check``)
and what is known against the locked dependencies (``python -m tests.audit dependencies``).

pip-audit passes over packages that PyPI does not tell it anything about, and is content. Here that is no good news:
status 1 when bandit or an advisory finds something, 2 when nothing is known about packages, or nobody could be asked.
"""

import json
import subprocess
import sys
from typing import Any

LOCKS = ("requirements.lock", "requirements-build.lock")
BANDIT = (sys.executable, "-m", "bandit", "--quiet", "--configfile", "pyproject.toml", "--recursive")
OURS = ("pbem", "workers", "maps")
PIP_AUDIT = (
    sys.executable, "-m", "pip_audit", *(word for lock in LOCKS for word in ("--requirement", lock)), "--disable-pip",
    "--no-deps", "--progress-spinner", "off", "--format", "json",
)  # fmt: skip
PATIENCE = 600
BOTH = " and ".join(LOCKS)
FOUND, UNKNOWN = 1, 2
"""How it ends: something was found; it is not known whether there is something."""


def report(dependencies: list[dict[str, Any]]) -> tuple[list[str], int]:
    """What to say about the dependencies of a report of pip-audit, and the status to end with."""
    known = [found for found in dependencies if "skip_reason" not in found]
    lines = [
        f"{found['name']} {found['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version'}"
        for found in known
        for flaw in found["vulns"]
    ]
    if len(known) < len(dependencies) or not known:
        told = f"{len(dependencies) - len(known)} of {len(dependencies)} packages of {BOTH}"
        lines.append(f"NOT AUDITED: advisory data could not be reached for {told}. Nothing is known about them.")
        return lines, FOUND if len(lines) > 1 else UNKNOWN
    if not lines:
        return [f"Nothing is known against the {len(known)} packages of {BOTH}."], 0
    return lines, FOUND


def code() -> int:
    """Print what bandit finds, but no warning: it gives one for every other expression on a line with ``# nosec``."""
    looked = subprocess.run([*BANDIT, *OURS], capture_output=True, text=True, timeout=PATIENCE, check=False)
    words = [line for line in looked.stderr.splitlines() if "WARNING" not in line]
    print("\n".join([*words, looked.stdout or f"bandit finds nothing in {', '.join(OURS)}."]))
    return looked.returncode


def dependencies() -> int:
    """Ask, print, and say with the status whether there is an advisory."""
    asked = subprocess.run(PIP_AUDIT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    try:
        found = json.loads(asked.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (asked.stderr.strip().splitlines() or ["no word of it"])[-1]
        print(f"NOT AUDITED: advisory data could not be reached: {reason}")
        return UNKNOWN
    lines, status = report(found)
    print("\n".join(lines))
    return status


PARTS = {"code": code, "dependencies": dependencies}


def main() -> int:
    """The parts that the arguments name, all without; what one of them found counts most."""
    ends = [PARTS[part]() for part in sys.argv[1:] or PARTS]
    return FOUND if FOUND in ends else max(ends)


if __name__ == "__main__":
    sys.exit(main())
