"""The operator needs no terminal after the first start: what the documents do with commands has a button."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.service.operator import jobs, operating
from pbem.service.turns import stuck_standing_orders
from pbem.store.statuses import JobKind, Sending, StandingOrderStatus
from pbem.store.tables import Game, Letter, StandingOrderRow
from pbem.web.base import context
from tests.web.accounts.test_host_page import of, page, press, run_by, send
from tests.web.reading import Form
from tests.web.site import Site

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("hosting.md", "reliability.md")
BUTTONS = {
    "doctor": {"doctor", "mail"},
    "backup": {"backup", "check"},
    "recheck": {"recheck"},
    "ratings": {"ratings"},
}
"""Commands of the documents, and the jobs that do the same."""
ON_HOST = {"unstick", "map"}
"""Those whose buttons stand beside what they are about, on the page of the server."""
MACHINE = {"migrate", "restore", "serve"}
OTHERS = {"new", "verify", "site", "import", "export", "demo"}
"""What players do on their own pages, the operator among them: a new game, its dice, files, a game to try out."""


@pytest.fixture
def host(site: Site, tmp_path: Path) -> Site:
    """Ana runs the server and is logged in; backups go into a folder."""
    run_by(site, "ana@example.org")
    settings = replace(site.office.settings, backup_dir=tmp_path / "backups", smtp_url="smtp://127.0.0.1:2525")
    site.office = replace(site.office, settings=settings)
    site.app.extensions[context.EXTENSION] = context.RequestContext(site.office, lambda: site.now, 0)
    site.log_in()
    return site


def start(site: Site, do: str, **more: str) -> int:
    fields = {**of(page(site), "/host/notice").hidden, "do": do, **more}
    return send(site, "/host/work", fields).status_code


def test_every_command_of_the_documents_has_a_button_or_is_said_to_need_the_machine(host: Site) -> None:
    text = " ".join((DOCS / name).read_text("utf-8") for name in PAGES)
    commands = {path.stem.rstrip("_") for path in (DOCS.parent / "pbem" / "cli").glob("[a-z]*.py")}
    named = set(re.findall(r"\bpbem ([a-z]+)\b", text)) & commands
    assert named <= BUTTONS.keys() | ON_HOST | MACHINE | OTHERS
    shown = page(host, "/host/work")
    offered = {value for form in shown.posts for name, value in form.buttons if name == "do"}
    assert offered == set().union(*BUTTONS.values()) == set(JobKind)
    for command in MACHINE:
        assert f"pbem {command}" in shown.text


def test_only_whoever_runs_the_server_finds_these_pages(host: Site) -> None:
    mark = of(page(host), "/host/notice").hidden
    host.log_in(1)
    page(host, "/host/work", 404)
    mark = page(host, "/account").posts[0].hidden
    for path in ("work", "backups", "standing-orders", "given-up", "games"):
        fields = {**mark, "do": "doctor", "name": "x", "number": "1", "game": host.game}
        assert send(host, f"/host/{path}", fields).status_code == 404, path
    assert jobs.latest(host.office) == {}


def test_a_job_is_done_by_one_clock_and_its_outcome_is_shown(host: Site) -> None:
    assert start(host, "recheck", which="running") == 303
    assert start(host, "recheck") == 409
    assert "Waits for the clock" in page(host, "/host/work").text
    begun = jobs.begin(host.office, host.now)
    assert begun is not None
    assert (begun.kind, begun.given) == (JobKind.RECHECK, "--running")
    assert jobs.begin(host.office, host.now) is None
    assert "The clock does this now." in page(host, "/host/work").text
    jobs.finish(host.office, begun.id, False, "7kq2m differs <from move 3>", host.now)
    assert "7kq2m differs <from move 3>" in page(host, "/host/work").text
    assert start(host, "recheck", given="7KQ2M, 9pd4x") == 303
    again = jobs.begin(host.office, host.now)
    assert again is not None
    assert again.given == "7kq2m 9pd4x"
    assert operating.actions(host.office, 1)[0].what == "starts-recheck"


def test_a_job_whose_clock_has_ended_is_told_and_not_done_twice(host: Site) -> None:
    start(host, "doctor")
    begun = jobs.begin(host.office, host.now)
    assert begun is not None
    jobs.goes_on(host.office, begun.id, host.now + jobs.ALIVE)
    assert jobs.begin(host.office, host.now + 2 * jobs.ALIVE) is None
    late = host.now + 2 * jobs.ALIVE + timedelta(seconds=1)
    assert jobs.begin(host.office, late) is None
    assert jobs.latest(host.office)[JobKind.DOCTOR].says == jobs.INTERRUPTED


def test_what_a_job_is_given_is_judged(host: Site) -> None:
    for given in ("--jobs 99", "a;b", "x" * 17, " ".join(["abc"] * 51)):
        assert start(host, "recheck", given=given) == 400, given
    assert start(host, "mail", given="x" * 50_000) == 400
    assert start(host, "format-disk") == 400
    assert jobs.latest(host.office) == {}


def test_a_backup_is_downloaded_by_its_name_and_nothing_else_is(host: Site) -> None:
    folder = host.office.settings.backup_dir
    assert folder is not None
    folder.mkdir()
    (folder / "pbem-20261120T180000Z.backup").write_bytes(b"a backup")
    form = of(page(host, "/host/work"), "/host/backups")
    answer = send(host, form.action, {**form.hidden, **dict([form.buttons[0]])})
    assert answer.data == b"a backup"
    answer.close()
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "no-store" in answer.headers["Cache-Control"]
    for name in ("", "../secret_key", "pbem-20261120T180001Z.backup"):
        assert send(host, form.action, {**form.hidden, "name": name}).status_code in (400, 404)
    assert operating.actions(host.office, 1)[0].what == "downloads"


def set_aside(site: Site, turn: int) -> int:
    """An order given ahead of the second player that met an error."""
    with site.office.write() as session:
        seat = site.view().seats[1].seat
        row = StandingOrderRow(
            game_id=site.game, seat=seat, turn=turn, moment="nothing", orders="pass", guard={}, words={"one": "x"},
            status=StandingOrderStatus.STUCK, given_at=site.now, done_at=site.now, reason={"one": "y"},
        )  # fmt: skip
        session.add(row)
        session.flush()
        return row.id


def test_an_order_given_ahead_that_met_an_error_waits_again_while_its_moment_can_come(host: Site) -> None:
    number = set_aside(host, 0)
    assert "Its moment can still come." in page(host).text
    told = press(host, of(page(host), "/host/standing-orders"))
    assert "The order waits for its moment again" in told.text
    assert stuck_standing_orders.of_all(host.office, 5) == ()
    with host.office.read() as session:
        row = session.get_one(StandingOrderRow, number)
        assert (row.status, row.reason) == (StandingOrderStatus.WAITING, None)
    late = {**of(page(host), "/host/notice").hidden, "number": str(number)}
    assert "done=order-gone" in send(host, "/host/standing-orders", late).headers["Location"]
    assert operating.actions(host.office, 1)[0].what == "plays-order"


def test_one_of_a_turn_that_is_over_can_only_be_closed(host: Site) -> None:
    number = set_aside(host, 1)
    host.put(update(Game).where(Game.id == host.game).values(turn=2))
    told = press(host, of(page(host), "/host/standing-orders"))
    assert "The order is closed" in told.text
    with host.office.read() as session:
        assert session.get_one(StandingOrderRow, number).status == StandingOrderStatus.CANCELLED


def give_up(site: Site) -> int:
    with site.office.write() as session:
        letter = session.get_one(Letter, site.letters()[-1].id)
        letter.status, letter.attempts = Sending.FAILED, 10
        return letter.id


def test_emails_that_were_given_up_are_sent_again_or_cleared(host: Site) -> None:
    number = give_up(host)
    assert "The emails are sent again." in press(host, of_given_up(host, 0)).text
    with host.office.read() as session:
        assert session.get_one(Letter, number).status != Sending.FAILED
    give_up(host)
    assert "is empty" in press(host, of_given_up(host, 1)).text
    with host.office.read() as session:
        assert session.get_one(Letter, number).status == Sending.WITHDRAWN
    assert "given-up" not in page(host).ids
    assert [action.what for action in operating.actions(host.office, 2)] == ["clears", "sends-again"]


def of_given_up(site: Site, place: int) -> Form:
    return [form for form in page(site).posts if form.action == "/host/given-up"][place]


def test_a_game_past_its_deadline_is_unlocked(host: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    deadline = host.view().deadline
    assert deadline is not None
    host.now = deadline + timedelta(minutes=5)
    host.log_in()
    version = host.view().version
    monkeypatch.setattr("pbem.service.orders.deadlines.play_waiting", lambda *_: 1 / 0)
    assert "It failed again." in press(host, of(page(host), "/host/games")).text
    monkeypatch.undo()
    assert "The game goes on." in press(host, of(page(host), "/host/games")).text
    assert host.view().version > version
    fields = {**of(page(host), "/host/notice").hidden, "game": "nothing"}
    assert send(host, "/host/games", fields).status_code == 404
