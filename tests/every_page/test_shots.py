"""Pages look as they did when somebody last looked at them; the kept pictures lie in ``shots``.

Another release of the browser may draw letters otherwise, so this belongs to the slow run.
"""

import pytest
from playwright.sync_api import Browser

from tests.every_page import shots
from tests.every_page.decisions import kept, late_ones, stops
from tests.every_page.looking import looking
from tests.every_page.test_every_page import ALL_KINDS, pages
from tests.web.addresses import Known
from tests.web.browsers import serving
from tests.web.conftest import Played
from tests.web.site import Site

pytestmark = pytest.mark.slow


def test_every_page_of_a_server_looks_as_it_did(chromium: Browser, played: Played) -> None:
    known = Known(played("started"))
    faults: list[str] = []
    with serving(known.site.app) as root, looking(chromium, root) as looker:
        for rule, path in pages(known, looker):
            looker.open(path)
            faults += shots.fault(looker.page, shots.name_of("page", rule))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ALL_KINDS)
def test_every_decision_looks_as_it_did(chromium: Browser, empty: Site, name: str) -> None:
    record, faults = kept(name), []
    with serving(empty.app) as root, looking(chromium, root) as looker:
        for _, (phase, word) in stops(empty, record, late_ones(record)):
            looker.open(f"/games/{empty.game}" if phase == "over" else empty.turn())
            faults += shots.fault(looker.page, shots.name_of(name.partition("-")[0], phase, word))
    assert not faults, "\n".join(faults)
