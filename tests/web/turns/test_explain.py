"""Explain this decision: asked for on a turn page, played on by a worker, and shown to nobody else."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import select
from typing_extensions import override

from pbem.engine import say
from pbem.robot import tutor
from pbem.robot.tutor import Ending, PlayOut
from pbem.service import NotNow
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.games import guests, views
from pbem.service.turns import explanations
from pbem.service.turns.explanations import ENOUGH, FIRST, KEPT, LEASE, LONGEST, MOST_WAITING, TRIES
from pbem.store.tables import Explanation
from pbem.transport import broker
from pbem.web.base import context
from pbem.web.turns.opened import opened
from tests.web.reading import Page
from tests.web.site import Site
from workers import app, clock, explaining, work

POINTS = {"issue 2": 60, "issue 1": 58, "issue 0": 40}
"""What answers lead to here."""


class Played:
    """A game that ends at once. What "issue 1" leads to depends on luck, the others are as far apart as ever."""

    def __init__(self, order: str, number: int) -> None:
        self.order, self.number = order, number

    def go_on(self) -> Ending | None:
        luck = 7 * (-1) ** self.number if self.order == "issue 1" else self.number
        return Ending(POINTS[self.order] + luck, 1, 0)


class Ended(Played):
    """One that ends with as many points whatever was answered."""

    @override
    def go_on(self) -> Ending | None:
        return Ending(30, 1, 0)


class Long(Played):
    """A game of some decisions."""

    left = 3

    @override
    def go_on(self) -> Ending | None:
        self.left -= 1
        return None if self.left else super().go_on()


@pytest.fixture
def hints(empty: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Hint]]:
    """A game against two robots that asks for shares; what is hinted, and answers that are played on in no time."""
    given: list[Hint] = []
    hinted(empty, given)
    empty.open(("Ana",), robots=("rufus", "penny"))
    monkeypatch.setattr(work, "now", lambda: empty.now)
    monkeypatch.setattr(tutor, "candidates", lambda *_: tuple((order, say("It pays.")) for order in POINTS))
    monkeypatch.setattr(PlayOut, "begin", lambda _sheet, _state, order, _options, number: Played(order, number))
    monkeypatch.setattr(explaining, "SLICE", 0.0)
    while empty.asked().waiting_for != empty.view().seats[0].seat:
        empty.play()
    given.clear()
    yield given
    explaining._begun.clear()


def hinted(site: Site, given: list[Hint]) -> None:
    site.office = replace(site.office, hints=Hints(given.append))
    own = site.app.extensions[context.EXTENSION]
    site.app.extensions[context.EXTENSION] = replace(own, office=site.office)


def explain_hints(hints: list[Hint]) -> list[int]:
    return [int(hint.id) for hint in hints if hint.task == broker.EXPLAIN]


def slices(site: Site, hints: list[Hint], most: int = 1000) -> int:
    """Work off hints as workers do; returns how many there were."""
    for number in range(most):
        if not (waiting := explain_hints(hints)):
            return number
        hints.clear()
        explaining.explain(site.office, waiting[0])
    return most


def ask(site: Site) -> str:
    """Ask for an explanation as a page does; returns where that leads."""
    return site.post(f"{site.turn()}/explain", {}).headers["Location"]


def block(site: Site, query: str = "?explain=1") -> str:
    """The block of the turn page."""
    path = site.turn()
    with site.app.test_request_context(path + query):
        site.app.preprocess_request()
        asked = opened(path.removeprefix("/t/"))
        return asked.page("explain.html", **asked.besides())


def stand(site: Site) -> str:
    return site.client.get(f"{site.turn()}/explain").text


def rows(site: Site) -> list[Explanation]:
    with site.office.read() as session:
        return list(session.scalars(select(Explanation)))


def test_opening_a_page_asks_for_nothing(empty: Site, hints: list[Hint]) -> None:
    empty.get(f"{empty.turn()}?explain=1")
    assert (rows(empty), hints, stand(empty)) == ([], [], "not-asked")
    assert "Compare three answers" in block(empty)
    assert block(empty, "").strip() == ""


def test_asked_for_it_is_played_on_in_slices_and_shown(empty: Site, hints: list[Hint]) -> None:
    assert ask(empty) == f"{empty.turn()}?explain=1"
    assert len(explain_hints(hints)) == 1
    assert stand(empty) == "none"
    waiting = block(empty)
    assert "This decision: shares" in waiting
    assert "You can sell shares for money" in waiting
    assert "Robots are trying three answers" in waiting
    assert 'data-stand="none"' in waiting
    slices(empty, hints, 3 * FIRST)
    assert stand(empty) == "some"
    assert "Robots played on for everybody, 2 times each." in block(empty)
    slices(empty, hints)
    assert stand(empty) == "done"
    done = block(empty)
    assert "data-stand" not in done
    assert re.findall(r'name="orders" value="([^"]*)"', done) == list(POINTS)
    page = Page(done)
    assert page.form.action == empty.turn()
    for words in (f"{ENOUGH} times each", "64 points", "60 to 67", "About the same.", "Worse by about 20 points."):
        assert words in re.sub(r"\s+", " ", done), words


def test_an_answer_of_the_block_is_played(empty: Site, hints: list[Hint]) -> None:
    ask(empty)
    slices(empty, hints)
    empty.post(Page(block(empty)).form.action, {"orders": "issue 2"})
    assert empty.submissions()[-1].text == "issue 2"


def test_the_other_answers_of_the_first_look_are_kept_and_nothing_is_done_twice(empty: Site, hints: list[Hint]) -> None:
    ask(empty)
    ask(empty)
    assert len(rows(empty)) == 1
    (number,) = explain_hints(hints)
    job = explanations.claim(empty.office, number, empty.now)
    assert job is not None
    assert explanations.claim(empty.office, number, empty.now) is None
    assert explanations.claim(empty.office, number, empty.now + LEASE) is not None
    assert ask(empty) == f"{empty.turn()}?explain=1"


def test_two_questions_in_turns_both_come_to_an_end(
    empty: Site, hints: list[Hint], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each slice plays one decision, and goes on where the last one of its question has ended."""
    monkeypatch.setattr(PlayOut, "begin", lambda _sheet, _state, order, _options, number: Long(order, number))
    first, second = empty.game, empty.open(("Ben",), robots=("rufus", "penny"))
    while empty.view().robot_asked:
        empty.play()
    hints.clear()
    for game in (first, second):
        explanations.ask(empty.office, game, views.latest(empty.office, game), empty.now)
    for _ in range(1000):
        waiting = explain_hints(hints)
        hints.clear()
        for number in waiting:
            explaining.explain(empty.office, number)
    assert {row.done for row in rows(empty)} == {True}
    assert explaining._begun == {}


