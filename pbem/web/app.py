"""The application factory."""

import hashlib
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from flask import Flask, g, request, url_for
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.utils import find_modules

from pbem.engine import text
from pbem.language import current, markup
from pbem.language import languages as every_language
from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.settings.paths import templates_folder
from pbem.settings.settings import Settings
from pbem.views.accounts import BoardLook
from pbem.web.accounts import notifications
from pbem.web.base import clients, context, errors, forms, headers, styles, summaries, times, voices
from pbem.web.boards import keys
from pbem.web.games import game_files, how_to_play, members, rulings
from pbem.web.interfaces import installing, metrics, site_letters, sites
from pbem.web.interfaces.site_folder import Folder

PATIENCE = 1.5
LARGEST_BODY = 64 * 1024


def utc_now() -> datetime:
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

    The rest is for tests, and ``office`` for commands.
    """
    if office is None:
        office = open_office(settings if settings is not None else begin("web"))
    folder = templates_folder()
    app = Flask("pbem.web", template_folder=str(folder / "pages"), static_folder=str(folder / "static"))
    app.request_class = forms.Request
    app.url_map.converters["int"] = forms.Number
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined] # of Flask's own provider
    app.extensions[context.EXTENSION] = context.RequestContext(office, clock, patience)
    app.extensions[clients.EXTENSION] = clients.Tally()
    if proxies := office.settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    _teach_templates(app)
    metrics.register(app)
    for name in find_modules("pbem.web", recursive=True):
        if (pages := getattr(import_module(name), "pages", None)) is not None:
            app.register_blueprint(pages)
    context.register(app)
    keys.register(app)
    members.register(app)
    errors.register(app)
    headers.register(app)
    return app


def game_file(office: Office, game_id: str, *, clear: bool = False) -> bytes:
    """A finished game as one page, in the language that is read, or with ``clear`` in colours that are told apart.

    Raises :class:`NoSuch` and :class:`NotNow`.
    """
    app = create_app(office=office)
    with app.test_request_context():
        g.board_look = BoardLook(clear=clear)
        return game_files.of_game(game_id)


def write_site(
    office: Office,
    root: Path,
    url: str,
    told: sites.Told,
    jobs: int = 1,
    letters: Path | None = None,
    *,
    by_turn: bool = False,
) -> Folder:
    """The archive as a static site in a folder; ``jobs``: processes that make the pages of games; ``letters``: a folder
    with those of a demo; ``by_turn``: games show the position after every turn, not after every order.

    Raises :class:`Occupied`.
    """
    app, shown = create_app(office=office), [] if letters is None else site_letters.read(letters)
    if jobs == 1:
        return sites.write(app, root, url, told, partial(_now, app), shown, by_turn=by_turn)
    spawn = get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, initializer=_begin_making, initargs=(office.settings,)) as pool:
        return sites.write(app, root, url, told, lambda *page: pool.submit(_made, *page), shown, by_turn=by_turn)


def _now(app: Flask, game_id: str, findable: bool, by_turn: bool) -> Future[bytes]:
    future: Future[bytes] = Future()
    future.set_result(sites.game(app, game_id, findable, by_turn))
    return future


def _begin_making(settings: Settings) -> None:
    global _making
    _making = create_app(office=open_office(settings))


def _made(game_id: str, findable: bool, by_turn: bool) -> bytes:
    assert _making is not None
    return sites.game(_making, game_id, findable, by_turn)


_making: Flask | None = None
"""The application of a process that makes pages for a site."""


def _teach_templates(app: Flask) -> None:
    app.jinja_env.trim_blocks = False
    markup.install(app.jinja_env, voices.page_voice)
    app.jinja_env.finalize = voices.printed
    app.jinja_env.filters.update(
        say=voices.read,
        plain=voices.plain,
        refusal=voices.refusal,
        capital=voices.capital,
        time=times.time_tag,
        limit=times.limit_tag,
        stamp=times.stamp,
        day=times.day,
        date=times.date_words,
        limit_date=times.limit_date,
        span=times.span,
        listed=voices.listed,
        percent=voices.percent,
        word=voices.word,
        as_seen=styles.as_seen,
        cited=rulings.cited,
        marked=rulings.marked,
    )
    app.jinja_env.globals.update(
        who=voices.who,
        public_holidays=times.public_holidays,
        portrait=voices.portrait,
        cube=voices.cube,
        turn_words=summaries.turn_words,
        turn_said=summaries.turn_said,
        counts_words=summaries.counts_words,
        length_words=summaries.length_words,
        figure=summaries.figure,
        arithmetic=summaries.arithmetic,
        said=voices.said,
        log=summaries.log,
        last_change=summaries.last_change,
        last_orders=summaries.last_orders,
        words=summaries.words,
        mail_back=notifications.mail_back,
        help_with=how_to_play.help_with,
        rulings_about=rulings.about,
        rulings_home=rulings.home,
        nth=text.nth,
        game_name=summaries.game_name,
        whose_times=times.whose,
        static=_fingerprinted(app),
        style=styles.link,
        worker_address=installing.worker_address(),
    )

    @app.context_processor
    def everywhere() -> dict[str, object]:
        return {
            "now": context.now(),
            "in_site": request.environ.get(sites.IN_SITE, False),
            "reader": context.reader(),
            "look": context.look(),
            "notice": context.notice(),
            "language": current(),
            "all_languages": every_language(),
            "form_mark": context.form_mark(),
            "has_terms": bool(context.office().settings.terms),
            "outbox": not context.office().settings.smtp_url and context.reads_outbox(),
        }


def _fingerprinted(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so that browsers may keep them for ever."""
    folder = templates_folder() / "static"
    prints = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:10] for path in folder.iterdir()}

    def address(name: str) -> str:
        return url_for("static", filename=name, v=prints[name])

    return address
