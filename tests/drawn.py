"""Maps that somebody has drawn, for tests: a small one with three Cities and a short game for two to four players, and
one of a hundred hexes."""

from datetime import datetime
from pathlib import Path

from pbem.engine import catalog
from pbem.service import Office
from pbem.service.own_maps import drafts, versions
from pbem.service.own_maps.versions import Version

SMALL = """\
name = "Douro"
remark = "a {short} game of 50%"
designer = "Davi"
orientation = "flat-top"
provenance = "Own design {on} real land."
sketch = \"\"\"
*   .   o   .   .
  .   .   .   *   .
.   o   .   .   .
  .   .   ^   .   o
*   .   .   .   .
  .   .   .   .   .
\"\"\"

[cities]
"Porto" = { hex = "A0", colours = ["red", "black"], columns = ["L1", "L2"], cubes = 2 }
"Lamego" = { hex = "E0", colours = ["blue", "yellow"], columns = ["L3", "D1"], cubes = 2 }
"Braga" = { hex = "B7", colours = ["purple"], columns = ["D2", "D3"], cubes = 3 }

[towns]
"Espinho" = "A4"
"Ovar" = "C2"
"Chaves" = "D9"

[rules]
players = [2, 4]
turns = { 2 = 2, 3 = 2, 4 = 2 }
"""
LAKELAND = (Path(__file__).parent / "lakeland.toml").read_text("utf-8")
"""What strokes and fields of the painter come to (tests/web/games/test_painted_and_played.py)."""
SLUG = catalog.own(catalog.GAME_OF_DRAWINGS, SMALL).slug


def map_of(office: Office, account_id: int, now: datetime, text: str = SMALL) -> Version:
    """A version of a map of this account that robots have tried."""
    key = drafts.begin(office, account_id, text, now)
    made = versions.make(office, key, account_id, now)
    versions.tried(office, made.id, now)
    return versions.of_slug(office, made.slug)
