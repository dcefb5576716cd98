"""An own map on paper: sheets that show every hex at the size that was asked for, and a line to measure."""

import re
from math import sqrt

import pytest

from pbem.render import PAPERS, map_geometry, sheet_svg, sheets
from pbem.settings.paths import templates_folder
from pbem.web.boards.pictures import sample
from tests.drawn import map_of
from tests.web.games.test_my_maps import get
from tests.web.site import Site

BOX = re.compile(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)"')


@pytest.mark.parametrize("tile", [25, 38, 50])
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_hexes_have_the_size_of_a_tile_and_the_line_is_100_mm(site: Site, tile: int, paper: str) -> None:
    scene = sample(map_of(site.office, site.host, site.now).sheet)
    cut = sheets(scene, tile, paper)
    geometry, shown = map_geometry(scene.board), set[str]()
    for number in range(cut.number):
        drawn = sheet_svg(scene, tile, paper, number)
        box = BOX.search(drawn)
        assert box is not None
        wide, _, x, y, across, _ = map(float, box.groups())
        assert geometry.radius * sqrt(3) * wide / across == pytest.approx(tile, abs=0.05)
        line = re.search(r"h([\d.]+)\" stroke=\"#000\"", drawn)
        assert line is not None
        assert float(line[1]) * wide / across == pytest.approx(100, abs=0.05)
        down = PAPERS[paper][1] * across / wide
        shown |= {
            label for label, (cx, cy) in geometry.centres.items() if x <= cx <= x + across and y <= cy <= y + down
        }
    assert shown == set(geometry.centres)
    high = re.search(r"height=\"([\d.]+)mm", drawn)
    assert high is not None
    style = (templates_folder() / "static" / "sheets.css").read_text("utf-8")
    assert f"width: {wide:.0f}mm; aspect-ratio: {wide:.0f} / {float(high[1]):.0f};" in style, (
        "it is shown before it is there"
    )


def test_the_page_shows_every_sheet_and_asks_for_the_tile(site: Site) -> None:
    made = map_of(site.office, site.host, site.now)
    site.log_in()
    there = get(site, f"/maps/play/{made.key}").link("/print")
    page = get(site, f"{there}&tile=38&paper=letter")
    number = sheets(sample(made.sheet), 38, "letter").number
    assert len(page.pictures) == number > 1
    for picture in page.pictures:
        answer = site.client.get(picture["src"], base_url="https://play.example.org")
        assert answer.mimetype == "image/svg+xml"
    for odd in ("tile=x&paper=x", "tile=1", "tile=999"):
        get(site, f"{there}&{odd}")
    for which in (0, number + 1):
        assert site.client.get(f"/maps/play/{made.key}/sheet-{which}.svg?tile=38&paper=letter").status_code == 404
