"""A database that is away is no fault of the request: pages and the API say so, and when to come again."""

from __future__ import annotations

from dataclasses import replace

from pbem.store.database import Database
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests import templates
from tests.servers import free_port
from tests.web.site import Site


def test_pages_and_api_answer_503_and_say_that_it_can_be_tried_again(site: Site) -> None:
    site.start()
    view = site.view()
    token = site.office.tokens.turn(view.id, view.waiting_for, view.version)
    away = Database(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/nothing")
    client = templates.shared(
        create_app(office=replace(site.office, database=away), clock=lambda: site.now)
    ).test_client()
    client.set_cookie(cookie_name(site.office.settings), "whoever this was")
    page = client.post(f"/t/{token}", data={"send": "typed", "typed": "issue 2"})
    api = client.post(f"/api/v1/turn/{token}", json={"orders": "issue 2"})
    for answer in (page, api):
        assert answer.status_code == 503
        assert "cannot use its database" in answer.text
        assert int(answer.headers["Retry-After"]) > 0
    assert "issue 2" in page.text
    assert api.is_json
    away.close()
