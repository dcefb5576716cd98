"""In another language no word of a page is English."""

from __future__ import annotations

import pytest

from tests.language import pseudo
from tests.web.addresses import Known
from tests.web.conftest import Played

NO_PAGES = (
    ".png",
    ".json",
    ".csv",
    ".gz",
    ".ics",
    ".txt",
    ".xml",
    ".zip",
    ".webp",
    ".pdf",
    ".webmanifest",
    ".js",
    ".css",
)
FOR_PROGRAMS = {"static", "api", "healthz", "readyz", "metrics", "source", "login"}
ALLOWED = ("pbem", "solo", "website", "post", "winters", "hooks", "example", "org")
"""Our name, a name of sheets in every language, titles of these games, and a webhook's address."""


def test_no_page_keeps_an_english_word(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    known = Known(played("started"))
    known.site.log_in()
    pseudo.speak(monkeypatch)
    faults: list[str] = []
    seen = 0
    for rule, path in known.paths("GET"):
        if rule.endswith(NO_PAGES) or set(rule.split("/")) & FOR_PROGRAMS or "<path:" in rule:
            continue
        answer = known.site.client.get(path, base_url=known.site.office.settings.public_url)
        if answer.status_code in (200, 403, 404):
            seen += 1
            faults += [f"{rule}: {fault}" for fault in pseudo.left(pseudo.texts(answer.text), ALLOWED)]
    assert seen > 40
    assert not faults, "\n".join(sorted(set(faults)))
