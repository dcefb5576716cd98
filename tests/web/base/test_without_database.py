"""A database that is away is no fault of the request: pages and the API say so, and when to come again."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from pbem.service.base.tokens import TurnClaim
from pbem.store.database import Database
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests import templates
from tests.servers import free_port
from tests.web.site import Site


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
def test_what_is_only_looked_at_answers_503_too_with_all_its_headers(
    site: Site, client: FlaskClient, address: str
) -> None:
    view = site.view()
    token = site.office.tokens.make(TurnClaim(view.id, view.waiting_for, view.version))
    answer = client.get(address.replace("GAME", view.id).replace("TOKEN", token))
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "cannot use its database" in answer.text
