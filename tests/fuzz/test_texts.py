"""Short texts from everywhere: tokens, mail addresses, webhooks, hours, days, places in a game, reports of servers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.engine import Say, say_from_json, say_to_json
from pbem.mail.returned import reports
from pbem.service import BadInput
from pbem.service.base import validation
from pbem.service.base.tokens import (
    BadToken,
    FeedClaim,
    InvitationClaim,
    LoginClaim,
    OfferClaim,
    PlanClaim,
    SeatClaim,
    Tokens,
    TurnClaim,
    UnsubscribeClaim,
    VoteClaim,
    WatchClaim,
)
from pbem.service.clocks import time_controls
from pbem.service.people import absences, accounts, notifications
from pbem.store.tables import Account
from pbem.store.time_controls import zone_named
from pbem.transport.webhooks.allowed import BadAddress, target
from pbem.web.boards.drafts import split
from tests.databases import Sqlite
from tests.fuzz.mutate import junk, mutated, spoiled, spoiled_bytes
from tests.fuzz.sentences import check_said, examples
from tests.mail.test_returned import DELAYED, EXCHANGE, POSTFIX
from tests.table import Table
from workers.mailroom import Mailroom

TOKENS = Tokens("a key that only tests know")
CLAIMS = (
    TurnClaim("k7m2xab", "green", 17), PlanClaim("g", "red", 2, 1), SeatClaim("g", 2, 1), SeatClaim("g", 2),
    InvitationClaim("g", 1), LoginClaim("x"), UnsubscribeClaim(1, "g", "your-turn"), VoteClaim(1, 2, 3),
    OfferClaim(1, 0), WatchClaim("g", "k"), FeedClaim(1, "k"),
)  # fmt: skip
MADE = (*map(TOKENS.make, CLAIMS), TOKENS.numbered("bounce", 12))
ADDRESSES = ("ana@example.org", '"a b"@example.org', "Ana <ana@example.org>", "ü@bücher.example", "a@[127.0.0.1]")
lucks = st.randoms(use_true_random=False)


@examples(150)
@given(luck=lucks)
def test_a_token_with_any_fault_is_none_for_any_purpose(luck: Random) -> None:
    whole = luck.choice(MADE)
    broken = mutated(whole, luck, *MADE)
    for claim in CLAIMS if broken not in MADE else ():
        with pytest.raises(BadToken):
            TOKENS.read(type(claim), broken)
    if broken.lower() not in MADE:
        with pytest.raises(BadToken):
            TOKENS.read_numbered("bounce", broken)


@examples(150)
@given(luck=lucks)
def test_a_mail_address_is_taken_in_ascii_or_refused(luck: Random) -> None:
    text = junk(luck) if luck.random() < 0.1 else mutated(luck.choice(ADDRESSES), luck)
    try:
        address = validation.address(text)
    except BadInput as bad:
        check_said(str(bad.problems[0].sentence))
        return
    assert address.isascii()
    assert address.count("@") == 1 or address.startswith('"')
    assert not set("\r\n\0<>") & set(address)
    assert validation.address(address) == address


@examples(100)
@given(luck=lucks)
def test_an_address_of_a_webhook_is_read_or_refused(luck: Random) -> None:
    text = mutated(luck.choice(("https://hooks.example.org/x?y=1", "https://discord.com/api/webhooks/1/x")), luck)
    try:
        to = target(text)
    except BadAddress as bad:
        check_said(str(bad.sentence))
        return
    assert to.port == 443
    assert to.path.startswith("/")
    assert to.path.isascii()


@examples(60)
@given(luck=lucks)
def test_holidays_are_read_or_the_word_is_named(luck: Random) -> None:
    try:
        days = time_controls.read_holidays(mutated("2026-12-24, 2026-12-25 2027-01-01", luck))
    except BadInput as bad:
        check_said(str(bad.problems[0].sentence))
        return
    assert list(days) == sorted(set(days))


@examples(60)
@given(luck=lucks)
def test_a_zone_is_one_of_the_database_or_that_of_everybody(luck: Random) -> None:
    assert zone_named(mutated("Europe/Warsaw", luck)).key


@examples(60)
@given(luck=lucks)
def test_the_steps_of_a_draft_have_no_separators(luck: Random) -> None:
    steps = split(mutated("build S10 SW-NE; R11 SW-NE", luck))
    assert all(step and step == step.strip() and ";" not in step and "\n" not in step for step in steps)


@examples(60)
@given(luck=lucks)
@example(luck=Random(1))
def test_reports_of_mail_servers_are_read_or_passed_over(luck: Random) -> None:
    for report in reports(spoiled_bytes(luck.choice((POSTFIX, EXCHANGE, DELAYED)), luck)):
        assert report.status[0] in "245"
        assert report.answer.isprintable()
        assert len(report.answer) <= 500


@examples(60)
@given(luck=lucks)
def test_a_stored_sentence_is_read_or_refused_by_its_type(luck: Random) -> None:
    values = {"a": {"who": "red"}, "b": [{"place": "K12"}, 3], "c": {"say": "{n}", "with": {"n": {"word": "red"}}}}
    stored = {"say": "{a}, {b} and {c}.", "with": values, "many": "x", "count": 2}
    try:
        sentence = say_from_json(stored | {"with": spoiled(values, luck)})
    except (KeyError, TypeError):
        return
    assert isinstance(sentence, Say)
    assert say_from_json(say_to_json(sentence)) == sentence


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder: Path = tmp_path_factory.mktemp("texts")
    made = Table(Sqlite(folder).fresh(), folder)
    made.open()
    yield made
    made.close()


@examples(30)
@given(name=st.text(max_size=100))
@example(name="\ud800\x00\u202e")
def test_a_name_is_kept_or_refused(table: Table, name: str) -> None:
    try:
        accounts.rename(table.office, table.host, name)
    except BadInput as bad:
        check_said(str(bad.problems[0].sentence))
        return
    kept = table.found(Account, table.host).name
    assert kept == validation.one_line(name)
    assert kept.isprintable()


@examples(60)
@given(luck=lucks)
def test_a_return_path_with_any_fault_is_that_of_no_letter(table: Table, luck: Random) -> None:
    own = {"return_path": "bounce@play.example.org", "orders_address": "orders@play.example.org"}
    mailroom = Mailroom(replace(table.office, settings=replace(table.office.settings, **own)))  # type: ignore[arg-type]
    for name, token, way in (
        ("bounce", table.office.tokens.numbered("bounce", 12), "returned"),
        ("orders", table.office.tokens.numbered("reply", 12), "answered"),
    ):
        path = f"{name}+{token}@play.example.org"
        assert mailroom.way(path) == mailroom.way(path.upper()) == (way, 12)
        broken = mutated(path, luck)
        assert mailroom.way(broken) == ((way, 12) if broken.casefold() == path else None)


@examples(30)
@given(zone=st.text(max_size=70), hours=st.none() | st.tuples(st.times(), st.times()))
def test_where_somebody_lives_is_kept_or_refused(table: Table, zone: str, hours: tuple[time, time] | None) -> None:
    try:
        notifications.live(table.office, table.host, zone, hours)
    except BadInput as bad:
        for problem in bad.problems:
            check_said(str(problem.sentence))
        return
    assert notifications.of(table.office, table.host).zone == zone


@examples(30)
@given(first=st.dates(), last=st.dates())
def test_any_two_days_are_an_absence_or_are_refused(table: Table, first: date, last: date) -> None:
    try:
        absences.add(table.office, table.host, first, last, table.now)
    except BadInput as bad:
        check_said(str(bad.problems[0].sentence))
        return
    assert any((row.first, row.last) == (first, last) for row in absences.of(table.office, table.host, table.now))
