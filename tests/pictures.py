"""The pictures of the README: ``make pictures``. A demo is played, and its emails and pages are looked at on the way.

Everything is real but the frame of the mail program: the email is the one that a player got, the page the one that its
link opens, the board the one of the last turn.
"""

import base64
import contextlib
import io
import re
import tempfile
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, Page

from pbem.demo import game
from pbem.demo.player import links
from pbem.engine import catalog
from tests.patience import PATIENCE
from tests.web.browsers import PHONE, launched

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PLAYERS, SEED = 4, "3"
EMAIL = re.compile(r"turn +5 +turn order")
"""The line of progress after which the next email asks to take an action."""
PAGE = re.compile(r"turn +5 +select actions")
"""The one after which the next page asks to build track."""
HEAD = """<div style="padding: 16px 20px; background: #fff; color: #555; border-bottom: 1px solid #d9d9d9">
<div style="margin-bottom: 6px; font-size: 20px; font-weight: bold; color: #222">{subject}</div>
<b>{sender}</b><br>{to}</div>"""
"""What a mail program shows over an email."""
WIDE, TALL = 700, 1500
"""Pixels of an email that are shown: to the end of the board."""


class Camera:
    """Takes the pictures of a demo in ``demo`` while it tells how far it is."""

    def __init__(self, browser: Browser, demo: Path, folder: Path) -> None:
        self._browser, self._demo, self._folder = browser, demo, folder

    def told(self, line: str) -> None:
        """Called for every line of progress; the demo waits meanwhile."""
        print(line, flush=True)
        if EMAIL.match(line):
            self._email(self._next_question())
        if PAGE.match(line):
            self._page(links(self._next_question()).page)

    def board(self) -> None:
        """When the demo is over: the board at the end of its last turn."""
        last = max((self._demo / "boards").glob("turn-*.png"), key=lambda path: int(path.stem.partition("-")[2]))
        _save(Image.open(last), self._folder / "board.png", colours=128)

    def _next_question(self) -> EmailMessage:
        """The email of the player who is asked now."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            newest = max((self._demo / "mails").glob("*-your-turn.eml"))
            letter = message_from_bytes(newest.read_bytes(), _class=EmailMessage, policy=policy.default)
            root, _, token = links(letter).page.rpartition("/t/")
            with contextlib.suppress(HTTPError), urlopen(f"{root}/api/v1/turn/{token}"):
                return letter
            time.sleep(0.1)  # it has been answered; the next one is on its way
        raise RuntimeError("nobody is asked")

    def _email(self, letter: EmailMessage) -> None:
        told = {"subject": letter["Subject"], "sender": letter["From"], "to": letter["To"]}
        head = HEAD.format_map({name: escape(str(text)) for name, text in told.items()})
        with self._browser.new_page(viewport={"width": WIDE, "height": TALL}, device_scale_factor=1.5) as page:
            page.set_content(re.sub("<body[^>]*>", lambda body: body[0] + head, _with_pictures(letter), count=1))
            self._shot(page, "email.png")

    def _page(self, address: str) -> None:
        with self._browser.new_page(viewport=PHONE, device_scale_factor=2, has_touch=True) as page:
            page.goto(address)
            self._shot(page, "phone.png")

    def _shot(self, page: Page, name: str) -> None:
        page.wait_for_timeout(500)  # the board is laid out by a script
        picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
        _save(picture, self._folder / name, colours=256)


def _with_pictures(letter: EmailMessage) -> str:
    """The HTML of an email with the pictures that it brings inside."""
    part = letter.get_body(("html",))
    assert part is not None
    html = str(part.get_content())
    for picture in letter.walk():
        if (name := picture["Content-ID"]) and picture.get_content_maintype() == "image":
            data = base64.b64encode(picture.get_content()).decode()
            html = html.replace(f"cid:{str(name).strip('<>')}", f"data:{picture.get_content_type()};base64,{data}")
    return html


def _save(picture: Image.Image, file: Path, colours: int) -> None:
    picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(file, optimize=True)


def take(folder: Path) -> None:
    """Play the demo and write ``email.png``, ``phone.png`` and ``board.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    with launched() as browser, tempfile.TemporaryDirectory() as name:
        demo = Path(name) / "demo"
        camera = Camera(browser, demo, folder)
        game.run(game.Setup(catalog.sheet("age-of-steam", "rust_belt"), PLAYERS, SEED, demo), camera.told)
        camera.board()


if __name__ == "__main__":
    take(FOLDER)
