"""The Nu HTML checker, which knows what may stand where, asked about many files at once.

It is the ``vnu.jar`` that ``make .venv/vnu.jar`` fetches, and needs a Java.
"""

import re
import shutil
import subprocess
from pathlib import Path

JAR = Path(__file__).parents[2] / ".venv" / "vnu.jar"
QUICKLY = ("-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""For a program that runs two seconds: enough room for its schema, no threads that tidy up, no long compiling."""
NEWER = (
    "“scroll-initial-target”: Property “scroll-initial-target” doesn't exist",
    "“container-type”: Property “container-type” doesn't exist",
    "Unrecognized at-rule “@container”",
)
"""Newer than the checker: the chosen hex is in view without script where browsers know this; a table
knows how wide its frame is."""
MOST = 120
"""Seconds of the processor after which the checker is stuck."""
SAID = re.compile(r'"file:(?P<path>[^"]*)":(?P<rest>.*)')


def missing() -> str:
    """Why nobody can be asked, or nothing."""
    if shutil.which("java") is None:
        return "no HTML checker: java is not on the PATH"
    return "" if JAR.exists() else "no HTML checker: make .venv/vnu.jar fetches it"


def complaints(folder: Path) -> list[tuple[str, str]]:
    """Every error and every warning of the ``.html`` and ``.css`` files of a folder: name of the file, what is said."""
    checker = ("java", *QUICKLY, "-jar", str(JAR), "--also-check-css", "--format", "gnu", "--exit-zero-always")
    words = ["/bin/sh", "-c", f'ulimit -t {MOST}; exec "$@"', "sh", *checker, str(folder)]
    said = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=True).stderr
    found = []
    for line in said.splitlines():
        match = SAID.fullmatch(line)
        assert match, f"the checker says: {line}"
        if not any(newer in line for newer in NEWER):
            found.append((Path(match["path"]).name, match["rest"]))
    return found
