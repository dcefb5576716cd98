"""Whether this process lives and can answer; and figures for Prometheus, for whoever has the token of the settings."""

import hmac
import time
from collections.abc import Iterator
from datetime import timedelta

from flask import Blueprint, Flask, Response, g, jsonify, request
from msgspec.structs import asdict
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override
from werkzeug.exceptions import NotFound

from pbem.runtime import metrics as meters
from pbem.service import Office
from pbem.service.operator import health, server_metrics
from pbem.service.operator.health import Finding
from pbem.service.operator.server_metrics import Backlog, Figures, LastHour
from pbem.web.base.context import now, office

pages = Blueprint("metrics", __name__)

SHARES = (0.5, 0.9, 0.99)
"""Of the orders played lately: how long the quickest of them, up to this share, had waited at most."""


def register(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_count)


def _begin() -> None:
    g.began = time.perf_counter()


def _count(response: Response) -> Response:
    route, ended = request.url_rule.rule if request.url_rule else "", time.perf_counter()
    meters.answered(route, response.status_code, ended - g.get("began", ended))
    return response


@pages.get("/metrics")
def metrics() -> Response:
    if not _allowed():
        raise NotFound
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Rows(office()))
    text = generate_latest(registry)
    counted = meters.shared()
    if counted is not None:
        text += generate_latest(counted)
    response = Response(text, content_type=CONTENT_TYPE_LATEST)
    response.headers["Cache-Control"] = "no-store"
    return response


def _allowed() -> bool:
    wanted = office().settings.metrics_token
    given = request.headers.get("Authorization", "")
    return bool(wanted) and hmac.compare_digest(given.encode(), f"Bearer {wanted}".encode())


class Rows(Collector):
    def __init__(self, of: Office) -> None:
        self._office = of

    @override
    def collect(self) -> Iterator[Metric]:
        found = server_metrics.look(self._office, now())
        yield _by_status("pbem_games", "Games by status.", server_metrics.games(self._office))
        yield from _waiting(found)
        yield from _ill(found)
        yield from _lately(server_metrics.lately(self._office, now()))


def _waiting(found: Figures) -> Iterator[Metric]:
    kinds: dict[str, Backlog] = {"orders": found.orders, "letters": found.letters, "messages": found.messages}
    number = GaugeMetricFamily("pbem_waiting", "Rows that are due now.", labels=["what"])
    age = GaugeMetricFamily(
        "pbem_waiting_oldest_seconds", "Age of the oldest of them in seconds, 0 if there is none.", labels=["what"]
    )
    for what, backlog in kinds.items():
        number.add_metric([what], backlog.number)
        age.add_metric([what], backlog.seconds)
    yield number
    yield age


def _ill(found: Figures) -> Iterator[Metric]:
    if found.beat is not None:
        yield _gauge("pbem_clock_beat_age_seconds", "Seconds since the clock last looked.", found.beat.total_seconds())
    yield _gauge("pbem_stuck_orders", "Orders that ran into an error in pbem.", found.stuck)
    yield _gauge("pbem_overdue_games", "Games past their deadline.", found.overdue)
    yield _gauge("pbem_given_up_letters", "Emails that were given up.", found.given_up)
    yield _gauge("pbem_unreachable_accounts", "Accounts whose emails bounce.", found.unreachable)
    yield _gauge("pbem_stopped_webhooks", "Webhooks that were switched off.", found.webhooks_stopped)


def _lately(found: LastHour) -> Iterator[Metric]:
    yield _by_status("pbem_letters_last_hour", "Emails written within the last hour, by status.", found.letters)
    yield _by_status("pbem_orders_last_hour", "Orders sent within the last hour, by status.", found.submissions)
    waits = GaugeMetricFamily(
        "pbem_orders_wait_seconds",
        "How long the orders played within the last hour had waited, by share.",
        labels=["share"],
    )
    for share in SHARES:
        waits.add_metric([str(share)], _at(found.waits, share).total_seconds())
    yield waits


def _at(waits: tuple[timedelta, ...], share: float) -> timedelta:
    return waits[min(len(waits) - 1, int(share * len(waits)))] if waits else timedelta(0)


def _by_status(name: str, text: str, numbers: dict[str, int]) -> Metric:
    gauge = GaugeMetricFamily(name, text, labels=["status"])
    for status, number in numbers.items():
        gauge.add_metric([status], number)
    return gauge


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


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
