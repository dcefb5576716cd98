"""Open tables: the list, one table with its seats, the link that is passed on, and what its host decides."""

from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, count_say, say
from pbem.language.voice import capital, spoken
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.base import merged
from pbem.service.base.tokens import JoinClaim, SitClaim
from pbem.service.games import listed_tables as lists
from pbem.service.games import open_tables, terms, views, watching
from pbem.service.games.terms import Terms
from pbem.store.statuses import GameStatus, SeatsLeft
from pbem.views.people import OpenTableView
from pbem.web.base import forms, previews, summaries
from pbem.web.base.clients import client
from pbem.web.base.context import form_sender, now, office, own_form, read_as_account, reader, reader_or_login, remember
from pbem.web.base.forms import BadForm, NotAllowed, argument
from pbem.web.games import play, table_terms

pages = Blueprint("tables", __name__)

PEOPLE = {"1": say("Just me"), "2": say("2 of us"), "3": say("3 of us"), "4": say("4 of us")}
PACES = {"brisk": say("Brisk: up to a day"), "calm": say("Calm: a few days"), "slow": say("Slow: a week or more")}
"""The choices of the filter; the times are those of ``reading.open_tables.PACES``."""


@pages.get("/tables")
def index() -> str:
    account = reader()
    people, pace, language = argument("n"), argument("pace"), argument("lang")
    wanted = lists.Wanted(
        people=int(people) if people in PEOPLE else 1,
        pace=pace if pace in lists.PACES else "",
        language=language if language in terms.LANGUAGES else "",
    )
    return _render(
        "tables.html",
        own=lists.own(office(), account.id) if account else (),
        tables=lists.listed(office(), account.id if account else None, wanted),
        wanted=wanted,
        people=PEOPLE.items(),
        paces=PACES.items(),
        done=argument("done"),
        newcomer=account is None or not views.has_played(office(), account.id),
        **play.card(account.id if account else None),
    )


@pages.get("/tables/<game_id>")
def table(game_id: str) -> str | Response:
    account = reader()
    try:
        view = lists.table(office(), game_id, account.id if account else None)
    except NoSuch:
        views.latest(office(), game_id)  # a game that is none is a 404
        return redirect(url_for("games.game", game_id=game_id))
    return _table(view, url_for("tables.table", game_id=game_id))


@pages.post("/tables/<game_id>")
def act(game_id: str) -> Response | str | tuple[str, int]:
    do = forms.field("do")
    if do == "join":
        return _join(game_id, "", url_for("tables.table", game_id=game_id))
    account = form_sender()
    desk, moment = office(), now()
    match do:
        case "leave":
            open_tables.leave(desk, game_id, account.id, moment)
        case "if-free":
            wish = forms.field("if_free")
            if wish not in list(SeatsLeft):
                raise BadForm(say("Choose what happens when seats are still free."))
            open_tables.decide(desk, game_id, account.id, SeatsLeft(wish), moment)
        case "fill":
            open_tables.fill_now(desk, game_id, account.id, moment)
            return redirect(url_for("games.game", game_id=game_id), code=303)
        case "list" | "unlist":
            open_tables.list_it(desk, game_id, account.id, do == "list", moment)
        case "new-link":
            open_tables.new_link(desk, game_id, account.id, moment)
        case "revoke":
            open_tables.revoke_link(desk, game_id, account.id, moment)
        case _:
            raise BadForm(say("This page does not know what to do. Reload it and try again."))
    return redirect(url_for("tables.index", done=do), code=303)


@pages.get("/j/<token>")
def link(token: str) -> str | Response:
    claim = office().tokens.read(JoinClaim, token)
    account = reader()
    view = lists.table(office(), open_tables.linked(office(), claim), account.id if account else None)
    return _table(view, url_for("tables.link", token=token), linked=True)


@pages.post("/j/<token>")
def join_by_link(token: str) -> Response | str | tuple[str, int]:
    claim = office().tokens.read(JoinClaim, token)
    return _join(open_tables.linked(office(), claim), claim.key, url_for("tables.link", token=token))


@pages.get("/sit/<token>")
def sit(token: str) -> str:
    claim = office().tokens.read(SitClaim, token)
    account = merged.meant(office(), claim.account)
    read_as_account(account)
    try:
        view = lists.table(office(), claim.game, account) if open_tables.may_sit(office(), claim, now()) else None
    except NoSuch:
        view = None
    too_new = view.too_new if view is not None and not view.seated else None
    return _render("table_sit.html", private=True, token=token, table=None if too_new else view, problem=too_new)


