"""What emails say is so: what follows at the end of the time, until when, and to whom."""

import random
import re
from datetime import date, timedelta

import pytest
from sqlalchemy import update

from pbem import robot
from pbem.mail.compose import compose
from pbem.mail.writing import write
from pbem.service.email_in import incoming, replies
from pbem.service.games import pauses
from pbem.service.letters import kinds
from pbem.service.orders import deadlines
from pbem.store.tables import Account
from pbem.views.letters import LetterView
from pbem.web import create_app
from tests import templates
from tests.mail.arriving import arrived
from tests.table import Table

MOST_MOVES = 120


def text_of(table: Table, kind: str) -> str:
    """The text part of the last email of a kind, in one line."""
    return " ".join(write(table.read(table.letters(kind)[-1]), "").text.split())


def test_a_question_tells_what_the_host_chose_for_the_end_of_the_time(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="caretaker")
    assert "If you do not answer, a caretaker plays for you until you are back." in text_of(table, "your-turn")


def test_a_seat_is_offered_at_the_end_of_the_time_and_a_safe_order_played_when_nobody_takes_it(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="substitute")
    offered = "If you do not answer, your seat is offered to a substitute, and the game waits for one as long again."
    assert offered in text_of(table, "your-turn")
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    assert deadlines.remind(table.office, table.game, table.later(hours=17))
    assert "If you do not answer, no share is issued for you." in text_of(table, "reminder")


# who answers by email -----------------------------------------------------------------------------------------


def test_the_confirmation_of_an_answer_is_a_text_without_picture_that_takes_words(dealt: Table) -> None:
    dealt.play(via="mail")
    row = dealt.letters("played")[-1]
    assert not kinds.of(row).pictured
    assert dealt.read(row).envelope.reply_to == dealt.office.addresses.reply(row.id)
    assert "reply with the word undo" in text_of(dealt, "played")
    assert "The position:" not in text_of(dealt, "played")


def test_the_next_question_takes_the_place_of_a_confirmation_that_has_not_left(dealt: Table) -> None:
    asked = dealt.view().waiting_for
    dealt.play(via="mail")
    row = dealt.letters("played")[-1]
    while dealt.view().waiting_for != asked:
        dealt.play()
    dealt.later(minutes=5)
    dealt.send_all()
    kept = [(letter.status, letter.last_error) for letter in dealt.letters("played") if letter.id == row.id]
    assert kept == [("withdrawn", "the next question tells it")]
    assert "Since your last turn: Issue shares:" in text_of(dealt, "your-turn")


def _answer_slowly(table: Table, asked: str, text: str | None = None) -> None:
    """Play to the next question of a seat, answer it by mail, and wait for an hour."""
    while table.view().waiting_for != asked:
        table.play()
    assert table.play(text, via="mail").status == "played"
    table.later(hours=1)
    table.send_all()


def test_orders_as_we_print_them_are_confirmed_once_and_then_told_by_the_next_question(dealt: Table) -> None:
    asked = dealt.view().waiting_for
    for _ in range(3):
        _answer_slowly(dealt, asked)
        assert [letter.status for letter in dealt.letters("played")] == ["sent"]
    assert "From now on we confirm only orders that we had to interpret" in text_of(dealt, "played")


def test_orders_in_the_words_of_a_button_are_confirmed_each_time(dealt: Table) -> None:
    asked = dealt.view().waiting_for
    _answer_slowly(dealt, asked, "Hi,\n\n[issue 0]\n\nCheers\nAna")
    _answer_slowly(dealt, asked, "Bid $3")
    assert [letter.status for letter in dealt.letters("played")] == ["sent", "sent"]


def test_who_asks_for_the_status_reads_which_orders_of_his_wait(dealt: Table) -> None:
    asked = dealt.view().waiting_for
    dealt.play("issue 0\nbid max 3", via="mail")
    row = dealt.letters("your-turn")[0]
    assert replies.sender(dealt.office, row.id, "<1@x>", "1").colour == asked
    incoming.take(dealt.office, row.id, incoming.Mail("status", "", "<1@x>", "1"), dealt.now)
    assert "Your standing orders, secret until then: “bid max 3” waits" in text_of(dealt, "told")


