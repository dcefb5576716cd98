"""The account page: notifications, time zone and quiet hours, absences, single games, browsers, language, deletion."""

import json
from collections.abc import Sequence
from datetime import date, time
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, say
from pbem.language import Language, current, languages
from pbem.rails.names import folded
from pbem.service import BadInput, NotNow
from pbem.service.base import Problem
from pbem.service.base.rate_limits import DOWNLOADS
from pbem.service.base.sentences import FORMER
from pbem.service.games import account_deletion
from pbem.service.operator import hosting
from pbem.service.people import absences, accounts, notifications, own_data
from pbem.views.accounts import BoardLook
from pbem.web.accounts.delivery_log import latest
from pbem.web.base import clients
from pbem.web.base.context import (
    forget,
    form_sender,
    log_in_secret,
    now,
    office,
    own_form,
    reader,
    reader_or_login,
    remember_language,
)
from pbem.web.base.forms import BadForm, argument, field
from pbem.web.base.headers import without_host

pages = Blueprint("account", __name__)

SAVED = {
    "mails": say("Your notification settings are saved."),
    "times": say("Your times are saved. They apply from the next question on; running deadlines stay as they are."),
    "language": say("Pages and emails are in this language from now on."),
    "away": say("Your absence is saved. Your games show when you are away."),
    "back": say("The absence is removed from all your games."),
    "games": say("Your games are saved."),
    "results": say("Your choice is saved."),
    "own-mail": say("Your choice is saved."),
    "found": say("Search engines are told so from now on; they may take some weeks to follow."),
    "board": say("From now on boards look like this, on pages and in emails."),
    "name": say("New games show you by this name."),
    "logins": say("The browser is logged out."),
}
REMINDERS = {
    "50": say("after half of the time"),
    "67": say("after two thirds"),
    "24h": say("24 hours before the end"),
    "6h": say("6 hours before the end"),
    "1h": say("1 hour before the end"),
}
REGIONS = {
    "Africa": say("Africa"),
    "America": say("America"),
    "Antarctica": say("Antarctica"),
    "Arctic": say("Arctic"),
    "Asia": say("Asia"),
    "Atlantic": say("Atlantic"),
    "Australia": say("Australia"),
    "Europe": say("Europe"),
    "Indian": say("Indian Ocean"),
    "Pacific": say("Pacific"),
}
"""The parts of the world that time zones are listed by."""
PICTURES = {
    "inside": say("inside the email"),
    "link": say("as a link, with the position in words"),
    "text": say("plain text only"),
}
"""How the board comes in emails."""
WISHES: dict[str, tuple[accounts.Wish, str]] = {
    "results": ("statistics", "everybody"),
    "found": ("findable", "findable"),
    "reviewed": ("reviewed", "listed"),
    "own-mail": ("own_mail", "own"),
}
"""What has a form with one box, by its place on the page: the wish, and the name of the box."""
TALK = {"": say("with the next email"), "once": say("at once"), "never": say("never")}
PER_GAME = {"": say("as above"), "turn": say("every turn"), "digest": say("once a day"), "mute": say("muted")}


@pages.get("/account")
def account() -> str:
    return _page()


@pages.get("/account/data.json")
def data() -> Response:
    own = reader_or_login()
    clients.use(office(), DOWNLOADS, clients.client(), now())
    return Response(
        json.dumps(own_data.of_account(office(), own.id), ensure_ascii=False, indent=1),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="pbem-account.json"'},
    )


@pages.post("/account/mails")
def mails() -> Response | tuple[str, int]:
    own = form_sender()
    typed = {name: field(name, default="") for name in ("mail", "every", "hour", "pictures")}
    try:
        wish = notifications.Telling(
            typed["mail"],
            _whole(typed["every"]),
            _hour(typed["hour"], "hour"),
            request.form.getlist("remind"),
            typed["pictures"] or notifications.of(office(), own.id).pictures,
        )
        notifications.tell(office(), own.id, wish)
    except BadInput as bad:
        return _page(bad.problems, typed), 400
    return _saved("mails")


