"""What somebody waits for: the question of a position with its links, the page that asks it, the letter that asks it.

Of every sheet the positions at the end of a kept game in which most is on offer, one for a delivery and one for a
build (Steam Power: whatever is asked); besides, the one with the most deliveries that people have reached
(``PBEM_SHARED``), and the page of a game of five near its end. The collector runs as it does on a server. All times
are those of the processor; the picture is drawn apart from all of them (see ``bench/picture.py``).
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from flask.testing import FlaskClient
from sqlalchemy import Connection, event, select

from bench.late import stock
from bench.players import SHARED, now
from bench.row import Row
from pbem.engine import catalog
from pbem.engine.phase import Step
from pbem.engine.record import read_record, replay
from pbem.engine.sheet import Question, Sheet, State
from pbem.mail.compose import compose
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import InvitationClaim, SeatClaim
from pbem.service.games import opening
from pbem.service.letter_views import correspondence
from pbem.service.people import accounts
from pbem.service.turns import entries, progress
from pbem.settings.settings import Settings
from pbem.store.statuses import MoveCause
from pbem.store.tables import Letter
from pbem.store.upgrade import upgrade
from pbem.web.app import create_app
from pbem.web.base.context import cookie_name
from tests import servers
from tests.playthroughs.telling import GAMES, SUFFIX, load

SOUTHERN = SHARED / "recorded" / "southern_us-2852.json"
RUNS = 5
LOOKS = 40
LATE_TURNS = 2
QUESTION_MS, PAGE_MS, LETTER_MS = 60.0, 120.0, 90.0
"""For the worst position of any sheet."""
DELIVERIES_MS = 60.0
GAME_PAGE_MS, GAME_PAGE_STATEMENTS = 12.0, 8
HELP_S = 0.15


@dataclass(frozen=True, slots=True)
class Position:
    """A position in which much is on offer, and who sits at the table."""

    sheet: Sheet
    state: State
    players: tuple[str, ...]

    @property
    def offers(self) -> int:
        """How many choices there are."""
        return len(self.sheet.question(self.state).choices)


@dataclass(frozen=True, slots=True)
class Waits:
    """Milliseconds for each thing that somebody waits for in one position."""

    name: str
    choices: int
    question: float
    page: float
    letter: float


def measure() -> list[Row]:
    """All rows."""
    with office_in_memory() as office:
        every = [waits(office, position, name) for name, position in late_positions()]
        rows = [
            worst("question and all its links", every, lambda one: one.question, QUESTION_MS),
            worst("turn page", every, lambda one: one.page, PAGE_MS),
            worst("letter view and letter", every, lambda one: one.letter, LETTER_MS),
            *southern(office),
        ]
    return [*rows, *page_of_a_game(), start()]


def worst(what: str, every: Sequence[Waits], which: Callable[[Waits], float], limit: float) -> Row:
    """The slowest position of all sheets; the note has the slowest of each."""
    slowest = max(every, key=which)
    by_sheet: dict[str, float] = {}
    for one in every:
        sheet = one.name.partition(",")[0]
        by_sheet[sheet] = max(by_sheet.get(sheet, 0.0), which(one))
    listed = ", ".join(f"{sheet} {took:.1f}" for sheet, took in by_sheet.items())
    note = f"slowest: {slowest.name}, {slowest.choices} choices; {listed}"
    return Row(f"{what} late in a game, slowest of all sheets", which(slowest), "ms", limit=limit, note=note)


def southern(office: Office) -> Iterator[Row]:
    """The position with the most deliveries that people have reached."""
    if not SOUTHERN.is_file():
        yield Row("delivery page, Southern U.S. late", 0, "ms", note="left out: PBEM_SHARED has no such game")
        return
    record = read_record(SOUTHERN.read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    late = (played.state for played in replay(sheet, record))
    asked = (state for state in late if not sheet.over(state) and sheet.phase(state) == "move_goods")
    most = max((Position(sheet, state, record.players) for state in asked), key=lambda position: position.offers)
    took = waits(office, most, sheet.slug)
    for name, value, limit in (
        ("delivery page", took.page, DELIVERIES_MS),
        ("letter that asks for a delivery", took.letter, DELIVERIES_MS),
        ("question and all its links", took.question, None),
    ):
        note = f"{took.choices} choices"
        yield Row(f"{name}, Southern U.S. late", value, "ms", limit=limit, note=note)


def late_positions() -> Iterator[tuple[str, Position]]:
    """For every sheet and each form of question the late position of its longest kept game with the most choices."""
    for sheet in catalog.sheets():
        paths = sorted(GAMES.glob(f"{sheet.slug}-*{SUFFIX}"))
        record = max((load(path).record for path in paths), key=lambda record: (len(record.players), len(record.turns)))
        states = [played.state for played in replay(sheet, record)]
        last = sheet.turn(states[-1])
        best: dict[str, Position] = {}
        for state in states:
            if sheet.over(state) or sheet.turn(state) <= last - LATE_TURNS:
                continue
            position, form = Position(sheet, state, record.players), sheet.question(state).form
            if form not in best or position.offers > best[form].offers:
                best[form] = position
        for form, position in best.items():
            yield f"{sheet.slug}, {form}", position


def waits(office: Office, position: Position, name: str) -> Waits:
    """Put the position before its player, and measure; the first time of each warms what a process keeps."""
    sheet, state = position.sheet, position.state
    game, letter = put(office, position)
    seat = sheet.to_act(state) or ""
    web = create_app(office=office, patience=0).test_client()
    address = f"/t/{office.tokens.turn(game, seat, 1)}"
    return Waits(
        name=name,
        choices=position.offers,
        question=milliseconds(lambda: links(office, game, sheet.question(state))),
        page=milliseconds(lambda: get(web, address)),
        letter=milliseconds(lambda: written(office, letter)),
    )


def links(office: Office, game: str, question: Question) -> list[str]:
    """The address of every choice, as letters and pages have them."""
    return [office.addresses.turn(game, question.seat, 1, choice.order) for choice in question.choices]


def written(office: Office, letter: int) -> bytes:
    """The letter without its picture."""
    draft = correspondence.letter(office, letter, now())
    return compose(draft.view, None, office.settings.mail_from).content


def put(office: Office, position: Position) -> tuple[str, int]:
    """A game in this position with the letter that asks: its id, and the number of the letter."""
    sheet, state, players = position.sheet, position.state, position.players
    people = tuple(opening.Invited(f"{colour}@example.org", colour.capitalize()) for colour in players)
    new = opening.NewGame("A late position", sheet.game, sheet.slug, people, grace=timedelta(0))
    game = opening.open_game(office, None, new, now())
    for number in range(len(players)):
        opening.answer(office, InvitationClaim(game, number), True, now())
    with office.game(game, now()) as work:
        for seat, colour in zip(work.seats, players, strict=True):
            seat.colour = colour
        work.session.flush()
        work.game.version += 1
        entry = entries.Entry(players[0], "pass", MoveCause.PLAYER, sheet.turn(state), sheet.phase(state))
        entries.add(work, entry, Step(state), ())
        progress.ask(work, sheet.to_act(state) or "")
    with office.read() as session:
        asking = select(Letter.id).where(Letter.game_id == game, Letter.version == 1, Letter.kind == "your-turn")
        return game, session.scalars(asking).one()


def get(web: FlaskClient, address: str) -> None:
    """Open a page."""
    answer = web.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answered {answer.status_code}: {answer.text}")


@contextmanager
def office_in_memory(url: str = "") -> Iterator[Office]:
    """An office on an empty database, SQLite unless it is named."""
    with tempfile.TemporaryDirectory(prefix="pbem-pages-") as folder:
        ours = {
            "PBEM_DATA_DIR": folder,
            "PBEM_DATABASE_URL": url or f"sqlite:///{folder}/pages.sqlite",
            "PBEM_RATE_LIMITS": "off",
        }
        office = open_office(Settings.read(ours), Hints(lambda _: None))
        upgrade(office.database.engine)
        yield office
        office.database.close()


def page_of_a_game() -> Iterator[Row]:
    """The page of a game near its end as one of its players sees it, on both databases."""
    with stock(1) as games, servers.postgresql(on_disk=True) as url:
        for name, where in (("SQLite", ""), ("PostgreSQL", url)):
            with office_in_memory(where) as office:
                games.copy_to(office.settings.database_url)
                yield from looked_at(office, games.games[0].id, name)


def looked_at(office: Office, game: str, name: str) -> Iterator[Row]:
    """Time and statements of the page."""
    web = create_app(office=office).test_client()
    web.set_cookie(cookie_name(office.settings), accounts.log_in_seat(office, SeatClaim(game, 0), now()))
    address = f"/games/{game}"
    took, statements = milliseconds(lambda: get(web, address), LOOKS), []

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            statements.append(statement)

    event.listen(office.database.engine, "before_cursor_execute", note)
    get(web, address)
    page = "page of a late game of five"
    yield Row(f"{page}, {name}", took, "ms", limit=GAME_PAGE_MS)
    yield Row(f"SQL of the {page}, {name}", len(statements), "statements", limit=GAME_PAGE_STATEMENTS)


def start() -> Row:
    """How long the command takes to say what it can do."""
    told = statistics.median(seconds("-m", "pbem", "--help") for _ in range(RUNS))
    bare = statistics.median(seconds("-c", "pass") for _ in range(RUNS))
    return Row("pbem --help", told, "s", "Python alone", bare, limit=HELP_S)


def seconds(*words: str) -> float:
    """How long a Python program runs."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def milliseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of the processor; the first run does not count."""
    times = []
    for _ in range(runs + 1):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times[1:])