# clocks -------------------------------------------------------------------------------------------------------


def test_a_pause_is_told_until_the_day_that_was_agreed_wherever_the_reader_lives(table: Table) -> None:
    _paused(table)
    table.put(update(Account).values(zone="America/Sao_Paulo"))
    assert "until Monday 30 November begins (in UTC)" in text_of(table, "paused")
    assert "Sunday" not in text_of(table, "paused")


def test_nobody_is_told_of_a_pause_that_is_over_already(table: Table) -> None:
    _paused(table)
    pauses.end(table.office, table.game, 0, table.now)
    table.send_all()
    assert {row.status for row in table.letters("paused")} == {"withdrawn"}
    assert {row.status for row in table.letters("resumed")} == {"sent"}


def test_who_is_asked_reads_of_the_clock_as_you_with_the_link_to_the_question(table: Table) -> None:
    _paused(table)
    asked = table.view().waiting_for
    number = next(seat.number for seat in table.view().seats if seat.seat == asked)
    pauses.end(table.office, table.game, number, table.now)
    said = {row.seat_number: table.read(row) for row in table.letters("resumed")}
    for other, letter in said.items():
        for text in _parts(letter):
            assert ("You have ended the pause." in text) == (other == number)
            assert (letter.links.turn in text if letter.links.turn else False) == (other == number)
    assert "It is your turn: answer by" in _parts(said[number])[0]
    assert said[number].links.turn == table.office.addresses.turn(table.game, asked, table.view().version)


def _paused(table: Table) -> None:
    """The game is paused until the Monday of next week."""
    table.start()
    table.send_all()
    with table.office.game(table.game, table.now) as work:
        pauses.begin(work, work.numbered(1), date(2026, 11, 30))


def _parts(letter: LetterView) -> tuple[str, str]:
    """Text and HTML of an email, each in one line."""
    written = write(letter, "")
    return " ".join(written.text.split()), " ".join(written.html.replace("&amp;", "&").split())


# what can be answered -----------------------------------------------------------------------------------------


def test_an_email_that_asks_to_build_has_orders_to_copy_that_are_played_as_they_are(dealt: Table) -> None:
    while (asked := dealt.asked()).sheet.phase(asked.state) != "build_track":
        dealt.play()
    text = text_of(dealt, "your-turn")
    (first, *_) = re.findall(r"1\. .+, \$\d+, tiles \d: (build \S.*?) 2\. ", text)
    assert f">{first}</span>" in _parts(dealt.read(dealt.letters("your-turn")[-1]))[1].replace("&gt;", ">")
    assert dealt.play("1", via="mail").status == "played"
    assert dealt.view().log[-1].orders == first


def test_a_turn_of_steam_power_names_all_actions_and_tells_which_contracts_were_drawn(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    said = text_of(table, "your-turn")
    assert "The actions: build track (costs by terrain), build a factory (costs nothing), take money" in said
    assert re.search(r"\d+\. \S+ to \S+, \$\d, tiles 1: track ", said)
    table.play("draw")
    assert re.search(r"Since your last turn: You drew contracts \d+ and \d+\.", text_of(table, "your-turn"))


@pytest.mark.parametrize("luck", range(3))
def test_everybody_gets_the_last_letter_and_the_pages_open(table: Table, luck: int) -> None:
    table.start(names=("Ana", "Ben"), map="detroit")
    dice = random.Random(luck)
    for _ in range(MOST_MOVES):
        asked = table.asked()
        if asked.over:
            break
        table.play(robot.choose(asked.sheet, asked.state, dice))
    assert table.view().status == "over"
    assert all(standing.score is None for standing in table.view().standings)
    for row in table.letters("game-over"):
        mail = arrived(compose(table.read(row), None))
        assert "None" not in str(mail.get_body(("plain",)))
        assert "None" not in str(mail.get_body(("html",)))
    client = templates.shared(create_app(office=table.office, clock=lambda: table.now)).test_client()
    for page in (f"/games/{table.game}", "/archive"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "None" not in answer.text