@pages.post("/account/times")
def times() -> Response | tuple[str, int]:
    own = form_sender()
    typed = {name: field(name, default="") for name in ("zone", "quiet_from", "quiet_to")}
    try:
        notifications.live(office(), own.id, typed["zone"], _quiet(typed["quiet_from"], typed["quiet_to"]))
    except BadInput as bad:
        return _page(bad.problems, typed), 400
    return _saved("times")


@pages.post("/account/name")
def rename() -> Response | tuple[str, int]:
    own = form_sender()
    name = field("name", longest=20_000)
    try:
        accounts.rename(office(), own.id, name)
    except BadInput as bad:
        return _page(bad.problems, {"name": name[:200]}), 400
    return _saved("name")


@pages.post("/account/board")
def board() -> Response:
    own = form_sender()
    look = BoardLook(field("clear", default="") == "1", field("labels", default="") == "1")
    accounts.choose_look(office(), own.id, look)
    return _saved("board")


@pages.post("/account/away")
def away() -> Response | tuple[str, int]:
    own = form_sender()
    if number := field("remove", default=""):
        absences.remove(office(), own.id, int(number) if number.isascii() and number.isdigit() else 0, now())
        return _saved("back", "away")
    typed = {name: field(name, default="") for name in ("from", "until")}
    try:
        absences.add(office(), own.id, _day(typed["from"], "from"), _day(typed["until"], "until"), now())
    except BadInput as bad:
        return _page(bad.problems, typed), 400
    return _saved("away")


@pages.post("/account/games")
def games() -> Response:
    own = form_sender()
    for line in notifications.games(office(), own.id):
        wish, talk = field(f"game.{line.game}", default=line.mails), field(f"talk.{line.game}", default=line.talk)
        if (wish, talk) != (line.mails, line.talk):
            notifications.differ(office(), own.id, line.game, wish, talk)
    return _saved("games")


@pages.post("/account/results", endpoint="results")
@pages.post("/account/found", endpoint="found")
@pages.post("/account/reviewed", endpoint="reviewed")
@pages.post("/account/own-mail", endpoint="own_mail")
def wish() -> Response:
    """Change what has a form with one box."""
    own, anchor = form_sender(), request.path.rpartition("/")[2]
    what, box = WISHES[anchor]
    accounts.want(office(), own.id, what, field(box, default="") == "1")
    return _saved(anchor)


@pages.post("/account/logins")
def logins() -> Response:
    own = form_sender()
    key = field("key", default="")
    known = {line.key for line in notifications.logins(office(), own.id, now())}
    if key not in (*known, "all"):
        raise BadForm(say("This browser is logged out already."))
    notifications.log_out(office(), own.id, "" if key == "all" else key)
    if key == "all" or key == _this_browser():
        response = redirect(url_for("lobby.lobby", logged_out=1), code=303)
        forget(response)
        return response
    return _saved("logins")


def _page(problems: Sequence[Problem] = (), typed: dict[str, str] | None = None) -> str:
    own = reader_or_login()
    told, today = notifications.of(office(), own.id), now().astimezone(ZoneInfo(own.zone)).date()
    asked = argument("world")
    world = asked if asked in _worlds() else _part((typed or {}).get("zone", "")) or _part(told.zone) or "Europe"
    return render_template(
        "account.html",
        section="account",
        told=told,
        fields={"name": own.name} | _shown(told) | (typed or {}),
        problems=[(problem.field, problem.sentence) for problem in problems],
        flawed={problem.field for problem in problems},
        saved=argument("saved") if argument("saved") in SAVED else "",
        sentences=SAVED,
        reminders=REMINDERS,
        world=world,
        worlds=[(name, REGIONS.get(name, name)) for name in _worlds()],
        cities=(*_elsewhere(told.zone, world), *_cities(current(), world)),
        clock=f"{now().astimezone(ZoneInfo(own.zone)):%H:%M}",
        absences=absences.of(office(), own.id, now()),
        left=absences.left(office(), own.id, today.year),
        days_a_year=absences.DAYS_A_YEAR,
        year=today.year,
        games=notifications.games(office(), own.id),
        per_game=PER_GAME,
        talk=TALK,
        pictures=PICTURES,
        everybody=accounts.wants(office(), own.id, "statistics"),
        findable=accounts.wants(office(), own.id, "findable"),
        own_mail=accounts.wants(office(), own.id, "own_mail"),
        reviewed=accounts.wants(office(), own.id, "reviewed"),
        logins=notifications.logins(office(), own.id, now()),
        this_browser=_this_browser(),
        sent=latest(own.id),
        runs=hosting.runs(office().settings, own.address),
    )


