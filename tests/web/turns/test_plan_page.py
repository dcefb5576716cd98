"""The planning page, orders ahead on the page of the game and through the API."""

import json
from collections.abc import Callable
from typing import Any

from pbem.engine import Typed
from pbem.service.letters import kinds
from pbem.service.letters.kinds.orders import Played
from pbem.service.turns import standing_orders
from tests.web.reading import Page
from tests.web.site import Site


def plan_path(site: Site, seat: str) -> str:
    view = site.view()
    turn = view.sheet.turn(view.state)
    return site.path(site.office.addresses.plan(view.id, seat, turn))


def later(site: Site) -> str:
    """A seat that is not asked now."""
    view = site.view()
    return next(str(seat) for seat in view.state.order if seat != view.waiting_for)


def own(site: Site, seat: str) -> list[str]:
    return [order.orders for order in standing_orders.of_seat(site.office, site.game, seat)]


def send(site: Site, seat: str, **fields: str) -> Page:
    path = plan_path(site, seat)
    form = next(form for form in site.get(path).forms if form.id == "play")
    answer = site.post(form.action, {**form.fields, **fields})
    return site.get(answer.headers["Location"])


def api(site: Site, path: str, body: Any = None, code: int = 200) -> Any:
    path = "/api/v1/turn/" + path.removeprefix("/t/").partition("?")[0]
    answer = site.client.get(path) if body is None else site.client.post(path, json=body)
    assert answer.status_code == code, answer.text
    return json.loads(answer.text)


def test_the_planning_page_asks_for_all_three(site: Site) -> None:
    page = site.get(plan_path(site, later(site)))
    assert "Plan shares, bid and action" in page.headings
    form = next(form for form in page.forms if form.id == "play")
    assert {"issue_shares.value", "turn_order.value", "select_actions.1"} <= set(form.fields)


def test_fields_write_the_orders(site: Site) -> None:
    seat = later(site)
    page = send(
        site,
        seat,
        **{
            "issue_shares.value": "2",
            "turn_order.value": "4",
            "turn_order.until": "3",
            "turn_order.then": "ask",
            "select_actions.1": "locomotive",
            "select_actions.2": "engineer",
            "select_actions.3": "locomotive",
        },
    )
    assert "Your orders are accepted" in page.headings
    assert own(site, seat) == ["issue 2", "bid max 4 then ask until 3", "action locomotive > engineer"]


def test_the_page_shows_again_what_waits(site: Site) -> None:
    seat = later(site)
    site.play("issue 2\nbid max 4 then ask until 3\naction engineer > locomotive", seat=seat)
    form = next(form for form in site.get(plan_path(site, seat)).forms if form.id == "play")
    assert form.fields["issue_shares.value"] == "2"
    assert (form.fields["turn_order.value"], form.fields["turn_order.until"]) == ("4", "3")
    assert (form.fields["select_actions.1"], form.fields["select_actions.2"]) == ("engineer", "locomotive")
    assert form.fields["typed"].splitlines() == [
        "issue 2",
        "bid max 4 then ask until 3",
        "action engineer > locomotive",
    ]


def test_text_and_fields_have_buttons_of_their_own(site: Site) -> None:
    seat = later(site)
    both = {"issue_shares.value": "2", "typed": "issue 0\nalways auto-pass"}
    send(site, seat, **both)
    assert own(site, seat) == ["issue 2"]
    send(site, seat, send="typed", **both)
    assert own(site, seat) == ["issue 0", "always auto-pass"]


def test_an_order_is_withdrawn_on_the_page(site: Site) -> None:
    seat = later(site)
    site.play("issue 2\nbid max 1", seat=seat)
    page = site.get(plan_path(site, seat))
    first = next(form for form in page.forms if "/withdraw/" in form.action)
    site.post(first.action, {})
    assert own(site, seat) == ["bid max 1"]