@pages.post("/sit/<token>")
def sat_down(token: str) -> Response | tuple[str, int]:
    claim = office().tokens.read(SitClaim, token)
    try:
        secret = open_tables.sit(office(), claim, now())
    except NotNow as late:
        return _render("table_sit.html", private=True, token=token, table=None, problem=late.sentence), 409
    response = redirect(_after(claim.game), code=303)
    remember(response, secret)
    return response


@pages.get("/tables/<game_id>/change")
def change(game_id: str) -> str:
    account = reader_or_login()
    try:
        view: OpenTableView | None = lists.table(office(), game_id, account.id)
    except NoSuch:
        view = None
    fields = table_terms.first(now()) | {"open_seats": "1"} if view is None else table_terms.of(_terms(view))
    return _change(game_id, account.id, fields, [])


@pages.post("/tables/<game_id>/change")
def changed(game_id: str) -> Response | tuple[str, int]:
    account = form_sender()
    fields = table_terms.typed()
    try:
        wished = table_terms.read(fields)
        if wished is None:
            raise BadForm(say("Choose how many seats are open to anybody."))
        open_tables.change(office(), game_id, account.id, wished, now())
    except BadInput as bad:
        problems = [(problem.field, problem.sentence) for problem in bad.problems]
        return _change(game_id, account.id, fields, problems), 400
    return redirect(url_for("tables.index", done="change"), code=303)


def _change(game_id: str, account: int, fields: dict[str, str], problems: list[tuple[str, Say]]) -> str:
    game = views.game(office(), game_id)
    if game.status != GameStatus.OPEN or not watching.hosts(office(), game_id, account):
        raise NotAllowed(say("Only the host can change a table, and only before the game starts."))
    return _render("table_change.html", game=game.seen_by(), fields=fields, problems=problems)


def _table(
    view: OpenTableView, here: str, *, linked: bool = False, problem: Say | None = None, asked: str = "", **values: Any
) -> str:
    return _render(
        "table.html",
        private=linked,
        table=view,
        here=here,
        open_here=linked or view.listed,
        problem=problem,
        asked=asked,
        preview=_preview(view, "" if linked else here) if linked or view.listed else None,
        **{"problems": {}, "typed": {}, **values},
    )


def _preview(view: OpenTableView, page: str) -> previews.Preview:
    sentence = count_say(
        "{sheet}, {players}, {n} seat left.",
        "{sheet}, {players}, {n} seats left.",
        view.free,
        sheet=view.sheet.full_name,
        players=summaries.players_said(len(view.seats)),
    )
    text = f"{spoken(sentence)} {capital(spoken(view.expected))}."
    return previews.of_map(view.sheet, view.title, text, page)


def _join(game_id: str, key: str, here: str) -> Response | str | tuple[str, int]:
    account = reader()
    try:
        if account is not None:
            own_form()
            open_tables.join(office(), game_id, account.id, now(), key)
            return redirect(_after(game_id), code=303)
        name, address = (
            forms.field("name", longest=20_000, default=""),
            forms.field("email", longest=20_000, default=""),
        )
        try:
            open_tables.ask_for_seat(office(), game_id, open_tables.Visitor(name, address, client()), now(), key)
        except BadInput as bad:
            problems = {problem.field: problem.sentence for problem in bad.problems}
            typed = {"name": name[:200], "email": address[:320]}
            return _table(
                lists.table(office(), game_id, None), here, linked=bool(key), problems=problems, typed=typed
            ), 400
        return _table(lists.table(office(), game_id, None), here, linked=bool(key), asked=address.strip()[:320])
    except NotNow as late:
        try:
            view = lists.table(office(), game_id, account.id if account else None)
        except NoSuch:
            raise late from None
        return _table(view, here, linked=bool(key), problem=late.sentence), 409


def _after(game_id: str) -> str:
    """Where somebody comes to who has a seat now: the game if it has started, else the table."""
    if views.game(office(), game_id).status == GameStatus.OPEN:
        return url_for("tables.index", done="join")
    return url_for("games.game", game_id=game_id)


def _terms(view: OpenTableView) -> Terms:
    return Terms(view.free, view.fill_at, view.if_free, view.languages, view.experience, view.programs, view.listed)


def _render(template: str, **values: Any) -> str:
    return render_template(
        template,
        section="tables",
        languages=terms.LANGUAGES,
        experiences=terms.EXPERIENCE,
        least_games=terms.LEAST_GAMES,
        most_seats=table_terms.MOST_SEATS,
        **values,
    )
