"""Files of finished games: one page, books to print, every position as a picture, the game as an animation.

Pictures are drawn one after the other, and each in place of the one before, so that a long game takes no more memory
than a short one; only the animation is put together from small pictures that are all at hand.
"""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

from PIL import ExifTags, Image

import pbem
from pbem import render
from pbem.engine import Value, replace
from pbem.language import reading
from pbem.render import BOOK_PAPERS
from pbem.service import Office
from pbem.service.archive import books, copies, records
from pbem.service.base.seals import seal, sealed
from pbem.service.games import views
from pbem.settings.paths import names_to_disk
from pbem.store.statuses import CopyKind
from pbem.views.games import GameView
from pbem.web import game_file
from workers import work

log = logging.getLogger(__name__)

MOST = 400
"""Pictures of one file; of a longer game some orders are passed over, evenly."""
MOST_FRAMES = 240
"""The same for the animation, half a megabyte each."""
SMALLER = 2
"""How many times smaller than the board of an email the animation is."""
PACE, LAST = 700, 6000
"""Milliseconds for which a picture of the animation is shown, and the last one."""
MANIFEST = "manifest.json"
EVERY = 5
"""Pictures after which the page learns how far it is."""


class Frame(Value):
    number: int
    png: bytes


def make(office: Office, copy_id: int) -> None:
    order = copies.claim(office, copy_id, work.now())
    if order is None:
        return
    part = order.path.with_name(f"{order.path.name}.part")
    try:
        order.path.parent.mkdir(parents=True, exist_ok=True)
        language, _, clear = order.form.partition("-")
        with reading(language):
            if order.kind == CopyKind.PAGE:
                part.write_bytes(game_file(office, order.game, clear=bool(clear)))
            elif order.kind in BOOK_PAPERS:
                part.write_bytes(render.book_pdf(books.of_game(office, order.game), order.kind))
            else:
                _pictures(office, order, part)
        os.replace(part, order.path)
        names_to_disk(order.path.parent)
        copies.finish(office, order.id, order.path.stat().st_size, work.now())
    except Exception:
        with suppress(FileNotFoundError):
            part.unlink()
        copies.failed(office, order.id, work.now())
        raise
    log.info("made %s", order.path.name, extra={"game": order.game})


def _pictures(office: Office, order: copies.Order, path: Path) -> None:
    view = views.game(office, order.game)
    numbers = _evenly(range(view.version + 1), MOST if order.kind == CopyKind.PICTURES else MOST_FRAMES)
    frames = _drawn(office, view, numbers, lambda done: _told(office, order.id, done, len(numbers)))
    MAKERS[order.kind](frames, path, seal(records.export(office, order.game)))


def _told(office: Office, number: int, done: int, total: int) -> None:
    if done % EVERY == 0:
        copies.progress(office, number, done, total, work.now())


def _evenly(numbers: Sequence[int], most: int) -> Sequence[int]:
    if len(numbers) <= most:
        return numbers
    return [numbers[at * (len(numbers) - 1) // (most - 1)] for at in range(most)]


def _drawn(office: Office, view: GameView, numbers: Sequence[int], told: Callable[[int], None]) -> Iterator[Frame]:
    """The pictures one after the other, each drawn when it is wanted."""
    log_until = {move.number: at for at, move in enumerate(view.log, 1)}
    for done, number in enumerate(numbers):
        told(done)
        with office.read() as session:
            before = views.state_at(session, view, number - 1) if number else None
            state = views.state_at(session, view, number)
        at = replace(view, version=number, state=state, log=view.log[: log_until[number]])
        yield Frame(number, render.board_png(views.scene_after(at, before)))


def pictures(frames: Iterator[Frame], path: Path, record: str) -> None:
    """An archive of pictures, which are packed already, with a list: the SHA-256 of each, and of the record."""
    made: dict[str, str] = {}
    with ZipFile(path, "w", ZIP_STORED) as archive:
        for frame in frames:
            name = f"order-{frame.number:04}.png"
            archive.writestr(name, frame.png)
            made[name] = hashlib.sha256(frame.png).hexdigest()
        archive.writestr(MANIFEST, json.dumps(sealed({"record": record, "pictures": made}), indent=1))


def animation(frames: Iterator[Frame], path: Path, record: str) -> None:
    """An animated WebP in the colours of our pictures and no others: what stays the same costs nothing.

    Its Exif data say which version made it, and the SHA-256 of the record.
    """
    small: list[Image.Image] = []
    for frame in frames:
        image = Image.open(BytesIO(frame.png))
        reduced = image.convert("RGB").reduce(SMALLER)
        small.append(reduced.quantize(palette=image, dither=Image.Dither.NONE))
    durations = [PACE] * (len(small) - 1) + [LAST]
    exact = {"lossless": True, "quality": 40, "method": 2, "kmin": 0, "kmax": 0}
    said = Image.Exif()
    said[ExifTags.Base.Software] = f"pbem {pbem.__version__}"
    said[ExifTags.Base.ImageDescription] = f"SHA-256 of the record: {record}"
    small[0].save(path, "WEBP", save_all=True, append_images=small[1:], duration=durations, loop=0, exif=said, **exact)


MAKERS = {CopyKind.PICTURES: pictures, CopyKind.ANIMATION: animation}