def test_nobody_withdraws_the_order_of_another_seat(site: Site) -> None:
    seat = later(site)
    site.play("issue 2", seat=seat)
    (order,) = standing_orders.of_seat(site.office, site.game, seat)
    token = plan_path(site, site.view().waiting_for).partition("?")[0]
    site.post(f"{token}/withdraw/{order.id}", {}, 404)
    site.post(f"{token}/withdraw/{2**70}", {}, 404)
    site.client.get(f"{token}/withdraw/{order.id}")
    assert own(site, seat) == ["issue 2"]


def test_the_page_of_the_game_lists_own_orders_and_nobody_elses(site: Site) -> None:
    seat = later(site)
    site.play("action urbanization > production", seat=seat)
    number = next(s.number for s in site.view().seats if s.seat == seat)
    mine = site.get(site.path(site.office.addresses.seat(site.game, number)))
    assert "action urbanization > production" in mine.text
    for other in site.view().seats:
        if other.number != number:
            page = site.get(site.path(site.office.addresses.seat(site.game, other.number)))
            assert "urbanization > production" not in page.text
    assert "urbanization > production" not in site.get(f"/games/{site.game}").text


def test_a_plan_ends_with_its_turn(site: Site) -> None:
    seat = later(site)
    path = plan_path(site, seat)
    while site.asked().sheet.turn(site.asked().state) == 1:
        site.play()
    assert "This question is over" in site.get(path).headings
    site.post(path.partition("?")[0], {"typed": "issue 1", "send": "typed"})
    assert own(site, seat) == []
    assert api(site, path, code=410)["error"]
    assert api(site, path, {"orders": "issue 1"}, 410)["error"]


def test_a_turn_page_leads_its_player_to_the_plan_and_nobody_else(site: Site) -> None:
    path = f"{site.turn()}?plan"
    assert site.get(path).headings[0] == "Issue shares"
    number = site.number_asked()
    site.log_in((number + 1) % 4)
    assert site.client.get(path, base_url=site.office.settings.public_url).status_code == 200
    site.log_in(number)
    answer = site.client.get(path, base_url=site.office.settings.public_url)
    assert answer.status_code == 302
    assert "Plan shares, bid and action" in site.get(answer.headers["Location"]).headings


def test_programs_give_standing_orders_with_the_token_of_the_plan(site: Site) -> None:
    seat = later(site)
    path = plan_path(site, seat)
    asked = api(site, path)
    assert (asked["seat"], asked["legal"]) == (seat, None)
    assert asked["plan"] == ["issue _", "bid max _", "action _ > _ > _"]
    receipt = api(site, path, {"orders": "issue 1\nbid max 2"}, 202)
    told = json.loads(site.client.get(site.path(receipt["status"])).text)
    assert told["status"] == "played"
    assert told["events"][0] == "“issue 1” waits for your moment in turn 1: issue shares."
    assert [order["orders"] for order in api(site, path)["ahead"]] == ["issue 1", "bid max 2"]
    number = told["ahead"][0]["id"]
    withdrawn = site.client.post(f"/api/v1{path.partition('?')[0].replace('/t/', '/turn/')}/withdraw/{number}")
    assert withdrawn.json == {"withdrawn": True}
    assert own(site, seat) == ["bid max 2"]


def test_the_same_plan_twice_is_one_and_a_changed_mind_counts(site: Site) -> None:
    seat = later(site)
    path = plan_path(site, seat)
    first = api(site, path, {"orders": "issue 1"}, 202)["submission"]
    assert api(site, path, {"orders": "issue 1"}, 202)["submission"] == first
    api(site, path, {"orders": "issue 2"}, 202)
    assert api(site, path, {"orders": "issue 1"}, 202)["submission"] != first
    assert own(site, seat) == ["issue 1"]


