"""The application factory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

from flask import Flask, url_for
from werkzeug.middleware.proxy_fix import ProxyFix

from pbem.paths import templates_folder
from pbem.runtime.start import begin
from pbem.service import Office
from pbem.settings import Settings
from pbem.web import (
    account,
    api,
    archive,
    clients,
    clocks,
    deliveries,
    desk,
    errors,
    feeds,
    forms,
    games,
    goodbye,
    headers,
    health,
    invitations,
    keys,
    letters,
    lobby,
    login,
    maps,
    members,
    metrics,
    openapi,
    origins,
    people,
    pictures,
    speak,
    summaries,
    times,
    turns,
    ways,
)

PATIENCE = 1.5
LARGEST_BODY = 64 * 1024


def utc_now() -> datetime:
    """The clock on the wall."""
    return datetime.now(UTC)


def create_app(
    settings: Settings | None = None,
    *,
    office: Office | None = None,
    clock: Callable[[], datetime] = utc_now,
    patience: float = PATIENCE,
) -> Flask:
    """The application. Without ``settings`` they are those of the process, which ends when they cannot be used
    and sees to the tables.

    The rest is for tests.
    """
    if office is None:
        office = Office.open(settings if settings is not None else begin("web"))
    folder = templates_folder()
    app = Flask("pbem.web", template_folder=str(folder / "pages"), static_folder=str(folder / "static"))
    app.request_class = forms.Request
    app.url_map.converters["int"] = forms.Number
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined] # of Flask's own provider
    app.extensions[desk.EXTENSION] = desk.Desk(office, clock, patience)
    app.extensions[clients.EXTENSION] = clients.Tally()
    if proxies := office.settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    _teach_templates(app)
    metrics.register(app)
    for blueprint in (
        account,
        goodbye,
        clocks,
        turns,
        api,
        openapi,
        games,
        pictures,
        lobby,
        login,
        invitations,
        archive,
        maps,
        letters,
        people,
        deliveries,
        feeds,
        ways,
        health,
        metrics,
    ):
        app.register_blueprint(blueprint.pages)
    keys.register(app)
    members.register(app)
    origins.register(app)
    errors.register(app)
    headers.register(app)
    return app


def _teach_templates(app: Flask) -> None:
    """Filters and functions that templates use."""
    app.jinja_env.trim_blocks = False
    app.jinja_env.filters.update(
        say=speak.read,
        plain=speak.plain,
        refusal=speak.refusal,
        capital=speak.capital,
        time=times.time_tag,
        stamp=times.stamp,
        day=times.day,
        date=times.date_words,
        span=times.span,
        counted=times.counted,
        listed=summaries.listed,
    )
    app.jinja_env.globals.update(
        who=speak.who,
        cube=speak.cube,
        turn_words=summaries.turn_words,
        counts_words=summaries.counts_words,
        figure=summaries.figure,
        said=speak.said,
        log_of=summaries.log_of,
        mail_back=ways.mail_back,
        nth=speak.nth,
        whose_times=times.whose,
        static=_fingerprinted(app),
    )

    @app.context_processor
    def everywhere() -> dict[str, object]:
        return {
            "now": desk.now(),
            "reader": desk.reader(),
            "form_mark": desk.form_mark(),
            "outbox": not desk.office().settings.smtp_url and clients.on_this_machine(),
        }


def _fingerprinted(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so that browsers may keep them for ever."""
    folder = templates_folder() / "static"
    prints = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:10] for path in folder.iterdir()}

    def address(name: str) -> str:
        return url_for("static", filename=name, v=prints[name])

    return address
