"""The guides of ``docs/`` that say how something is added: their blocks are the files that a test writes and uses."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 120
"""Lines of a guide: two pages."""
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """A guide of ``docs/``, which must not be longer than two pages."""
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    lines = text.count("\n")
    assert lines <= LONGEST, f"docs/{name}.md has {lines} lines"
    return text


def files(name: str) -> dict[str, str]:
    return dict(BLOCK.findall(page(name)))


def write(name: str, folder: Path) -> None:
    """Write the files of a guide into a folder, and nothing else."""
    for path, text in files(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
