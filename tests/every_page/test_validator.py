"""Every page, email and style sheet, as the Nu HTML checker reads them: once, because its Java takes long to start."""

import shutil
from itertools import cycle
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from pbem.language import languages
from pbem.settings.paths import templates_folder
from tests.every_page import validator
from tests.every_page.decisions import kept, late_ones, stops
from tests.every_page.shots import name_of
from tests.every_page.test_every_page import FILES
from tests.web.accounts.test_host_page import run_by
from tests.web.addresses import BASE, Known
from tests.web.conftest import Games, Played

KEPT = ("northern_italy-5-to-the-end-cash_action=5", "st_lucia-2-to-the-last-turn-partial_link_bonus=yes")
"""Kept games that are looked at once at every kind of decision, and when they are over."""
EMAILS = Path(__file__).parents[1] / "mail" / "golden"
pytestmark = pytest.mark.skipif(bool(validator.missing()), reason=validator.missing())


class Gathered:
    """Pages in a folder, as the checker wants them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pages = folder, 0

    def keep(self, answer: TestResponse, *words: str, code: int = 0) -> None:
        """Another page, named by words; left out is what is no page, leads elsewhere, or is 404 without ``code``."""
        with answer:
            if answer.mimetype == "text/html" and answer.status_code not in {301, 302, 303, 404} - {code}:
                (self.folder / f"{name_of(*words)}.html").write_text(answer.text, "utf-8")
                self.pages += 1


def test_every_page_and_every_email_is_good_html_and_css(played: Played, saved: Games, tmp_path: Path) -> None:
    gathered, known = Gathered(tmp_path), Known(played("started"))
    site, speech = known.site, cycle(language.code for language in languages())
    run_by(site, "ana@example.org")
    stranger = site.app.test_client()
    for (rule, path), language in zip(known.paths("GET"), speech, strict=False):
        if not rule.endswith(FILES):
            gathered.keep(site.client.get(path, base_url=BASE), "host", rule)
            answer = stranger.get(path, base_url=BASE, headers={"Accept-Language": language})
            gathered.keep(answer, "stranger", rule)
    gathered.keep(stranger.get("/nothing", base_url=BASE), "nothing", code=404)
    for rule, path in known.paths("POST"):  # forms that come back with what is wrong
        gathered.keep(site.app.test_client().post(path, data={"orders": 'no "><p>'}, base_url=BASE), "post", rule)
    for name in KEPT:
        site = saved.fresh()
        for _, (phase, word) in stops(site, kept(name), late_ones(kept(name))):
            path = f"/games/{site.game}" if phase == "over" else site.turn()
            gathered.keep(site.app.test_client().get(path, base_url=BASE), name, phase, word)
        saved.close(site)
    assert gathered.pages > 120
    for file in (*EMAILS.glob("*.html"), *(templates_folder() / "static").glob("*.css")):
        shutil.copy(file, tmp_path / file.name)
    (tmp_path / "bad-page.html").write_text(
        '<!DOCTYPE html><html lang="en"><title>x</title><a href="/"><p><b>x</p></a>'
    )
    (tmp_path / "bad-style.css").write_text("p { colour: red }")
    found = validator.complaints(tmp_path)
    assert {file for file, _ in found if file.startswith("bad-")} == {"bad-page.html", "bad-style.css"}  # it is heard
    assert not (faults := [f"{file}: {said}" for file, said in found if not file.startswith("bad-")]), "\n".join(faults)
