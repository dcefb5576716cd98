"""The page of deliveries: best first, filtered by the address, routes on the board."""

import pytest

from pbem.rails.track import RouteChoice
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def moving(played: Played) -> Site:
    return played("deliver")


def test_the_list_says_who_gains_what_and_its_best_line_is_chosen(moving: Site) -> None:
    view = moving.view()
    page = moving.get(moving.turn())
    best = max(
        view.sheet.question(view.state).choices,
        key=lambda choice: choice.gains.get(view.waiting_for, 0) if isinstance(choice, RouteChoice) else -1,
    )
    assert "Minneapolis to Duluth" in page.text or "Duluth to Minneapolis" in page.text
    chosen = next(c for c in view.sheet.question(view.state).choices if c.order == page.form.fields["orders"])
    assert chosen.gains.get(view.waiting_for, 0) == best.gains.get(view.waiting_for, 0)
    assert 'class="path p1"' in page.html


def test_the_buttons_beside_the_list_win_over_the_chosen_line(moving: Site) -> None:
    page = moving.get(moving.turn())
    assert ("instead", "loco") in page.form.buttons
    moving.press(moving.turn(), orders=page.form.fields["orders"], instead="loco")
    assert moving.view().log[-1].orders == "loco"


def test_a_filter_is_a_form_that_changes_nothing(moving: Site) -> None:
    page = moving.get(moving.turn())
    (search,) = [form for form in page.forms if form.id == "filter"]
    assert search.method == "get"
    nothing = moving.get(moving.turn() + "?colour=white")
    assert "No delivery matches." in nothing.text
    only = page.form.fields["orders"].split()[1]
    assert moving.get(moving.turn() + f"?colour={only}").form.fields["orders"].split()[1] == only


def test_what_is_short_at_the_end_of_the_turn_stands_out(moving: Site) -> None:
    view = moving.view()
    with_less = view.state.with_player(view.waiting_for, cash=0, income=2, shares=3)
    question = view.sheet.question(with_less)
    assert question.stressed == question.lead[-1]
    assert "short" in str(question.stressed)
    assert view.sheet.question(view.state.with_player(view.waiting_for, cash=50)).stressed is None
