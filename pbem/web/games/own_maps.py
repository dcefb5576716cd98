"""Pages of maps that people draw, for those who play on them: the page of a map, its file."""

from typing import Any

from flask import Blueprint, Response, make_response

from pbem.service import NoSuch
from pbem.service.own_maps import versions
from pbem.service.own_maps.versions import Version
from pbem.store.statuses import MapStatus, TrialStatus
from pbem.web.base.context import office, reader
from pbem.web.base.forms import number
from pbem.web.boards import maps

pages = Blueprint("own_maps", __name__)

RELOADED = 5
"""Seconds until the page of a map is loaded anew that robots try."""


@pages.get("/maps/play/<key>")
def own_map(key: str) -> Response:
    """The page of a map: its version that is published, else the newest; ``version`` in the address: another one."""
    shown, account = _shown(key), reader()
    values: dict[str, Any] = {"mine": account is not None and account.id == shown.owner}
    response = make_response(maps.page(shown.sheet, own=shown, play=True, hidden=True, **values))
    if shown.trial == TrialStatus.WAITING:
        response.headers["Refresh"] = str(RELOADED)
    return response


@pages.get("/maps/play/<key>/board.toml")
def file(key: str) -> Response:
    response = Response(_shown(key).sheet.drawing, mimetype="text/plain")
    response.headers["Content-Disposition"] = 'attachment; filename="board.toml"'
    return response


def _shown(key: str) -> Version:
    """Raises :class:`NoSuch` for a map that nobody has let others see, or that this reader cannot see any more."""
    every = versions.of_map(office(), key)
    wanted, account = number("version", 0), reader()
    own = bool(every) and account is not None and every[0].owner == account.id
    if not every or (every[0].status == MapStatus.WITHDRAWN and not own):
        raise NoSuch(f"There is no map {key} to play.")
    published = [version for version in every if version.published]
    return next((version for version in every if version.number == wanted), (published or every)[0])
