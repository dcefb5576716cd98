"""The page about watching a server names what there is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "watching.md").read_text()


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
    for command in set(re.findall(r"^(?:    )?(?:\$ )?pbem (\w+)", PAGE, re.MULTILINE)):
        assert (ROOT / "pbem" / "cli" / f"{command}.py").is_file()
