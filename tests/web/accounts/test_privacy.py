"""The page about what is kept names every table and every cookie, with the times that the program works with."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.language import languages
from pbem.service.archive import copies
from pbem.service.operator import jobs
from pbem.store import kept_backups
from pbem.store.tables import Table
from pbem.web.accounts.privacy import KEPT
from tests.web.accounts.test_about import told
from tests.web.addresses import BASE
from tests.web.site import Site


def tables(page: str) -> list[str]:
    """The names that stand beside *Tables*, in order."""
    return [
        name for row in re.findall(r'<dd class="small">(.*?)</dd>', page) for name in re.findall(r"<code>(\w+)", row)
    ]


@pytest.mark.parametrize("language", [language.code for language in languages()])
def test_every_table_of_the_database_is_named_once(empty: Site, language: str) -> None:
    page = empty.client.get("/privacy", headers={"Accept-Language": language}).text
    assert f'<html lang="{language}">' in page
    assert sorted(tables(page)) == sorted(Table.metadata.tables), (
        "pbem/web/accounts/privacy.py and privacy.html tell of tables"
    )


def test_every_part_says_what_for_how_long_and_who_sees_it(empty: Site) -> None:
    page = empty.client.get("/privacy").text
    for part in KEPT:
        assert re.search(
            rf'<h3 id="{part}">[^<]+</h3>\s*<p>[^<]+</p>\s*<dl class="facts">\s*(<dt>.*</dd>\s*){{3}}</dl>', page
        )


def test_times_are_those_of_the_program(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    page = empty.client.get("/privacy").text
    for said in ("Files: 3 days", "A link works for 20 minutes, a log-in for 90 days", "the last 30"):
        assert said in page
    monkeypatch.setattr(copies, "KEPT", timedelta(days=5))
    monkeypatch.setattr(jobs, "KEPT", 7)
    page = empty.client.get("/privacy").text
    assert "Files: 5 days" in page
    assert "the last 7." in page


def test_every_cookie_that_is_set_is_named(site: Site) -> None:
    page = site.client.get("/privacy").text
    named = set(re.findall(r"<li><code>([\w-]+)</code>", page))
    assert len(named) == 4
    sources = (Path(__file__).parents[3] / "pbem" / "web").rglob("*.py")
    assert sum(source.read_text("utf-8").count(".set_cookie(") for source in sources) == 1
    seat = site.path(site.office.addresses.seat(site.game, 0))
    answers = [
        site.client.post(seat, base_url=BASE),
        site.app.test_client().post("/language", data={"language": "pl"}, base_url=BASE),
    ]
    given = {cookie.partition("=")[0] for answer in answers for cookie in answer.headers.getlist("Set-Cookie")}
    assert len(given) == 2
    assert given <= named


def test_what_the_settings_change_is_told(empty: Site) -> None:
    page = empty.client.get("/privacy").text
    assert "emails are not sent but kept as files" in page
    assert "makes no backups by itself" in page
    told(empty, smtp_url="smtp://localhost", imap_url="imaps://me:s3cret@mail.example.org", backup_dir=Path("/backups"))
    page = empty.client.get("/privacy").text
    assert "Your mail provider, and the mail server of the operator" in page
    assert "into a mailbox of the operator" in page
    assert f"each of the last {kept_backups.WEEKS} weeks" in page
    assert "s3cret" not in page
    assert "-outbox" not in page


def test_it_leads_to_what_one_can_do(site: Site) -> None:
    site.log_in()
    for path in ("/account", "/account/delete", "/login"):
        assert f'href="{path}' in site.client.get("/privacy", base_url=BASE).text
        assert site.client.get(path, base_url=BASE).status_code in (200, 303)
    foot = site.client.get("/").text.partition('<footer class="foot">')[2]
    assert '<a href="/privacy">Privacy</a>' in foot
