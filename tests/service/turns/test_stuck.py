"""Orders that met an error of ours: told, sent again, and played once it is mended."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.service.base import queries
from pbem.service.games import views
from pbem.service.operator import server_metrics
from pbem.service.orders import deadlines, submissions
from pbem.service.turns import stuck
from pbem.store.statuses import SubmissionStatus
from pbem.store.tables import Account, Submission
from tests.table import Table


@contextmanager
def broken(table: Table) -> Iterator[None]:
    """The rules have an error while this lasts."""

    def fails(*_: object) -> None:
        raise ZeroDivisionError("an error of ours")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(table.view().sheet), "parse", fails)
        yield


def get_stuck(table: Table, text: str | None = None, **how: object) -> int:
    """Orders are set aside; says which."""
    with broken(table):
        return table.play(text, **how).id


def run_by_olga(table: Table) -> None:
    table.office = replace(table.office, settings=replace(table.office.settings, operator="olga@example.org"))


def readers(table: Table, kind: str) -> list[str]:
    return [table.found(Account, row.account_id).address for row in table.letters(kind)]


def host_is_not_asked(table: Table) -> None:
    """Play on until somebody else than the host is asked."""
    while table.asked().waiting_for == table.view().seats[0].seat:
        table.play()


@pytest.mark.postgresql
def test_the_host_and_who_runs_the_server_are_told_once(table: Table) -> None:
    run_by_olga(table)
    table.start()
    host_is_not_asked(table)
    number = get_stuck(table)
    assert sorted(readers(table, "submission-stuck")) == ["ana@example.org", "olga@example.org"]
    stuck.set_aside(table.office, number, table.later(minutes=1))
    with broken(table):
        stuck.play_again(table.office, [number], table.now)
        submissions.play_waiting(table.office, table.game, table.now)
    assert table.submissions()[-1].status == "stuck"
    assert len(table.letters("submission-stuck")) == 2


def test_the_letter_names_the_orders_and_says_nothing_of_what_they_are(table: Table) -> None:
    run_by_olga(table)
    table.start()
    host_is_not_asked(table)
    number = get_stuck(table, "issue 2\n# a secret plan")
    asked, told = table.view().names[table.view().waiting_for], table.letters("submission-stuck")
    assert sorted(table.read(row).own.how for row in told) == ["host", "operator"]
    for row in told:
        letter = table.read(row)
        assert (letter.own.person, letter.own.what, letter.own.number) == (asked, "submission", number)
        assert row.data == {"person": asked, "how": letter.own.how, "what": "submission", "number": number}
        assert letter.asked is None


def test_a_host_whose_own_orders_are_stuck_is_told_as_their_sender(dealt: Table) -> None:
    while dealt.asked().waiting_for != dealt.view().seats[0].seat:
        dealt.play()
    get_stuck(dealt)
    assert dealt.letters("submission-stuck") == []
    assert readers(dealt, "refused") == ["ana@example.org"]


@pytest.mark.postgresql
def test_the_sender_is_told_on_the_page_or_after_a_minute_by_mail(dealt: Table) -> None:
    number = get_stuck(dealt)
    (row,) = dealt.letters("refused")
    letter = dealt.read(row)
    assert letter.own.sentence.startswith("There was an error on our side")
    assert letter.asked is not None
    assert "refused" not in dealt.send_all()
    dealt.later(minutes=1)
    assert "refused" in dealt.send_all()
    submissions.seen(dealt.office, number, dealt.now)
    assert dealt.submissions()[0].seen_at == dealt.now


def test_what_is_set_aside_is_so_since_that_moment_and_not_since_it_came(dealt: Table) -> None:
    number = dealt.send(dealt.legal())
    came = dealt.now
    with broken(dealt):
        submissions.play_waiting(dealt.office, dealt.game, dealt.later(minutes=5))
    assert [(row.submission, row.since) for row in stuck.of_all(dealt.office)] == [
        (number, came + timedelta(minutes=5)),
    ]  # fmt: skip


@pytest.mark.parametrize("status", ["waiting", "played", "refused", "stuck", "taken-back"])
def test_a_page_has_told_what_became_of_orders_only_when_something_has(dealt: Table, status: str) -> None:
    number = dealt.send(dealt.legal())
    with dealt.office.write() as session:
        queries.locked(session, dealt.game)
        session.get_one(Submission, number).status = SubmissionStatus(status)
    submissions.seen(dealt.office, number, dealt.now)
    told = status in {"played", "refused", "stuck"}
    assert dealt.submissions()[0].seen_at == (dealt.now if told else None)
    submissions.seen(dealt.office, number, dealt.later(hours=1))
    assert dealt.submissions()[0].seen_at == (dealt.now - timedelta(hours=1) if told else None)


@pytest.mark.parametrize("planned", [False, True])
def test_the_same_orders_sent_again_are_new_ones(table: Table, planned: bool) -> None:
    view = table.start()
    text = table.legal()

    def send() -> int:
        version = None if planned else 0
        return submissions.submit(
            table.office, table.game, submissions.NewSubmission(view.waiting_for, text, version, "page"), table.now
        )

    with broken(table):
        first = send()
        submissions.play_waiting(table.office, table.game, table.now)
    again = send()
    assert again != first
    assert send() == again
    submissions.play_waiting(table.office, table.game, table.now)
    assert [row.status for row in table.submissions()] == ["stuck", "played"]
    assert table.view().version == 1


@pytest.mark.postgresql
def test_after_the_error_is_mended_they_are_played(dealt: Table) -> None:
    number = get_stuck(dealt)
    assert [(row.submission, row.answer) for row in stuck.of_all(dealt.office)] == [(number, True)]
    assert stuck.play_again(dealt.office, [number, 999], dealt.later(hours=1)) == {number: True}
    assert dealt.hints[-1].id == dealt.game
    submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    assert views.submission(dealt.office, number).status == "played"
    assert stuck.of_all(dealt.office) == ()
    assert "refused" not in dealt.send_all()


def test_orders_that_are_refused_after_the_error_is_mended_are_answered(dealt: Table) -> None:
    number = get_stuck(dealt, "issue 99")
    submissions.seen(dealt.office, number, dealt.now)
    stuck.play_again(dealt.office, [number], dealt.later(hours=1))
    submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    dealt.later(minutes=1)
    assert dealt.send_all()[-1] == "refused"


@pytest.mark.postgresql
def test_orders_that_others_have_overtaken_are_closed_and_nobody_is_told(dealt: Table) -> None:
    number = get_stuck(dealt)
    assert dealt.play().status == "played"
    letters = len(dealt.letters())
    assert [row.answer for row in stuck.of_all(dealt.office)] == [False]
    assert stuck.play_again(dealt.office, [number], dealt.now) == {number: False}
    assert dealt.submissions()[0].status == "refused"
    assert len(dealt.letters()) == letters
    assert dealt.hints[-1].task != "pbem.play"


@pytest.mark.postgresql
def test_the_game_waits_for_us_no_longer_than_for_an_answer(table: Table) -> None:
    view = table.start()
    table.later(hours=70)
    get_stuck(table)
    assert not deadlines.deadline(table.office, table.game, table.later(hours=3))
    counted = server_metrics.look(table.office, table.now)
    assert (counted.stuck, counted.overdue) == (1, 1)
    assert not deadlines.deadline(table.office, table.game, table.later(hours=70))
    assert deadlines.deadline(table.office, table.game, table.later(hours=2))
    assert table.view().version == view.version + 1