def test_after_a_minute_every_answer_has_had_as_many_games(
    empty: Site, hints: list[Hint], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LONGEST > 0
    ask(empty)
    slices(empty, hints, 2)
    monkeypatch.setattr(explaining, "LONGEST", 0.0)
    slices(empty, hints)
    known = explanations.of_position(empty.office, empty.game, empty.view().version)
    assert known is not None
    assert known.done
    assert {len(ends) for ends in known.endings.values()} == {FIRST}


def test_once_it_is_answered_nobody_plays_on(empty: Site, hints: list[Hint]) -> None:
    ask(empty)
    (number,) = explain_hints(hints)
    empty.play("issue 1")
    assert explanations.claim(empty.office, number, empty.now) is None
    assert rows(empty)[0].done


def test_what_keeps_failing_is_given_up_and_the_page_says_so(
    empty: Site, hints: list[Hint], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(empty)
    (number,) = explain_hints(hints)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(tutor, "candidates", fails)
    for _ in range(TRIES):
        with pytest.raises(ZeroDivisionError):
            explaining.explain(empty.office, number)
        empty.now += LEASE
    explaining.explain(empty.office, number)
    assert stand(empty) == "done"
    assert "nothing to compare" in block(empty)


def test_the_clock_finds_what_a_lost_hint_has_left(empty: Site, hints: list[Hint]) -> None:
    ask(empty)
    (number,) = explain_hints(hints)
    hints.clear()
    clock.tick(empty.office, empty.awake(seconds=10))
    assert explain_hints(hints) == [number]


def test_what_is_old_goes_when_something_else_is_asked_for(empty: Site, hints: list[Hint]) -> None:
    ask(empty)
    first = empty.game
    empty.now += KEPT
    empty.open(("Ana",), robots=("rufus", "penny"))
    while empty.view().robot_asked:
        empty.play()
    ask(empty)
    assert [row.game_id for row in rows(empty)] == [empty.game] != [first]


def test_a_task_of_the_worker_does_it() -> None:
    assert broker.EXPLAIN in app.app.tasks
    assert app.app.conf.task_routes[broker.EXPLAIN] == {"queue": broker.ROBOTS}


@pytest.mark.parametrize(
    ("names", "robots"), [(("Ana", "Ben"), ("rufus",)), (("Ana", "Ben", "Cleo"), ())], ids=["a friend", "no robot"]
)
def test_games_with_other_people_explain_nothing(empty: Site, names: tuple[str, ...], robots: tuple[str, ...]) -> None:
    empty.open(names, robots=robots)
    for number in range(1, len(names)):
        empty.answer(number)
    while empty.view().robot_asked:
        empty.play()
    assert block(empty).strip() == ""
    assert "only in games against robots" in empty.client.post(f"{empty.turn()}/explain").text
    assert rows(empty) == []


def test_a_used_link_asks_for_nothing(empty: Site, hints: list[Hint]) -> None:
    before = empty.turn()
    version = empty.view().version
    empty.play("issue 1")
    empty.post(f"{before}/explain", {})
    assert rows(empty) == []
    with pytest.raises(NotNow, match="no longer open"):
        explanations.ask(empty.office, empty.game, version, empty.now)


def test_only_so_many_questions_wait(empty: Site, hints: list[Hint], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "MOST_WAITING", 0)
    assert MOST_WAITING > 0
    assert "Try again in a minute" in empty.client.post(f"{empty.turn()}/explain").text


def test_the_first_game_is_explained_without_asking(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the real tutor, from the hint that comes with the letter; nobody has to open it."""
    given: list[Hint] = []
    hinted(empty, given)
    monkeypatch.setattr(work, "now", lambda: empty.now)
    monkeypatch.setattr(explaining, "ENOUGH", FIRST)
    empty.game = guests.begin_first_game(empty.office, empty.account("Ana"), empty.now)
    assert len(explain_hints(given)) == 1
    assert block(empty, "").strip() == ""
    slices(empty, given)
    shown = block(empty, "")
    assert "2 times each" in shown
    assert len(re.findall(r'name="orders"', shown)) in (2, 3)
    assert block(empty, "?explain=0").strip() == ""


def test_steam_power_has_words_of_its_own(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Hint] = []
    hinted(empty, given)
    empty.open(("Ana",), game="steam-power", map="ireland", robots=("rufus",))
    while empty.view().robot_asked:
        empty.play()
    monkeypatch.setattr(work, "now", lambda: empty.now)
    monkeypatch.setattr(PlayOut, "begin", lambda _sheet, _state, order, _options, number: Ended(order, number))
    ask(empty)
    slices(empty, given)
    shown = block(empty)
    assert "Contracts bring most points." in shown
    assert len(re.findall(r'name="orders"', shown)) == 3
