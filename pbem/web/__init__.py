"""The pages and the JSON interface: read a request, call the service, show what it says.

``create_app(settings=None)`` is the application for gunicorn (:mod:`pbem.runtime.webserver`); ``game_file(office, id)``
is the one page of theirs that commands write.
"""

from pbem.web.app import create_app, game_file

__all__ = ["create_app", "game_file"]
