"""Pages are made without the state of a game: no template is given anything that leads to it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import flask
import pytest
from jinja2 import Template

from pbem.age_of_steam.state import State as AgeOfSteamState
from pbem.engine import catalog
from pbem.service.base.tokens import PlanClaim
from pbem.settings.paths import templates_folder
from pbem.steam_power.state import Player
from pbem.steam_power.state import State as SteamPowerState
from pbem.views.games import GameView
from tests.reachable import reachable
from tests.table import NAMES
from tests.web.conftest import Played
from tests.web.site import Site

SECRET = (AgeOfSteamState, SteamPowerState, Player, GameView)
OF_FLASK = ("request", "session", "g", "config")
"""What Flask itself gives every template."""

Seen = list[tuple[str, dict[str, object]]]


@contextmanager
def given(site: Site) -> Iterator[Seen]:
    """What every template is given meanwhile, with its name."""
    seen: Seen = []

    def note(_app: object, template: Template, context: dict[str, object]) -> None:
        seen.append((str(template.name), {key: value for key, value in context.items() if key not in OF_FLASK}))

    with flask.template_rendered.connected_to(note, site.app):
        yield seen


def leaks(seen: Seen) -> list[str]:
    """The ways that lead from what templates were given to a state."""
    assert seen
    return [f"{name}{way}" for name, values in seen for way, thing in reachable(values) if isinstance(thing, SECRET)]


def looked_at(site: Site) -> Seen:
    """The pages of a game, as a guest, the player who is asked and another one see them."""
    view = site.view()
    with given(site) as seen:
        site.get(f"/games/{site.game}")
        for seat in view.seats:
            site.get(site.path(site.office.addresses.seat(site.game, seat.number)))
        if view.waiting_for:
            site.get(site.turn())
            site.get(site.turn(str(view.sheet.default(view.state))))
            site.get(_plan(site))
            trial = site.client.get(f"{site.turn()}/try").headers["Location"]
            site.get(trial)
            site.get(site.post(trial, {"orders": str(view.sheet.default(view.state))}).headers["Location"])
    return seen


def _plan(site: Site) -> str:
    view = site.view()
    token = site.office.tokens.make(PlanClaim(site.game, view.waiting_for, view.sheet.turn(view.state), 0))
    return f"/t/{token}"


@pytest.mark.parametrize("form", ["started", "choices", "build", "deliver", "over"])
def test_no_page_is_given_the_state(played: Played, form: str) -> None:
    seen = looked_at(played(form))
    assert {name for name, values in seen if "game" in values}
    assert leaks(seen) == []


def test_no_page_of_a_game_with_hidden_hands_is_given_them(empty: Site) -> None:
    empty.start(game="steam-power", map="ireland", names=NAMES[:3])
    for _ in range(3):
        assert leaks(looked_at(empty)) == []
        empty.play()


def test_drafts_answers_and_used_links_are_shown_without_the_state(played: Played) -> None:
    site = played("build")
    link = site.turn()
    with given(site) as seen:
        site.get(f"{link}?steps=B1+NE-S")
        site.press(link, orders="build nothing")
        site.get(link)
    assert {"turn_build.html", "turn_sent.html", "stale.html"} <= {name for name, _ in seen}
    assert leaks(seen) == []


def test_invitations_are_shown_without_the_state(empty: Site) -> None:
    empty.open()
    with given(empty) as seen:
        empty.get(empty.path(empty.office.addresses.invitation(empty.game, 1)))
        empty.get(f"/games/{empty.game}")
    assert leaks(seen) == []


def test_no_template_asks_a_sheet_about_a_position() -> None:
    asked = re.compile(r"\.state\b|sheet\.(rows|columns|words|hand|question|legal|position|scene)\b")
    for path in templates_folder().rglob("*.*"):
        if path.suffix in (".html", ".txt", ".xml"):
            assert not asked.search(path.read_text("utf-8")), path.name


def test_the_games_that_are_searched_are_all_there_are() -> None:
    """A third game would have a state of its own to look for."""
    assert {sheet.game for sheet in catalog.sheets()} == {"age-of-steam", "steam-power"}