def _shown(told: Any) -> dict[str, str]:
    quiet = told.quiet or (None, None)
    return {
        "mail": told.mails,
        "pictures": told.pictures,
        "every": str(told.hours),
        "hour": f"{told.digest_at:%H:%M}",
        "zone": told.zone,
        "quiet_from": f"{quiet[0]:%H:%M}" if quiet[0] else "",
        "quiet_to": f"{quiet[1]:%H:%M}" if quiet[1] else "",
        "from": "",
        "until": "",
    }


@cache
def _worlds() -> tuple[str, ...]:
    return tuple(sorted(REGIONS.keys() & {_part(zone) for zone in notifications.zones()}))


def _part(zone: str) -> str:
    """The part of the world in which a time zone is; empty for UTC and the zones of a country."""
    part, _, city = zone.partition("/")
    return part if city and part in REGIONS else ""


@lru_cache(maxsize=64)
def _cities(language: Language, world: str) -> tuple[tuple[str, str], ...]:
    zones = (zone for zone in notifications.zones() if _part(zone) == world)
    return tuple(sorted(((zone, language.city(zone)) for zone in zones), key=lambda known: folded(known[1])))


def _elsewhere(own: str, world: str) -> list[tuple[str, str]]:
    """The own zone, if it is none of this part of the world, and UTC."""
    zones = ["UTC", *({own} - {"UTC"} if _part(own) != world else ())]
    return [(zone, current().city(zone)) for zone in reversed(zones)]


def _this_browser() -> str:
    return notifications.browser(log_in_secret())


def _saved(what: str, anchor: str = "") -> Response:
    return redirect(url_for("account.account", saved=what, _anchor=anchor or what), code=303)


def _whole(text: str) -> int:
    """A whole number; what is none is too small for any field."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


def _hour(text: str, name: str) -> time:
    try:
        found = time.fromisoformat(text)
    except ValueError as error:
        raise BadInput(Problem(name, notifications.NO_HOUR)) from error
    return found.replace(second=0, microsecond=0, tzinfo=None)


def _quiet(first: str, last: str) -> tuple[time, time] | None:
    return (_hour(first, "quiet"), _hour(last, "quiet")) if first or last else None


def _day(text: str, name: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(Problem(name, absences.NO_DAY)) from error


@pages.post("/language")
def choose_language() -> Response:
    """Speak another language on this browser, and to whoever is logged in by email as well."""
    own, code = reader(), field("language", default="", longest=16)
    if own is not None:
        own_form()
    if code not in [known.code for known in languages()]:
        raise BadForm(say("Choose one of the languages."))
    if own is not None:
        accounts.speak(office(), own.id, code)
    response = redirect(without_host(field("back", default="", longest=2_000)), code=303)
    remember_language(response, code)
    return response


@pages.get("/account/delete")
def ask_deletion() -> str:
    return _deletion()


@pages.post("/account/delete")
def delete() -> Response | tuple[str, int]:
    own = form_sender()
    typed = field("address", longest=20_000, default="")
    try:
        account_deletion.delete(office(), own.id, typed, now())
    except BadInput as bad:
        return _deletion(bad.problems[0].sentence, typed[:320]), 400
    except NotNow as refused:
        return _deletion(refused.sentence, typed[:320]), 409
    response = redirect(url_for("lobby.lobby", deleted=1), code=303)
    forget(response)
    return response


def _deletion(problem: Say | None = None, typed: str = "") -> str:
    own = reader_or_login()
    return render_template(
        "account_delete.html",
        section="account",
        leaving=account_deletion.leaving(office(), own.id),
        nobody=FORMER,
        problem=problem,
        typed=typed,
    )
