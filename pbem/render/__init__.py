"""Pictures of a game: scenes in, PNG or SVG out. Nothing here knows a game's rules.

There is one description, a sketch, and there are three painters: Pillow (PNG), :mod:`~pbem.render.svg`, and
:mod:`~pbem.render.pdf` for books.

All pictures are opaque, the same for every reader and the same bytes for the same scene. A picture is a list of what is
laid on paper (:mod:`~pbem.render.sketch`), drawn in strips of which the last are kept (:mod:`~pbem.render.strips`).
What pictures are made of (land, track of a hex, signs, words) is kept in caches of fixed size.
"""

from pbem.render.book import book_pdf
from pbem.render.chances import chances_png
from pbem.render.encode import clear_png
from pbem.render.geometry import MapGeometry, map_geometry
from pbem.render.letter import letter_png
from pbem.render.page import MapPieces, around_png, board_png, map_png, map_svg, page_geometry, page_svg
from pbem.render.pieces import goods
from pbem.render.press import BOOK_PAPERS
from pbem.render.sheets import PAPERS, TILES, sheet_svg, sheets
from pbem.render.signs import mark_svg
from pbem.render.svg import document as svg_document
from pbem.render.thumb import CARD, card_png, crop_png, thumb_png

__all__ = [
    "BOOK_PAPERS",
    "CARD",
    "PAPERS",
    "TILES",
    "MapGeometry",
    "MapPieces",
    "around_png",
    "board_png",
    "book_pdf",
    "card_png",
    "chances_png",
    "clear_png",
    "crop_png",
    "goods",
    "letter_png",
    "map_geometry",
    "map_png",
    "map_svg",
    "mark_svg",
    "page_geometry",
    "page_svg",
    "sheet_svg",
    "sheets",
    "svg_document",
    "thumb_png",
]
