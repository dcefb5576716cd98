"""Four people, a game, its pages, and a worker that plays at once."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

from flask import Flask
from flask.testing import FlaskClient
from typing_extensions import override
from werkzeug.test import TestResponse

from pbem.service.base.task_hints import Hint, Hints
from pbem.service.base.tokens import TurnClaim
from pbem.service.orders import submissions
from pbem.store.database import Database
from pbem.store.tables import Submission
from pbem.transport import broker
from pbem.views.games import GameView
from pbem.web import create_app
from pbem.web.base import clients, context
from pbem.web.turns import onward
from tests import templates
from tests.table import Asked, Table
from tests.web.reading import Page

FIRST_BUILD = "build B1 NE-S; D1 N-S"
"""Minneapolis to Duluth: a link in the first turn."""

_idle: list[Flask] = []
"""The applications of closed sites: to compile addresses and templates anew takes longer than most tests."""


class Site(Table):
    """A table with its pages. ``working`` switches the worker off and on."""

    def __init__(self, database_url: str, folder: Path, opened: Database | None = None) -> None:
        super().__init__(database_url, folder, opened)
        self.working = True
        self.page = "/"
        self.office = self._own_office = replace(self.office, hints=Hints(self._work))
        self.app = self._made = self._application()
        self.app.testing = False
        self.client: FlaskClient = self.app.test_client()

    @override
    def close(self) -> None:
        super().close()
        _idle.append(self._made)

    def _application(self) -> Flask:
        """That of a closed site, with nothing of it left, or a new one."""
        if not _idle:
            return templates.shared(create_app(office=self.office, clock=lambda: self.now, patience=0))
        app = _idle.pop()
        app.extensions[context.EXTENSION] = context.RequestContext(self.office, lambda: self.now, 0)
        app.extensions[clients.EXTENSION] = clients.Tally()
        return app

    def _work(self, hint: Hint) -> None:
        if self.working and hint.task == broker.PLAY:
            submissions.play_waiting(self.office, str(hint.id), self.now)

    def turn(self, order: str = "") -> str:
        """The address of the turn page of the seat that is asked."""
        asked = self.asked()
        return self.path(self.office.addresses.turn(self.game, asked.waiting_for, asked.version, order))

    def result(self, number: int) -> str:
        """The page of orders as whoever has just sent them comes to it."""
        with self.office.read() as session:
            row = session.get_one(Submission, number)
        seat = next(seat for seat in self.view().seats if seat.seat == row.seat)
        token = self.office.tokens.make(TurnClaim(self.game, row.seat, row.version or 0))
        with self.app.test_request_context():
            return f"/t/{token}/sent/{number}?on={onward.mark(self.game, seat, number)}"

    def path(self, address: str) -> str:
        """An address of a letter without its host."""
        return address.removeprefix(self.office.settings.public_url)

    def get(self, path: str, code: int = 200) -> Page:
        """Open a page; an address that is only a query is of the page that was opened before."""
        self.page = urljoin(self.page, path)
        response = self.client.get(self.page)
        assert response.status_code == code, response.text
        return Page(response.text)

    def get_on(self, path: str) -> str:
        """Where a page leads on to at once; empty where it stays."""
        response = self.client.get(path)
        assert response.status_code in (200, 302), response.text
        return response.headers.get("Location", "")

    def post(self, path: str, fields: dict[str, str], code: int = 303) -> TestResponse:
        response = self.client.post(path, data=fields)
        assert response.status_code == code, response.text
        return response

    def press(self, path: str, **more: str) -> Page:
        """Open a page, send its form (with more fields) and follow to the answer."""
        form = self.get(path).form
        sent = self.post(form.action, {**form.hidden, **more})
        return self.get(sent.headers["Location"])

    def log_in(self, number: int = 0) -> None:
        """Stay logged in as the player of a seat."""
        path = self.path(self.office.addresses.seat(self.game, number))
        answer = self.client.post(path, base_url=self.office.settings.public_url)
        assert answer.status_code == 303

    def until(self, form: str, *, action: str = "production") -> GameView:
        """Play until a question of this form is asked: the first build links Minneapolis and Duluth.

        ``action``: what the first to choose takes.
        """
        for _ in range(300):
            asked = self.asked()
            question = asked.sheet.question(asked.state)
            if question.form == form:
                return self.view()
            played = self.play(self._order(question.form, asked, action), seat=asked.waiting_for, version=asked.version)
            assert played.status == "played", played
        raise AssertionError(f"no question of the form {form} in 300 orders")

    def _order(self, form: str, asked: Asked, action: str) -> str:
        if form == "build" and not asked.sheet.position(asked.state)["track"]:
            return FIRST_BUILD
        legal = asked.sheet.legal(asked.state) or ()
        wishes = [order for order in ("issue 3", f"action {action}") if order in legal]
        return wishes[0] if wishes else asked.default()
