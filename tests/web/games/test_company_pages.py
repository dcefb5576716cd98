"""Taking back, voting, talk, notes, seats and letters as pages: only their own people can do anything there."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.service.base.tokens import TurnClaim
from pbem.service.games import departures, ending, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.people import accounts
from pbem.store.tables import Offer
from tests.web.conftest import Played
from tests.web.reading import Form, Page
from tests.web.site import Site

URL = "https://play.example.org"


@pytest.fixture
def graceful(empty: Site) -> Site:
    """A game with ten minutes of grace in which the first player has just issued two shares."""
    empty.start(grace=timedelta(minutes=10))
    empty.log_in(empty.number_asked())
    empty.press(empty.turn(), orders="issue 2")
    return empty


def _sender(site: Site) -> int:
    view = site.view()
    return next(seat.number for seat in view.seats if seat.seat == view.log[-1].seat)


def _seat(site: Site, number: int) -> str:
    return site.path(site.office.addresses.seat(site.game, number, site.view().seats[number].holder))


def _form(page: Page, ending: str) -> Form:
    return next(form for form in page.posts if form.action.endswith(ending))


def _get(site: Site, path: str, code: int = 200) -> Page:
    answer = site.client.get(path, base_url=URL)
    assert answer.status_code == code, answer.text
    return Page(answer.text)


def _send(site: Site, form: Form, code: int = 303, **more: str) -> str:
    answer = site.client.post(form.action, data={**form.fields, **more}, base_url=URL)
    assert answer.status_code == code, answer.text
    return answer.headers.get("Location", answer.text)


def _button(page: Page, do: str) -> Form:
    """The form that takes orders back, with this one button."""
    (form,) = (form for form in page.posts if form.action.partition("?")[0].endswith("/back"))
    assert form.buttons == [("do", do)]
    return form


# taking back --------------------------------------------------------------------------------------------


def test_the_result_page_takes_back_with_one_button_and_asks_again(graceful: Site) -> None:
    version = graceful.view().version
    token = graceful.office.tokens.make(TurnClaim(graceful.game, graceful.view().log[-1].seat, version - 1))
    number = graceful.submissions()[0].id
    page = graceful.get(graceful.result(number))
    assert "Nobody has been told yet" in page.text
    answer = graceful.post(_button(page, "back").action, {"do": "back"})
    again = graceful.get(answer.headers["Location"])
    assert again.headings[0].startswith("Issue shares")
    assert "Your orders were taken back" in graceful.get(f"/t/{token}/sent/{number}").text
    assert "was taken back" in graceful.get(f"/t/{token}").text


def test_the_page_of_the_game_takes_back_for_its_sender_only(graceful: Site) -> None:
    page = _get(graceful, f"/games/{graceful.game}")
    assert "You can take back issue 2" in page.text
    bystander = next(n for n in range(4) if n not in (_sender(graceful), graceful.number_asked()))
    other = graceful.get(_seat(graceful, bystander))
    assert not [form for form in other.posts if form.action.endswith("/back")]
    _send(graceful, _form(page, "/back"), do="back")
    after = _get(graceful, f"/games/{graceful.game}")
    assert "took back “issue 2”" in after.text
    assert "no longer counts" in after.text


def test_a_look_at_the_question_changes_nothing_and_after_the_grace_time_the_others_are_asked(graceful: Site) -> None:
    number, version = graceful.submissions()[0].id, graceful.view().version
    until = graceful.view().grace_until
    assert until is not None
    graceful.get(graceful.turn())
    assert graceful.view().grace_until == until
    graceful.now = until + timedelta(minutes=1)
    page = graceful.get(graceful.result(number))
    assert "The next player has been told" in page.text
    assert graceful.view().version == version
    graceful.post(_button(page, "ask").action, {"do": "ask"})
    assert "asks to take back" in graceful.get(_seat(graceful, graceful.number_asked())).text


def test_orders_of_somebody_else_are_not_taken_back_through_a_link_of_ones_own(graceful: Site) -> None:
    graceful.play("issue 1")
    number = graceful.submissions()[0].id
    page, _, mark = graceful.result(number).partition("?")
    graceful.post(f"{page}/back?{mark}", {"do": "back"}, 409)
    graceful.post(f"{page.rpartition('/')[0]}/{number + 1}/back?{mark}", {"do": "back"}, 404)


# voting -------------------------------------------------------------------------------------------------


def _vote(site: Site) -> int:
    site.later(hours=1)
    vote = votes.ask(site.office, site.game, _sender(site), TakingBack(), site.now)
    assert vote is not None
    return vote


def test_a_link_of_a_letter_agrees_only_when_its_button_is_pressed(graceful: Site) -> None:
    vote, sender = _vote(graceful), _sender(graceful)
    others = [number for number in range(4) if number != sender]
    for number in others:
        path = graceful.path(graceful.office.addresses.vote(vote, number, 0, "agree"))
        for _ in range(2):
            assert graceful.get(path).headings[0] == "Agree?"
        done = graceful.press(path)
        assert "Your vote is recorded" in done.text
    assert graceful.view().log[-1].cause == "taken-back"
    assert "This was agreed" in graceful.get(path).text


def test_refusing_by_link_and_an_answer_that_comes_too_late(graceful: Site) -> None:
    vote, sender = _vote(graceful), _sender(graceful)
    path = graceful.path(graceful.office.addresses.vote(vote, (sender + 1) % 4, 0))
    graceful.post(path, {"answer": "perhaps"}, 400)
    graceful.post(path, {"answer": "refuse"})
    late = graceful.post(
        graceful.path(graceful.office.addresses.vote(vote, (sender + 2) % 4, 0)), {"answer": "agree"}, 409
    )
    assert "already been decided" in Page(late.text).text
    assert graceful.view().version == 1


def test_the_page_of_the_game_votes_too(graceful: Site) -> None:
    _vote(graceful)
    reader = (_sender(graceful) + 1) % 4
    page = graceful.get(_seat(graceful, reader))
    _send(graceful, _form(page, "/vote"), answer="agree")
    assert not [form for form in graceful.get(_seat(graceful, reader)).posts if form.action.endswith("/vote")]


# talk and notes -----------------------------------------------------------------------------------------


def test_links_in_talk_lead_players_on_and_strangers_nowhere(site: Site) -> None:
    _send(site, _form(site.get(_seat(site, 0)), "/talk"), say="Look: https://example.org/a?b=1&c=2, nice.")
    assert 'href="https://example.org/a?b=1&amp;c=2"' in site.get(_seat(site, 1)).html
    guest = site.get(f"/games/{site.game}")
    assert "https://example.org/a" in guest.text
    assert not [link for link in guest.links if "example.org/a" in link]
    assert not [form for form in guest.posts if form.action.endswith("/talk")]


def test_a_text_that_is_too_long_is_given_back(site: Site) -> None:
    form = _form(site.get(_seat(site, 0)), "/talk")
    answer = _send(site, form, 400, say="Detroit " + "x" * 2_000)
    assert "2000 characters" in answer
    assert "Detroit xxx" in answer


def test_notes_are_shown_to_their_owner_only(site: Site) -> None:
    form = _form(site.get(_seat(site, 0)), "/notes")
    _send(site, form, note="Watch <b>Detroit</b>.\n\nBlue!")
    own = site.get(_seat(site, 0))
    assert _form(own, "/notes").fields["note"].startswith("Watch <b>Detroit</b>.\n\nBlue!")
    assert "Detroit" not in _form(site.get(_seat(site, 1)), "/notes").fields["note"]
    assert not [form for form in site.get(f"/games/{site.game}").posts if form.action.endswith("/notes")]


# the page of the people ---------------------------------------------------------------------------------


def test_resigning_asks_once_more_and_the_seat_is_offered(site: Site) -> None:
    path = _seat(site, 2)
    page = site.get(f"{path}/people")
    once = _send(site, _form(page, "/people"), do="resign")
    assert "Resign?" in site.get(once).text
    assert site.view().seats[2].status == "accepted"
    sure = next(form for form in site.get(once).posts if "sure" in form.fields)
    _send(site, sure, do="resign")
    assert site.view().seats[2].status == "vacant"
    site.get(path, 404)
    assert "Chloé resigned" in site.get(f"/games/{site.game}").text
    assert "The seat of" in site.get(f"/games/{site.game}").text
    assert "Chloé" in site.get("/seats").text


def test_a_seat_is_taken_by_whoever_is_logged_in_or_has_the_letter(site: Site) -> None:
    departures.resign(site.office, site.game, 2, site.now)
    (number,) = site.rows(select(Offer.id))
    path = site.path(site.office.addresses.offer(number, 0))
    assert site.get(path).posts == []
    assert site.client.post(path).headers["Location"].startswith("/login")
    site.log_in(1)
    taken = site.client.post(path, data=_form(_get(site, path), path).fields, base_url=URL)
    assert taken.status_code == 409
    fay = site.account("Fay")
    own = site.path(site.office.addresses.offer(number, fay))
    done = site.press(own)
    assert "The seat is yours" in done.text
    assert site.view().seats[2].name == "Fay"


def test_the_host_makes_and_revokes_the_link_of_spectators(site: Site) -> None:
    page = site.get(f"{_seat(site, 0)}/people")
    watch = next(form for form in page.posts if ("do", "watch") in form.buttons)
    made = site.get(_send(site, watch, do="watch"))
    link = site.path(made.link("/w/"))
    spectator = site.get(link)
    assert "Talk" in spectator.headings
    assert spectator.posts == []
    unwatch = next(form for form in made.posts if ("do", "unwatch") in form.buttons)
    _send(site, unwatch, do="unwatch")
    site.get(link, 404)
    other = site.get(f"{_seat(site, 1)}/people")
    assert not [form for form in other.posts if ("do", "watch") in form.buttons]
    assert site.client.post(f"{_seat(site, 1)}/people", data={"do": "watch"}).status_code == 409


@pytest.mark.parametrize("stranger", [False, True])
def test_every_address_of_an_unlisted_game_is_for_others_that_of_no_game(empty: Site, stranger: bool) -> None:
    empty.start(unlisted=True)
    if stranger:
        fay = empty.account("Fay")
        with empty.office.write() as session:
            secret = accounts.remember(empty.office, session, fay, empty.now)
        empty.client.set_cookie("pbem", secret, domain="play.example.org")
    rules = [rule for rule in empty.app.url_map.iter_rules() if "game_id" in rule.arguments]
    assert len(rules) >= 14
    for rule in rules:
        for method in sorted((rule.methods or set()) & {"GET", "HEAD", "POST"}):
            answers = [
                empty.client.open(rule.rule.replace("<game_id>", game), method=method, data={"do": "x"}, base_url=URL)
                for game in (empty.game, "abcdefg")
            ]
            assert [answer.status_code for answer in answers] == [404, 404], (method, rule.rule)
            assert answers[0].text.replace(empty.game, "") == answers[1].text.replace("abcdefg", ""), rule.rule


def test_an_unlisted_game_is_shown_to_its_people_and_to_nobody_else(empty: Site) -> None:
    empty.start(unlisted=True)
    path = f"/games/{empty.game}"
    assert "in no public list" in empty.get(path, 404).text
    empty.log_in(0)
    assert _get(empty, path).headings[0] == "Coal by post"
    assert empty.client.get(f"{path}/map.png?at=0", base_url=URL).status_code == 200
    assert empty.client.get(f"{path}/map.svg?at=0", base_url=URL).status_code == 200
    watch = empty.path(_watch(empty))
    spectator = empty.get(watch)
    picture = next(found["src"] for found in spectator.pictures if "map.png" in found["src"])
    empty.client.delete_cookie("__Host-pbem", domain="play.example.org")
    assert empty.client.get(picture).status_code == 200


def _watch(site: Site) -> str:
    return watching.open_link(site.office, site.game, site.host, site.now)


def test_ending_by_vote_shows_how_many_must_agree(site: Site) -> None:
    page = site.get(f"{_seat(site, 0)}/people")
    end = next(form for form in page.posts if ("do", "ask-end") in form.buttons)
    _send(site, end, do="ask-end", sure="yes")
    assert "3 of 4 must agree" in site.get(_seat(site, 1)).text
    for number in (1, 2):
        _send(site, _form(site.get(_seat(site, number)), "/vote"), answer="agree")
    assert "The game is going to end" in site.get(f"/games/{site.game}").text
    _send(site, _form(site.get(_seat(site, 1)), "/vote"), answer="refuse")
    assert site.view().status == "running"


def test_the_result_page_plays_again_with_one_button(played: Played) -> None:
    site = played("over")
    site.log_in(1)
    page = _get(site, f"/games/{site.game}")
    location = _send(site, _form(page, "/rematch"))
    assert _get(site, location).headings[0] == "Coal by post 2"
    assert "The same people play again" in _get(site, f"/games/{site.game}").text


def test_free_seats_are_listed_and_wishes_are_kept(site: Site) -> None:
    assert "No seat is free now" in site.get("/seats").text
    site.log_in(0)
    form = next(form for form in _get(site, "/seats").posts if ("do", "wanted") in form.buttons)
    _send(site, form, do="wanted", wanted="1")
    assert accounts.wants(site.office, site.host, "substitute")
    _send(site, form, do="wanted")
    page = _get(site, f"/games/{site.game}/people")
    block = next(form for form in page.posts if form.fields.get("seat") == "1")
    _send(site, block, do="block")
    seats = _get(site, "/seats")
    assert "Ben" in seats.text
    _send(site, next(form for form in seats.posts if "account" in form.fields), do="unblock")
    assert "Nobody." in _get(site, "/seats").text


def test_the_delivery_log_and_its_test_letter(site: Site) -> None:
    assert site.client.get("/letters").headers["Location"].startswith("/login")
    site.log_in(0)
    page = _get(site, "/letters")
    _send(site, _form(page, "/letters/test"))
    shown = _get(site, "/letters?tested=1")
    assert "test email" in shown.text
    assert "waiting" in shown.text
    for _ in range(4):
        _send(site, _form(page, "/letters/test"))
    assert "within an hour" in _send(site, _form(page, "/letters/test"), 409)


def test_a_game_that_is_to_end_and_one_that_ended_early_say_so_in_lists(site: Site) -> None:
    site.play()
    vote = votes.ask(site.office, site.game, 0, EndingEarly(), site.now)
    for number in (1, 2):
        votes.answer(site.office, site.game, vote, number, True, site.now)
    site.log_in(0)
    assert "the players have agreed to end it" in _get(site, "/").text
    assert ending.finish(site.office, site.game, site.later(days=1))
    assert "Ended early," in _get(site, "/archive").text
    assert "Ended early" in _get(site, f"/games/{site.game}").text


def test_a_new_game_may_be_unlisted_and_without_grace(empty: Site) -> None:
    empty.open()
    empty.log_in(0)
    form = _form(_get(empty, "/new"), "/new")
    fields = {"title": "Quiet", "players": "ben@example.org\nchloe@example.org", "grace": "0", "unlisted": "1"}
    location = _send(empty, form, 303, **fields)
    empty.game = location.rpartition("/")[2]
    assert (empty.view().unlisted, empty.view().grace) == (True, timedelta(0))
    assert form.fields["grace"] == "10"
    assert "at most 24 hours" in _send(empty, form, 400, **(fields | {"grace": "x"}))