def test_a_build_may_say_what_to_move_then(played: Callable[[str], Site]) -> None:
    site = played("build")
    seat = site.view().waiting_for
    form = next(form for form in site.get(site.turn()).forms if form.id == "play")
    assert "then" in form.fields
    answer = site.post(form.action, {**form.fields, "then": "loco\nmove 1 | pass"})
    assert "works only for the position" in site.get(answer.headers["Location"]).text
    answer = site.post(form.action, {**form.fields, "then": "loco\npass"})
    assert "Waiting: loco" in site.get(answer.headers["Location"]).text
    assert own(site, seat) == ["loco", "pass"]


def test_a_delivery_may_say_what_to_move_in_the_next_round(played: Callable[[str], Site]) -> None:
    site = played("deliver")
    seat = site.view().waiting_for
    page = site.get(site.turn())
    form = next(form for form in page.forms if form.id == "play")
    site.post(form.action, {"instead": "pass", "then": "loco | pass"})
    assert own(site, seat) == ["loco | pass"]
    while own(site, seat):
        site.play()
    assert site.view().sheet.rows(site.view().state) is not None


def test_the_next_rounds_are_chosen_from_lists(played: Callable[[str], Site]) -> None:
    site = played("deliver")
    seat = site.view().waiting_for
    form = next(form for form in site.get(site.turn()).forms if form.id == "play")
    assert {"then.1.1", "then.1.2"} <= set(form.fields)
    order = next(order for order in site.asked().sheet.legal(site.asked().state) or () if order.startswith("move"))
    site.post(form.action, {"instead": "pass", "then.1.1": order, "then.1.2": "loco", "then": ""})
    assert own(site, seat) == [f"{order} | loco"]


def test_typed_orders_for_the_next_rounds_count_before_the_lists(played: Callable[[str], Site]) -> None:
    site = played("build")
    seat = site.view().waiting_for
    form = next(form for form in site.get(site.turn()).forms if form.id == "play")
    assert {"then.1.1", "then.2.2"} <= set(form.fields)
    answer = site.post(form.action, {**form.fields, "then.2.1": "loco"}, 400)  # no round is left out before another
    assert "none for the one before" in answer.text
    site.post(form.action, {**form.fields, "then.1.1": "loco", "then": "pass"})
    assert own(site, seat) == ["pass"]


def _of_an_only_cube(site: Site) -> str:
    """A delivery that cannot be made twice."""
    view = site.view()
    for order in site.asked().sheet.legal(site.asked().state) or ():
        word, colour, start, *_ = [*order.split(), "", ""]
        if word == "move" and list(view.state.cubes[start]).count(colour) == 1:
            return order
    raise AssertionError("no such delivery")


def test_an_order_ahead_that_the_own_delivery_leaves_nothing_is_told_on_the_page_at_once(
    played: Callable[[str], Site],
) -> None:
    site = played("deliver")
    order = _of_an_only_cube(site)
    form = next(form for form in site.get(site.turn()).forms if form.id == "play")
    answer = site.post(form.action, {"instead": order, "then": order})
    assert f"Your other orders leave “{order}” nothing to do" in site.get(answer.headers["Location"]).text


def test_an_order_ahead_that_the_own_delivery_leaves_nothing_is_told_in_the_answer_to_a_reply(
    played: Callable[[str], Site],
) -> None:
    site = played("deliver")
    seat, order = site.view().waiting_for, _of_an_only_cube(site)
    assert site.play(f"{order}\n{order}", seat=seat, version=site.view().version, via="mail").status == "played"
    told = site.read(site.letters("played")[-1]).own
    assert [sentence.values["orders"] for sentence in told.clashes] == [Typed(order)]
    asked = kinds.of(site.letters("played")[-1])
    assert isinstance(asked, Played)
    assert asked.clashes


def test_an_order_ahead_that_can_still_be_played_is_told_as_waiting_only(played: Callable[[str], Site]) -> None:
    site = played("deliver")
    order = _of_an_only_cube(site)
    form = next(form for form in site.get(site.turn()).forms if form.id == "play")
    answer = site.post(form.action, {"instead": "pass", "then": order})
    text = site.get(answer.headers["Location"]).text
    assert "Waiting:" in text
    assert "Your other orders leave" not in text
