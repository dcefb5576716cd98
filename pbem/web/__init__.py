"""The pages and the JSON interface: read a request, call the service, show what it says.

``create_app(settings=None)`` is the application for gunicorn (:mod:`pbem.runtime.webserver`). Commands write pages with
``game_file(office, id)``, one finished game, and ``write_site(office, folder, url, told)``, the whole archive.
"""

from pbem.web.app import create_app, game_file, write_site
from pbem.web.interfaces.site_folder import Occupied

__all__ = ["Occupied", "create_app", "game_file", "write_site"]
