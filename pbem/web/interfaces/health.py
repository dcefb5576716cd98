"""Whether this process lives, and whether it can answer: for load balancers and for whoever watches the server."""

from flask import Blueprint, Response, jsonify, request
from msgspec.structs import asdict

from pbem.service.operator import health
from pbem.service.operator.health import Finding
from pbem.web.base.context import now, office

pages = Blueprint("health", __name__)

BROKER_SECONDS = 0.5


@pages.get("/healthz")
def alive() -> Response:
    """The process answers; it looks at nothing else."""
    return _never_kept(jsonify(ok=True))


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Whether requests can be answered, and what else is not well; 503 when they cannot.

    With ``?all`` 503 when anything is not well, for those who watch the whole server and not this process.
    """
    found = health.findings(office(), now(), broker_seconds=BROKER_SECONDS)
    able, well = health.ready(found), all(finding.well for finding in found)
    answer = jsonify(ready=able, well=well, findings=[_told(finding) for finding in found])
    return _never_kept(answer), 200 if (well if "all" in request.args else able) else 503


def _told(finding: Finding) -> dict[str, object]:
    return {name: value for name, value in asdict(finding).items() if value != ""}


def _never_kept(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
