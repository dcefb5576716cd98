"""The lobby, a new game, and what its host may do before it starts."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any, Self

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.engine import Say, Sheet, catalog, say
from pbem.engine.sheet import Option
from pbem.language import current, times
from pbem.robot import opponents
from pbem.service import BadInput
from pbem.service.base import validation
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import companions, game_lists, listed_tables, opening, terms, views
from pbem.service.statistics import results
from pbem.store import public_holidays
from pbem.web.base import forms, summaries
from pbem.web.base.context import form_sender, now, office, reader
from pbem.web.base.forms import BadForm, argument
from pbem.web.games import play, table_terms, time_controls

pages = Blueprint("lobby", __name__)

ANSWERS = ("accept", "decline")
GRACES = {"0": say("no time (fast game)"), "10": say("10 minutes"), "60": say("1 hour")}
"""Minutes in which orders can be taken back, as the form offers them."""
ROBOT_PAUSES = {
    "0": say("at once"),
    "10": say("after a few minutes"),
    "240": say("like a person: after a few hours, by day"),
}
"""Minutes robots wait at the most, as the form offers them."""
MOST_ROBOTS = 5
"""Of one character in one game."""
FIRST_MAP = "age-of-steam/rust_belt"
"""The map that is chosen at first: that of the base game."""
GAME, TABLE = "game", "table"
"""What somebody comes for who is not logged in."""
MAILS = {3: 64, 4: 49, 5: 44, 6: 37}
"""Mails to each player of a whole game, counted in recorded games, by number of players."""
PLANNED_MAILS = {3: 41, 4: 31, 5: 27}
"""The same with planning letters."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A game with so many players: its turns, and the emails that each player gets, without planning emails and with
    them; ``None``: not known before."""

    players: int
    turns: int | None
    emails: int | None
    planned: int | None


@dataclass(slots=True)
class Typed:
    title: str = ""
    map: str = ""
    players: str = ""
    known: frozenset[int] = frozenset()
    language: str = field(default_factory=lambda: current().code)
    time_control: dict[str, str] = field(default_factory=time_controls.first)
    grace: str = "10"
    unlisted: bool = False
    friendly: bool = False
    planning: bool = True
    open_to: dict[str, str] = field(default_factory=dict)
    robots: dict[str, int] = field(default_factory=dict)
    robot_pause: str = "0"
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Self:
        options = {
            name.removeprefix("options."): forms.field(name) for name in request.form if name.startswith("options.")
        }
        return cls(
            title=forms.field("title", longest=20_000, default=""),
            map=forms.field("map", default=""),
            players=forms.field("players", longest=20_000, default=""),
            known=_known_people(),
            language=forms.field("language", default=current().code),
            time_control=time_controls.typed(),
            open_to=table_terms.typed(),
            grace=forms.field("grace", default="10"),
            unlisted=forms.field("unlisted", default="") == "1",
            friendly=forms.field("friendly", default="") == "1",
            planning=forms.field("planning", default="") == "1",
            robots={key: _count(forms.field(f"robots.{key}", default="0")) for key in opponents.every()},
            robot_pause=forms.field("robot_pause", default="0"),
            options=options,
        )

    def sheet(self) -> Sheet | None:
        return _sheet(self.map)

    def options_of_map(self) -> dict[str, str]:
        sheet = self.sheet()
        own = {option.key for option in sheet.options()} if sheet else set()
        return {key: value for key, value in self.options.items() if key in own or key not in _options()}

    def invited(self) -> tuple[opening.Invited, ...]:
        """One per line: an address, with a name before it or not; then those who are known by name."""
        lines = [line.strip() for line in self.players.splitlines() if line.strip()]
        known = (opening.Invited(account=number) for number in sorted(self.known))
        return (*(_invited(line, self.language) for line in lines), *known)


@pages.get("/")
def lobby() -> str:
    account = reader()
    if account is None:
        logged_out, deleted = argument("logged_out") == "1", argument("deleted") == "1"
        return play.welcome(argument("map"), logged_out=logged_out, deleted=deleted)
    return _lobby(
        account.id,
        cancelled=argument("cancelled") == "1",
        answered=argument("answered") if argument("answered") in ANSWERS else "",
    )


@pages.post("/games/<game_id>/invitation")
def answer(game_id: str) -> Response:
    account = form_sender()
    wish = forms.field("answer")
    if wish not in ANSWERS:
        raise BadForm(say("Answer “accept” or “decline”."))
    seat = views.seat_of(office(), game_id, account.id)
    if seat is None:
        raise forms.NotAllowed(say("You are not invited to this game."))
    opening.answer(office(), InvitationClaim(game_id, seat.number, seat.holder), wish == "accept", now())
    return redirect(url_for("lobby.lobby", answered=wish), code=303)


@pages.get("/new")
def new() -> str:
    chosen, is_open = argument("map"), bool(argument("open"))
    if reader() is None:
        then = TABLE if is_open else chosen if _sheet(chosen) else GAME
        return render_template("new_game_guest.html", section="new", then=then)
    open_to = table_terms.first(now())
    if is_open:
        open_to["open_seats"] = "2"
    return _new(Typed(map=chosen if _sheet(chosen) else FIRST_MAP, open_to=open_to), [])


def form_of(then: str) -> str:
    """The address of the form that somebody wants who logs in first: that of a game, of an open table, or of a game on
    a map; empty for anything else."""
    if then == TABLE:
        return url_for("lobby.new", open=1)
    if then == GAME:
        return url_for("lobby.new")
    return url_for("lobby.new", map=then) if _sheet(then) else ""


@pages.post("/new")
def open_game() -> Response | tuple[str, int]:
    account = form_sender()
    typed = Typed.read()
    if forms.field("update", default=""):
        return _new(typed, []), 200
    game, _, slug = typed.map.partition("/")
    try:
        time_control = time_controls.read(typed.time_control)
        open_to = table_terms.read(typed.open_to)
    except BadInput as bad:
        return _new(typed, [_problem(problem.field, problem.sentence) for problem in bad.problems]), 400
    wish = opening.NewGame(
        title=typed.title,
        game=game,
        map=slug,
        players=typed.invited(),
        options=typed.options_of_map(),
        turn_time=time_control.turn,
        bank=time_control.bank,
        cap=time_control.cap,
        weekends=time_control.weekends,
        holidays=time_control.holidays,
        at_zero=time_control.at_zero,
        country=time_control.country,
        grace=timedelta(minutes=int(typed.grace)) if typed.grace in GRACES else timedelta(-1),
        unlisted=typed.unlisted,
        friendly=typed.friendly,
        programs=bool(typed.open_to["programs"]),
        planning=typed.planning,
        open_to=open_to,
        robots=tuple(key for key, count in typed.robots.items() for _ in range(count)),
        robot_pause=timedelta(minutes=int(typed.robot_pause)) if typed.robot_pause in ROBOT_PAUSES else timedelta(-1),
    )
    if unreachable := [_problem(f"players.{at}", why) for at, why in enumerate(_unreachable(wish)) if why]:
        return _new(typed, unreachable), 400
    try:
        game_id = opening.open_game(office(), account.id, wish, now())
    except BadInput as bad:
        return _new(typed, [_problem(problem.field, problem.sentence) for problem in bad.problems]), 400
    if open_to is not None:
        return redirect(url_for("tables.index"), code=303)
    return redirect(url_for("games.game", game_id=game_id), code=303)


@pages.post("/games/<game_id>/cancel")
def cancel(game_id: str) -> Response:
    account = form_sender()
    if forms.field("sure", default="") != "yes":
        return redirect(url_for("games.game", game_id=game_id, sure="cancel"), code=303)
    opening.cancel(office(), game_id, account.id, now())
    return redirect(url_for("lobby.lobby", cancelled=1), code=303)


def _lobby(account_id: int, **values: Any) -> str:
    view, rated = game_lists.lobby(office(), account_id), results.own_ratings(office(), account_id)
    return render_template(
        "lobby.html",
        section="games",
        lobby=view,
        tables=listed_tables.first(office(), account_id),
        ratings=rated,
        **play.card(account_id),
        stand=summaries.stand_words,
        company=summaries.company,
        invites=summaries.invitation_words,
        answers=summaries.answers_words,
        **values,
    )


def _new(typed: Typed, problems: list[tuple[str, Say]]) -> str:
    sheet = typed.sheet()
    return render_template(
        "new_game.html",
        section="new",
        typed=typed,
        problems=problems,
        flawed={name for name, _ in problems},
        sheets=(*catalog.sheets(), sheet) if sheet and catalog.is_own(sheet.slug) else catalog.sheets(),
        options=[*_options().values()],
        offered=time_controls.TIME_CONTROLS,
        own_time_control=time_controls.OWN,
        countries=times.countries(),
        regions=public_holidays.regions(typed.time_control["country"]).items(),
        days_off=time_controls.days_off(typed.time_control),
        graces=GRACES.items(),
        languages=terms.LANGUAGES,
        experiences=terms.EXPERIENCE,
        most_seats=table_terms.MOST_SEATS,
        companions=companions.recent(office(), account.id) if (account := reader()) else (),
        robots=opponents.every().values(),
        pauses=ROBOT_PAUSES.items(),
        expect=_expect(sheet) if sheet else [],
    )


def _sheet(name: str) -> Sheet | None:
    game, _, slug = name.partition("/")
    try:
        return catalog.sheet(game, slug)
    except catalog.UnknownSheet:
        return None


@cache
def _options() -> dict[str, Option]:
    """The options of all maps by their keys: the page has a field for each, and shows those of the map."""
    return {option.key: option for sheet in catalog.sheets() for option in sheet.options()}


def _problem(field_name: str, sentence: Say) -> tuple[str, Say]:
    """A problem of the service at the field of the form it belongs to; lines of players are told by number."""
    name, _, number = field_name.partition(".")
    if name == "players" and number.isdigit():
        return "players", say("Line {line}: {why}", line=int(number) + 1, why=sentence)
    return (name if name in ("title", "map", "players", "turn_time") else field_name), sentence


def _expect(sheet: Sheet) -> list[Expected]:
    """What a game on this map is like with so many players; emails only where such games have been counted."""
    told = [(players, sheet.turns(players)) for players in sheet.player_counts()]
    return [
        Expected(players, turns, *((MAILS.get(players), PLANNED_MAILS.get(players)) if turns else (None, None)))
        for players, turns in told
    ]


def _known_people() -> frozenset[int]:
    ticked = (name.removeprefix("known.") for name in request.form if name.startswith("known."))
    return frozenset(int(text) for text in ticked if len(text) < 10 and text.isascii() and text.isdigit())


def _count(text: str) -> int:
    return int(text) if text in map(str, range(MOST_ROBOTS + 1)) else 0


def _unreachable(wish: opening.NewGame) -> list[Say | None]:
    """For each player that was typed, why no email can arrive; what is no address at all is said by the service."""
    return [validation.unreachable(player.address) if "@" in player.address else None for player in wish.players]


def _invited(line: str, language: str) -> opening.Invited:
    *name, address = line.replace("<", " ").replace(">", " ").split() or [""]
    return opening.Invited(address, " ".join(name).strip('",; '), language)
