"""``docs/extending.md``: its blocks are the files that a test writes and uses."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 120
"""Lines of a chapter that says how something is added: two pages."""
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def chapter(heading: str) -> str:
    """A chapter of the page, which must not be longer than two pages."""
    _, _, rest = (ROOT / "docs" / "extending.md").read_text("utf-8").partition(f"\n## {heading}\n")
    text = rest.partition("\n## ")[0]
    lines = text.count("\n")
    assert 0 < lines <= LONGEST, f"{heading} has {lines} lines"
    return text


def files(heading: str) -> dict[str, str]:
    return dict(BLOCK.findall(chapter(heading)))


def write(heading: str, folder: Path) -> None:
    """Write the files of a chapter into a folder, and nothing else."""
    for path, text in files(heading).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
