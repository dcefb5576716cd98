"""What the doctor says of limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import _machine
from pbem.settings.settings import Settings


@pytest.mark.parametrize(
    ("variables", "says", "do"),
    [
        ({}, "each client is counted separately", ""),
        (
            {"PBEM_PUBLIC_URL": "https://games.example.org", "PBEM_PROXIES": "1"},
            "each client is counted separately",
            "",
        ),
        ({"PBEM_PUBLIC_URL": "https://games.example.org"}, "counts as one client", "Set PBEM_PROXIES"),
        ({"PBEM_RATE_LIMITS": "off"}, "rate limits are off", "Remove PBEM_RATE_LIMITS=off"),
    ],
)
def test_limits_that_do_not_tell_clients_apart_deserve_a_look(
    tmp_path: Path, variables: dict[str, str], says: str, do: str
) -> None:
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path), **variables})
    (finding,) = [found for found in _machine.findings(settings) if found.name == "limits"]
    assert finding.well
    assert says in finding.says
    assert finding.do.startswith(do)
    assert bool(finding.do) == bool(do)
