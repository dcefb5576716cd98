"""Every page has one style sheet, of the parts it needs."""

import re

import pytest

from pbem.settings.paths import templates_folder
from pbem.web.base.styles import NEEDLESS, PARTS, joined, link
from tests.web.site import Site

LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
PLAIN = re.compile(r"\s+|/\*.*?\*/", re.DOTALL)


def _sheets(site: Site, page: str) -> list[str]:
    return [address.replace("&amp;", "&") for address in LINK.findall(site.get(page).html)]


def test_a_page_links_one_sheet_that_browsers_keep_for_ever(site: Site) -> None:
    for page in ("/", "/maps", f"/games/{site.game}", site.turn()):
        (address,) = _sheets(site, page)
        answer = site.client.get(address)
        assert (answer.status_code, answer.mimetype) == (200, "text/css")
        assert "immutable" in answer.headers["Cache-Control"]
        assert "--paper:" in answer.text
        assert ".board" in answer.text or page == "/maps"


def test_only_white_space_and_comments_are_left_out() -> None:
    for part in PARTS:
        kept = (templates_folder() / "static" / f"{part}.css").read_text("utf-8")
        shorter = joined((part,))
        assert PLAIN.sub("", shorter) == PLAIN.sub("", kept).replace(";}", "}")
        assert len(shorter) < len(kept)
    spaced = 'a :hover { content: " ; " attr(x); width: calc(1px + 2px) } /* no */ b'
    assert NEEDLESS.sub(lambda found: "".join(filter(None, found.groups())), spaced) == (
        'a :hover{content:" ; " attr(x);width:calc(1px + 2px)} b'
    )


def test_parts_there_are_not_are_no_page_and_no_link(site: Site) -> None:
    for name in ("site-marks-nothing", "marks-site", "site-site", ""):
        assert site.client.get(f"/style/{name}.css").status_code == 404
    with site.app.test_request_context(), pytest.raises(ValueError, match="no such part of the style: marble"):
        link(["marble"])
