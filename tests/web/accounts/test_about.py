"""Pages say who runs the server and whose names are used; programs find an icon, and whom to tell of a weakness."""

import io
import re
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from justhtml import JustHTML
from PIL import Image

from pbem.language import languages
from pbem.web.base import context
from tests.web.addresses import BASE
from tests.web.site import Site

UNNAMED = {"operator_name": "", "contact": "", "postal_address": ""}
SECURITY = "/.well-known/security.txt"


def told(site: Site, **settings: object) -> None:
    """The server as it is with other settings."""
    changed: dict[str, Any] = {**settings}
    site.office = replace(site.office, settings=replace(site.office.settings, **changed))
    site.app.extensions[context.EXTENSION] = context.RequestContext(site.office, lambda: site.now, 0)


def test_every_foot_leads_to_who_runs_the_server_and_says_unofficial(site: Site) -> None:
    for path in ("/", "/maps", "/nothing", f"/games/{site.game}", site.turn()):
        page = site.client.get(path).text
        foot = page[page.index('<footer class="foot">') :]
        assert re.search(r'<ul>\s*<li><a href="/names">Unofficial<', foot), (
            f"{path}: first, where a phone shows one line"
        )
        assert '<a href="/about">' in foot, path


@pytest.mark.parametrize("language", [language.code for language in languages()])
def test_who_runs_the_server_is_named_in_every_language(empty: Site, language: str) -> None:
    for path in ("/about", "/names"):
        page = empty.client.get(path, headers={"Accept-Language": language}).text
        assert f'<html lang="{language}">' in page
        assert "The Tuesday Club" in page
        assert '<a href="mailto:club@example.org">club@example.org</a>' in page
        assert "1 Station Road, 12345 Railton" in page
        assert "PBEM_" not in page


def test_a_contact_can_be_a_page(empty: Site) -> None:
    told(empty, contact="https://example.org/contact?x=1&y=2")
    assert '<a href="https://example.org/contact?x=1&amp;y=2">' in empty.client.get("/about").text


@pytest.mark.parametrize("path", ["/about", "/names"])
def test_what_is_not_set_is_said_plainly(empty: Site, path: str) -> None:
    told(empty, **UNNAMED)
    page = empty.client.get(path).text
    assert "has not said yet who runs this server" in page
    assert "has not said yet how to reach them" in page
    assert "PBEM_OPERATOR_NAME and PBEM_CONTACT" in page
    told(empty, operator_name="<b>Eve</b>")
    page = empty.client.get(path).text
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page
    assert "has not said yet who" not in page
    assert "set PBEM_CONTACT and restart" in page


def test_names_says_what_comes_from_others(empty: Site) -> None:
    page = empty.client.get("/names").text
    notice = " ".join((Path(__file__).parents[3] / "NOTICE").read_text("utf-8").split())
    for said in ("Copyright (c) 2021 Tobias Mao", "IBM Plex Sans Condensed", "Copyright (c) 2017 IBM Corp.",
                 "SIL Open Font License 1.1", "https://github.com/YourDeveloperFriend/choochoo",
                 "is not made, endorsed or approved by the authors, artists or publishers"):  # fmt: skip
        assert said in page
        assert said in notice


def test_security_txt_is_as_its_rfc_asks(empty: Site) -> None:
    answer = empty.client.get(SECURITY, base_url=BASE)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    assert [name for name, _ in fields] == ["Contact", "Expires", "Preferred-Languages", "Canonical"]
    found = dict(fields)
    assert found["Contact"] == "mailto:club@example.org"
    assert found["Canonical"] == f"{BASE}{SECURITY}"
    assert timedelta(days=30) < datetime.fromisoformat(found["Expires"]) - empty.now < timedelta(days=365)
    assert re.fullmatch(r"[a-z]{2}(, [a-z]{2})*", found["Preferred-Languages"])


def test_security_txt_names_the_page_of_a_contact(empty: Site) -> None:
    told(empty, contact="https://example.org/contact")
    assert "Contact: https://example.org/contact\n" in empty.client.get(SECURITY).text


@pytest.mark.parametrize("lacks", [{"contact": ""}, {"public_url": "http://127.0.0.1:8000"}])
def test_without_a_contact_or_https_there_is_no_security_txt(empty: Site, lacks: dict[str, str]) -> None:
    told(empty, **lacks)
    assert empty.client.get(SECURITY).status_code == 404


def test_whoever_asks_for_an_icon_without_a_page_gets_one(empty: Site) -> None:
    answer = empty.client.get("/favicon.ico")
    assert (answer.status_code, answer.mimetype) == (200, "image/x-icon")
    with Image.open(io.BytesIO(answer.data)) as icon:
        assert icon.info["sizes"] == {(16, 16), (32, 32), (48, 48)}


HOSTILE = """# Rules <script>alert(1)</script>

<iframe src="https://evil.example"></iframe>

[one](javascript:alert(1)) [two](data:text/html,x) [three](https://example.org/"onclick="x) ![four](https://evil.example/x.png)

<b onmouseover="x">five</b> &lt;script&gt; <javascript:alert(1)>

```"><script>
six
```
"""


def test_the_terms_of_the_operator_are_read_from_markdown(empty: Site) -> None:
    page = empty.client.get("/terms").text
    assert "<h2>Terms of the Tuesday Club</h2>" in page
    assert "<h3>What is not allowed</h3>" in page
    assert "<li>Two accounts for one person.</li>" in page
    assert '<a href="https://example.org/club">the club</a>' in page
    assert re.search(r'<footer.*<a href="/terms">Terms</a>', page, re.DOTALL)


def test_without_terms_there_is_no_page_of_them_and_no_link(empty: Site) -> None:
    told(empty, terms="")
    assert empty.client.get("/terms").status_code == 404
    assert 'href="/terms"' not in empty.client.get("/about").text


def test_hostile_markdown_is_text(empty: Site) -> None:
    told(empty, terms=HOSTILE)
    page = empty.client.get("/terms").text
    shown = page[page.index('<div translate="no">') : page.index("</article>")]
    tags = {found.lower() for found in re.findall(r"<(\w+)", shown)}
    assert tags <= {"div", "h2", "p", "a", "pre", "code"}
    assert not re.search(r"<[^>]*\bon\w+=", shown)
    assert all(link.startswith("https://") for link in re.findall(r'<a href="([^"]*)"', shown))
    assert not JustHTML(page, collect_errors=True).errors
    for word in ("one", "two", "three", "four", "five", "six"):
        assert word in shown


@pytest.mark.parametrize("text", ["[" * 40_000, "*a " * 20_000, "![[](" * 10_000, "> " * 20_000, "- " * 20_000])
def test_no_terms_keep_a_page_busy(empty: Site, text: str) -> None:
    told(empty, terms=text)
    began = time.process_time()
    assert empty.client.get("/terms").status_code == 200
    assert time.process_time() - began < 10
