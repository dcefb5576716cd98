"""The pages and the JSON interface: read a request, call the service, show what it says.

``create_app(settings=None)`` is the application for gunicorn (:mod:`pbem.runtime.webserver`).
"""

from pbem.web.app import create_app

__all__ = ["create_app"]
