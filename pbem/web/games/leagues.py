"""Leagues and knock-outs: the list, one of them, opening one, and the link of an invitation."""

from datetime import timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, catalog, say
from pbem.service import BadInput, NotNow
from pbem.service.base import Problem
from pbem.service.base.tokens import MemberClaim
from pbem.service.leagues import members, views
from pbem.service.leagues.members import NewLeague
from pbem.store.statuses import IfLeft, LeagueKind
from pbem.web.base import clients
from pbem.web.base.context import form_sender, now, office, own_form, read_as_account, reader, reader_or_login
from pbem.web.base.forms import NO_BUTTON, BadForm, argument, field
from pbem.web.games.table_terms import EVENING, written
from pbem.web.games.table_terms import moment as read_moment

pages = Blueprint("leagues", __name__)

DONE = {
    "joined": say("You take part. An email says so."),
    "left": say("You no longer take part."),
    "asked": say("Check your email: its button lets you take part."),
    "invited": say("The invitations are on their way."),
    "off": say("Saved. It ends after the current season, or was called off."),
}
SURE = ("leave", "off")
NUMBERS = ("tables_of", "games", "seasons", "moves", "pause_days", "robots", "turn_hours", "full_at")
LONGEST = 20_000


@pages.get("/leagues")
def index() -> str:
    return render_template("leagues.html", section="tables", leagues=views.listed(office()))


@pages.get("/leagues/new")
def new() -> str:
    reader_or_login()
    begins = (now() + timedelta(days=7)).replace(hour=EVENING, minute=0, second=0, microsecond=0)
    first = {
        "title": "", "kind": "league", "tables_of": "4", "games": "2", "seasons": "3", "moves": "1", "pause_days": "7",
        "robots": "0", "turn_hours": "72", "if_left": "waiting", "plays": "1", "invited": "", "begins": written(begins),
        "full_at": "0",
    }  # fmt: skip
    return _form(first, [], [])


@pages.post("/leagues/new")
def open_league() -> Response | tuple[str, int]:
    account = form_sender()
    names = ("title", "kind", "if_left", "plays", "begins", "invited", *NUMBERS)
    typed = {name: field(name, longest=LONGEST, default="") for name in names}
    maps = [one for one in request.form.getlist("map")[:40] if len(one) < 100]
    try:
        wish = _read(typed, maps)
        made = members.open_league(office(), account.id, wish, now())
    except BadInput as bad:
        return _form(typed, maps, bad.problems), 400
    return redirect(url_for("leagues.league", league_id=made), code=303)


@pages.get("/leagues/<league_id>")
def league(league_id: str) -> str:
    """One league with its tables; ``season`` in the address: those of an earlier season."""
    return _league(league_id)


@pages.post("/leagues/<league_id>")
def act(league_id: str) -> Response | tuple[str, int]:
    account = reader() if field("do", default="") == "join" else reader_or_login()
    try:
        if account is None:
            name, address = field("name", longest=LONGEST, default=""), field("email", longest=LONGEST, default="")
            members.ask_to_join(office(), league_id, name, address, now(), client=clients.client())
            done = "asked"
        else:
            own_form()
            if (wish := field("do")) in SURE and field("sure", default="") != "yes":
                return redirect(url_for("leagues.league", league_id=league_id, sure=wish), code=303)
            done = _do(league_id, account.id)
    except NotNow as refused:
        return _league(league_id, problem=refused.sentence), 409
    except BadInput as bad:
        return _league(league_id, problem=bad.sentence), 400
    return redirect(url_for("leagues.league", league_id=league_id, done=done), code=303)


def _do(league_id: str, account_id: int) -> str:
    match field("do"):
        case "join":
            members.join(office(), league_id, account_id, now())
            return "joined"
        case "leave":
            members.leave(office(), league_id, account_id, now())
            return "left"
        case "invite":
            typed = field("invited", longest=LONGEST, default="")
            members.invite(office(), league_id, account_id, tuple(typed.split()), now())
            return "invited"
        case "off":
            members.call_off(office(), league_id, account_id, now())
            return "off"
    raise BadForm(NO_BUTTON)


