"""Pages name what there is: files, figures, variables; their examples are true, and their sentences short."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.transport.webhooks import Message, body

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
LONGEST = 40
"""Words."""
WEBHOOKS = DOCS / "letters.md"
SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "hosting.md").read_text()


def exported() -> set[str]:
    """The names of all figures, as Prometheus stores them."""
    rows = re.findall(r'"(pbem_\w+)"', (ROOT / "pbem" / "web" / "interfaces" / "metrics.py").read_text())
    counted = re.findall(
        r'(Histogram|Counter)\(\s*"(pbem_\w+)"', (ROOT / "pbem" / "runtime" / "metrics.py").read_text()
    )
    return {*rows, *(f"{name}_total" if kind == "Counter" else name for kind, name in counted)}


def test_every_figure_is_explained_and_every_name_is_one_of_a_figure() -> None:
    assert len(exported()) > 12
    assert set(re.findall(r"\bpbem_[a-z]\w+", PAGE)) == exported()


def test_every_alarm_is_about_figures_that_exist() -> None:
    rules = re.findall(r"expr: (.+)", PAGE)
    assert len(rules) == 5
    for rule in rules:
        assert set(re.findall(r"pbem_\w+", rule)) <= exported()
        assert not re.search(r'="(?!orders|letters|500)', rule)


def test_variables_and_commands_of_the_page_exist() -> None:
    example = (ROOT / ".env.example").read_text()
    for name in set(re.findall(r"PBEM_\w+", PAGE)):
        assert f"\n{name}=" in example
    for command in set(re.findall(r"^    (?:\$ )?pbem (\w+)", PAGE, re.MULTILINE)):
        assert (ROOT / "pbem" / "cli" / f"{command}.py").is_file()


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"`([\w/.-]+(?:\.py|\.md|/))`", SECURITY)
    assert len(named) > 30
    homes = (ROOT / "tests", ROOT / "pbem", ROOT)
    assert [name for name in named if not any((home / name).exists() for home in homes)] == []


def test_the_example_is_what_a_program_is_told() -> None:
    block = re.search(r"```json\n(.*?)```", WEBHOOKS.read_text(), re.DOTALL)
    assert block is not None
    told = Message(
        "turn",
        "Coal by post",
        "Turn 5, build track. Waiting for: Ana.",
        "https://play.example.org/games/k7m2xyz",
        game="k7m2xyz",
        map="rust_belt",
        turn=5,
        phase="build_track",
        player="Ana",
        seat="pink",
        deadline=datetime(2026, 11, 29, 20, tzinfo=UTC),
    )
    assert json.loads(block.group(1)) == json.loads(body("json", told))


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


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_is_too_long_to_be_read_once(page: str) -> None:
    found = [part for passage in passages((DOCS / page).read_text("utf-8")) for part in sentences(passage)]
    long = [sentence for sentence in found if len(re.findall(r"\S*\w\S*", sentence)) > LONGEST]
    assert long == []
    assert len(found) > 10


def test_the_index_leads_to_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8").partition("## Where is")[0]
    assert set(re.findall(r"\]\((\w[\w-]*\.md)\)", index)) == {*PAGES} - {"README.md"}


LINKING = [*sorted(DOCS.rglob("*.md")), *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))]


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
