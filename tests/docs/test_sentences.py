"""Sentences of the pages for people who play and host are short enough to be read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
REPORTS = {"mutants.md", "performance.md", "robots.md"}
"""What was measured, for those who measure it again."""
LONGEST = 40
"""Words."""


def passages(text: str) -> Iterator[str]:
    """Paragraphs, items of lists and cells of tables, without what is typed into a terminal or a file."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if not line.startswith("    ")]
        for passage in re.split(r"\n(?= *(?:[-*]|\d+\.) |\||#)", "\n".join(lines)):
            yield from passage.strip("|").split(" | ") if passage.startswith("|") else [passage]


def sentences(passage: str) -> list[str]:
    """What stands between full stops. In a cell, where there are none, between semicolons."""
    passage = re.sub(r"\]\([^)]*\)", "]", passage)
    end = r"[.!?:]" if re.search(r"\.(\s|$)", passage) else r"[.!?:;]"
    return re.split(rf"(?<={end})[\"”)\]*]*\s+(?=\S)", passage)


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md") if path.name not in REPORTS))
def test_no_sentence_is_too_long_to_be_read_once(page: str) -> None:
    found = [part for passage in passages((DOCS / page).read_text("utf-8")) for part in sentences(passage)]
    long = [sentence for sentence in found if len(re.findall(r"\S*\w\S*", sentence)) > LONGEST]
    assert long == []
    assert len(found) > 10
