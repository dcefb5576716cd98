"""The icons of the installed site, drawn from the favicon by a browser: ``python -m tests.web.icons``.

Only this command writes: no test run does.
"""

from hashlib import sha256

from PIL import Image

from pbem.settings.paths import templates_folder
from pbem.web.interfaces.installing import BAND, ICONS
from tests.web.browsers import launched

STATIC = templates_folder() / "static"
SAFE = 66
"""Percent of a maskable icon that the sign takes: phones may cut away what lies outside a circle of 80 %."""
ON_BAND = {"#24433c": "#e9ecd9", "#f2f6f3": "#24433c"}
"""Colours of the favicon, and what they become on the band, as at the head of every page."""
PAGE = (
    "<style>body {{ margin: 0; display: grid; place-items: center; height: 100vh; {0} }} svg {{ width: {1}% }}</style>"
)
OF_OLD = (16, 32, 48)
"""Pixels of the sides of the pictures in ``favicon.ico``, for programs that ask for it without reading a page."""
DRAWN_FROM = "fe375e41"
"""How the digest of the favicon begins that the kept icons were drawn from."""


def digest() -> str:
    """That of the favicon of today."""
    return sha256((STATIC / "favicon.svg").read_bytes()).hexdigest()[:8]


if __name__ == "__main__":
    sign = (STATIC / "favicon.svg").read_text("utf-8")
    on_band = sign
    for colour, other in zip(ON_BAND, ("#one", "#two"), strict=True):
        on_band = on_band.replace(colour, other)
    for other, colour in zip(("#one", "#two"), ON_BAND.values(), strict=True):
        on_band = on_band.replace(other, colour)
    with launched() as browser:
        for name, side, purpose in ICONS:
            page = browser.new_page(viewport={"width": side, "height": side})
            maskable = purpose == "maskable"
            style = PAGE.format(f"background: {BAND}" if maskable else "", SAFE if maskable else 100)
            page.set_content(style + (on_band if maskable else sign))
            page.screenshot(path=STATIC / name, omit_background=True)
    with Image.open(STATIC / ICONS[0][0]) as largest:
        largest.save(STATIC / "favicon.ico", sizes=[(side, side) for side in OF_OLD])
    print(f"now drawn from {digest()}")