@pages.get("/l/<token>")
def invitation(token: str) -> str:
    return _invitation(token)


@pages.post("/l/<token>")
def answer(token: str) -> Response | tuple[str, int]:
    member = office().tokens.read(MemberClaim, token).member
    accepts = field("answer") == "accept"
    if field("answer") == "leave" and field("sure", default="") != "yes":
        return redirect(url_for("leagues.invitation", token=token, sure="leave"), code=303)
    try:
        members.answer(office(), member, accepts, now())
    except NotNow as refused:
        return _invitation(token, problem=refused.sentence), 409
    return redirect(url_for("leagues.invitation", token=token, done="joined" if accepts else "left"), code=303)


def _invitation(token: str, problem: Say | None = None) -> str:
    member = office().tokens.read(MemberClaim, token).member
    league_id, account = views.of_member(office(), member)
    found = views.league(office(), league_id, account)
    read_as_account(account)
    done = DONE.get(argument("done"), "")
    values = {"done": done, "problem": problem, "sure": argument("sure") == "leave"}
    return render_template("league_invitation.html", private=True, league=found, here=token, **values)


def _league(league_id: str, problem: Say | None = None) -> str:
    account, season = reader(), argument("season")
    number = int(season) if season.isascii() and season.isdigit() and len(season) < 4 else 0
    found = views.league(office(), league_id, account.id if account else None, number)
    done, sure = DONE.get(argument("done"), ""), argument("sure") if argument("sure") in SURE else ""
    return render_template("league.html", section="tables", league=found, done=done, problem=problem, sure=sure)


def _read(typed: dict[str, str], maps: list[str]) -> NewLeague:
    problems = []
    numbers = {}
    for name in NUMBERS:
        text = typed[name].strip()
        if not (text.isascii() and text.isdigit() and len(text) < 5):
            problems.append(Problem(name if name != "turn_hours" else "turn_time", say("Enter a whole number.")))
        else:
            numbers[name] = int(text)
    begins = read_moment(typed["begins"])
    if begins is None:
        problems.append(Problem("begins", say("Write the date and the time like 2026-11-29T18:00.")))
    if typed["kind"] not in list(LeagueKind) or typed["if_left"] not in list(IfLeft):
        problems.append(Problem("kind", say("Choose a league or a knock-out.")))
    if problems or begins is None:
        raise BadInput(*problems)
    game = maps[0].partition("/")[0] if maps else ""
    chosen = tuple(one.partition("/")[2] for one in maps)
    if any(one.partition("/")[0] != game for one in maps):
        raise BadInput(Problem("maps", say("Choose maps of one game.")))
    return NewLeague(
        title=typed["title"],
        kind=LeagueKind(typed["kind"]),
        game=game,
        maps=chosen,
        begins=begins,
        full_at=numbers["full_at"],
        tables_of=numbers["tables_of"],
        games=numbers["games"],
        seasons=numbers["seasons"],
        moves=numbers["moves"],
        turn_time=timedelta(hours=numbers["turn_hours"]),
        pause_days=numbers["pause_days"],
        if_left=IfLeft(typed["if_left"]),
        robots=numbers["robots"],
        invited=tuple(typed["invited"].split()),
        plays=typed["plays"] == "1",
    )


def _form(typed: dict[str, str], maps: list[str], problems: list[Problem] | tuple[Problem, ...]) -> str:
    sheets = [sheet for sheet in catalog.sheets() if set(members.SIZES) & set(sheet.player_counts())]
    wrong: dict[str, Say] = {}
    for problem in problems:
        wrong.setdefault(problem.field, problem.sentence)
    return render_template(
        "league_new.html", section="tables", typed=typed, chosen=maps, sheets=sheets, wrong=wrong, sizes=members.SIZES
    )
