"""The private feeds: turns for a feed reader and deadlines for a calendar. The address is the only key to them."""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, make_response, request
from icalendar import Calendar, Event

from pbem.engine import Say, Word, say
from pbem.language import reading, times
from pbem.language.voice import READER, capital, spoken
from pbem.service.base.tokens import FeedClaim
from pbem.service.people import feeds
from pbem.service.people.feeds import FeedEntry, FeedView
from pbem.web.base.context import now, office

pages = Blueprint("feeds", __name__)

REVALIDATE = "private, no-cache"
IN_CALENDAR = timedelta(minutes=30)
"""How long the event of a deadline is; it ends when the time is over."""
ASK_AGAIN = "PT1H"


@pages.get("/feed/<token>/turns.atom")
def atom(token: str) -> Response:
    view = feeds.read(office(), office().tokens.read(FeedClaim, token), now())
    # No context processors: a feed is the same for whoever holds its address, whatever cookies come along.
    with reading(view.language) as language:
        lines = [(entry, headline(entry, view.zone), summary(entry)) for entry in view.entries]
        text = current_app.jinja_env.get_template("feed.xml").render(
            feed=view,
            language=language,
            owner=xml_text(view.name),
            lines=lines,
            address=office().addresses.root + request.path,
            home=office().addresses.root,
        )
    return _answer(text.encode(), "application/atom+xml; charset=utf-8")


@pages.get("/feed/<token>/turns.ics")
def calendar(token: str) -> Response:
    """The deadlines of open questions. Calendars are shared and shown, so these have no private links."""
    view = feeds.read(office(), office().tokens.read(FeedClaim, token), now())
    with reading(view.language):
        return _answer(_calendar(view), "text/calendar; charset=utf-8")


def headline(entry: FeedEntry, zone: str) -> str:
    title, turn = xml_text(entry.title), entry.sheet.unit.nth(entry.turn)
    match entry.kind:
        case "turn" if entry.deadline is not None:
            when = moment(entry.deadline, zone)
            told = say("{turn}: {phase}, by {when}", turn=turn, phase=Word(entry.phase), when=when)
        case "turn":
            told = say("{turn}: {phase}", turn=turn, phase=Word(entry.phase))
        case "invitation":
            told = say("You are invited: {map}", map=entry.sheet.full_name)
        case _:
            told = say("The game is over")
    return f"[{title}] {capital(spoken(told))}"


def summary(entry: FeedEntry) -> str:
    match entry.kind:
        case "turn" if entry.paused:
            told = say("It is your turn on {map}. The game is paused, and no clock runs.", map=entry.sheet.name)
        case "turn":
            told = say("It is your turn on {map}.", map=entry.sheet.name)
        case "invitation":
            told = say(
                "Accept or decline the invitation to a game of {game} on {map}.",
                game=entry.sheet.game_name,
                map=entry.sheet.name,
            )
        case _:
            told = say("The game on {map} has ended.", map=entry.sheet.name)
    return spoken(told)


def moment(time: datetime, zone: str) -> Say:
    """ "Sunday 29 November, 20:00 (Berlin)", behind by."""
    there = times.Calendar(zone, now())
    return say("{when} ({city})", when=there.limit(time), city=there.city)


def xml_text(text: str) -> str:
    """Without what neither XML 1.0 nor a calendar can hold."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\x7f\ufffe\uffff")


def _calendar(view: FeedView) -> bytes:
    made = Calendar()
    made.add("prodid", "-//pbem//turns//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", spoken(say("pbem: my turns")))
    made.add("x-published-ttl", ASK_AGAIN)
    for entry in view.entries:
        if entry.deadline is not None:
            made.add_component(_event(entry, entry.deadline))
    return bytes(made.to_ical())


def _event(entry: FeedEntry, deadline: datetime) -> Event:
    event = Event()
    host = urlsplit(office().addresses.root).hostname or "localhost"
    event.add("uid", f"{entry.game}.{entry.version}@{host}")
    event.add("dtstamp", entry.at)
    event.add("dtstart", deadline - IN_CALENDAR)
    event.add("dtend", deadline)
    event.add("summary", f"{xml_text(entry.title)}: {READER.word(entry.phase)}")
    event.add("description", f"{summary(entry)} {spoken(say('Your time is over at the end of this entry.'))}")
    event.add("url", entry.page)
    event.add("transp", "TRANSPARENT")
    return event


def _answer(body: bytes, kind: str) -> Response:
    response = make_response(body)
    response.content_type = kind
    response.headers["Cache-Control"] = REVALIDATE
    response.add_etag()
    response.make_conditional(request)
    return response
