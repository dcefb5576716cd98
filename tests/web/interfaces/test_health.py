"""Health, and pages while the database is away."""

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import text

from pbem.service.base.tokens import TurnClaim
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.database import Database
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests import servers, templates
from tests.servers import free_port
from tests.store.later_version import later_version
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def site(played: Played) -> Site:
    made = played("started")
    outages.beat(made.office, made.now)
    return made


def findings(site: Site, path: str = "/readyz", code: int = 200) -> dict[str, dict[str, object]]:
    answer = site.client.get(path)
    assert answer.status_code == code, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json is not None
    return {finding["name"]: finding for finding in answer.json["findings"]}


def test_a_process_that_lives_says_so_without_looking_at_anything(site: Site) -> None:
    site.office.database.close()
    assert site.client.get("/healthz").json == {"ok": True}


def test_each_finding_is_a_sentence_and_nothing_is_written(site: Site) -> None:
    outages.beat_on(site.office, site.now)
    with site.office.database.engine.connect() as connection:
        before = connection.scalar(text("PRAGMA data_version"))
        found = findings(site)
        assert connection.scalar(text("PRAGMA data_version")) == before
    assert list(found) == ["database", "migrations", "orders", "letters", "webhooks", "clock", "broker"]
    assert all(finding["well"] and finding["says"] for finding in found.values()), list(found.values())[2:]


def test_what_waits_too_long_is_told_and_does_not_take_the_web_away(site: Site) -> None:
    site.working = False
    site.send(site.legal())
    site.awake(minutes=6)
    found = findings(site)
    assert found["orders"]["says"] == "1 wait to be played, the oldest for 360 s"
    assert (found["orders"]["well"], found["letters"]["well"], found["clock"]["well"]) == (False, False, True)
    assert "worker" in str(found["orders"]["do"])
    findings(site, "/readyz?all", 503)
    site.later(minutes=3)
    assert not findings(site)["clock"]["well"]


def test_tables_behind_or_ahead_make_it_unready(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        later_version(tmp_path, patch)
        assert findings(site, code=503)["migrations"]["do"] == "Run pbem migrate."
    with site.office.database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "newer version" in str(findings(site, code=503)["migrations"]["says"])


def test_without_a_database_the_web_is_not_ready_and_says_nothing_of_where_it_is(tmp_path: Path) -> None:
    away = f"postgresql+psycopg://pbem:a-password@127.0.0.1:{servers.free_port()}/pbem"
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_DATABASE_URL": away})
    answer = templates.shared(create_app(settings)).test_client().get("/readyz")
    assert answer.status_code == 503
    assert "127.0.0.1" not in answer.text
    assert answer.json is not None
    assert not answer.json["ready"]


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("silent", [False, True])
def test_a_broker_that_is_away_or_silent_keeps_the_web_ready(site: Site, silent_port: int, silent: bool) -> None:
    port = silent_port if silent else servers.free_port()
    settings = replace(site.office.settings, broker_url=f"redis://:a-password@127.0.0.1:{port}/0")
    site.app = templates.shared(create_app(office=replace(site.office, settings=settings), clock=lambda: site.now))
    site.client = site.app.test_client()
    began = time.monotonic()
    broker = findings(site)["broker"]
    assert time.monotonic() - began < 60
    assert not broker["well"]
    assert "password" not in str(broker)
    assert str(port) not in str(broker)


def test_redis_that_runs_is_well(tmp_path: Path, site: Site) -> None:
    try:
        with servers.redis() as url:
            settings = replace(site.office.settings, broker_url=url)
            site.client = templates.shared(create_app(office=replace(site.office, settings=settings))).test_client()
            assert findings(site)["broker"]["says"] == "Redis answers"
    except servers.Missing as missing:
        pytest.skip(f"no Redis: {missing}")


@pytest.fixture
def client(site: Site) -> Iterator[FlaskClient]:
    """A browser with a cookie on a server whose database is away."""
    site.start()
    away = Database(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/nothing")
    app = templates.shared(create_app(office=replace(site.office, database=away), clock=lambda: site.now))
    browser = app.test_client()
    browser.set_cookie(cookie_name(site.office.settings), "whoever this was")
    yield browser
    away.close()


def test_pages_and_api_answer_503_and_say_that_it_can_be_tried_again(site: Site, client: FlaskClient) -> None:
    view = site.view()
    token = site.office.tokens.make(TurnClaim(view.id, view.waiting_for, view.version))
    page = client.post(f"/t/{token}", data={"send": "typed", "typed": "issue 2"})
    api = client.post(f"/api/v1/turn/{token}", json={"orders": "issue 2"})
    for answer in (page, api):
        assert answer.status_code == 503
        assert "cannot use its database" in answer.text
        assert int(answer.headers["Retry-After"]) > 0
    assert "issue 2" in page.text
    assert api.is_json


@pytest.mark.parametrize("address", ["/", "/games/GAME", "/games/GAME/board.png", "/t/TOKEN", "/api/v1/turn/TOKEN"])
def test_what_is_only_looked_at_answers_503_with_headers(site: Site, client: FlaskClient, address: str) -> None:
    view = site.view()
    token = site.office.tokens.make(TurnClaim(view.id, view.waiting_for, view.version))
    answer = client.get(address.replace("GAME", view.id).replace("TOKEN", token))
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "cannot use its database" in answer.text
