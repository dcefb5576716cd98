"""The mail around a letter: its parts, its headers, its size."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from jinja2 import TemplateNotFound
from markupsafe import Markup
from typing_extensions import override

from pbem.engine import catalog, replace
from pbem.engine.chance import SeededChance
from pbem.engine.text import PLAIN
from pbem.mail.answers import names_in_orders
from pbem.mail.compose import compose
from pbem.mail.environment import environment
from pbem.mail.tables import amount
from pbem.mail.voices import TextVoice
from pbem.mail.writing import Written, write
from pbem.store.time_controls import TimeControl
from pbem.views.games import ClockView
from pbem.views.letters import AskedQuestion, LetterView
from tests.mail.arriving import arrived
from tests.mail.views import LETTERS, ROOT, STANDINGS, STOP, addressed

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
BOARD = PNG
URL = re.compile(r"https?://[^\s\"<>]+")
ASKED_FOR = frozenset({"login", "test", "account-deleted", "guest-game", "seat-at-table"})
"""Letters somebody has just asked for: there is nothing to stop."""
each_letter = pytest.mark.parametrize("name", LETTERS)


@cache
def sent(name: str, board: bytes | None = BOARD) -> EmailMessage:
    """The letter as it arrives: through bytes and back."""
    return arrived(compose(LETTERS[name], board))


@cache
def written(name: str) -> Written:
    return write(LETTERS[name], "")


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def asked_in(name: str) -> AskedQuestion:
    """What a letter asks."""
    asked = LETTERS[name].asked
    assert asked is not None
    return asked


class Elements(HTMLParser):
    """Collects start tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {key: value or "" for key, value in attrs}))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_an_unknown_kind_of_letter_is_an_error() -> None:
    with pytest.raises(TemplateNotFound, match="postcard"):
        compose(addressed(LETTERS["login"], kind="postcard"), None)


@each_letter
def test_a_letter_is_text_and_beside_it_html_with_its_picture(name: str) -> None:
    message = sent(name)
    assert message.get_content_type() == "multipart/alternative"
    text, related = message.iter_parts()
    assert isinstance(related, EmailMessage)
    assert (text.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    html, picture = related.iter_parts()
    assert (html.get_content_type(), picture.get_content_type()) == ("text/html", "image/png")
    assert isinstance(picture, EmailMessage)
    assert picture.get_content() == PNG
    assert picture.get_content_disposition() == "inline"


@pytest.mark.parametrize(
    "name", ["your-turn-build", "reminder", "refused", "default-played", "game-started", "game-over"]
)
def test_the_board_is_shown_by_its_content_id_with_a_sentence_in_its_place(name: str) -> None:
    message = sent(name)
    (image,) = Elements(part(message, "html")).all("img")
    picture = next(p for p in message.walk() if p.get_content_type() == "image/png")
    assert f"<{image['src'].removeprefix('cid:')}>" == picture["Content-ID"]
    assert image["width"] == "638"
    assert re.fullmatch(r"The (final )?board[^.<]*\.", image["alt"])


@pytest.mark.parametrize("name", ["your-turn-build", "refused", "game-over"])
def test_without_a_picture_the_position_stands_in_the_html_in_words(name: str) -> None:
    html = part(sent(name, board=None), "html")
    assert not Elements(html).all("img")
    assert "The board in words" in html
    assert "<strong>Track of Ana</strong><br>" in html


@each_letter
def test_nothing_is_fetched_from_elsewhere(name: str) -> None:
    html = part(sent(name), "html")
    elements = Elements(html)
    assert all(image["src"].startswith("cid:") for image in elements.all("img"))
    assert not elements.all("link") + elements.all("script") + elements.all("iframe")
    assert "url(" not in html
    assert "@import" not in html


@each_letter
def test_html_stays_far_below_the_size_at_which_it_is_clipped(name: str) -> None:
    assert len(part(sent(name), "html").encode()) < 80_000


@each_letter
def test_styles_are_inlined_and_those_for_dark_and_small_screens_stay(name: str) -> None:
    html = part(sent(name), "html")
    assert "prefers-color-scheme: dark" in html
    assert "max-width: 520px" in html
    assert 'name="color-scheme" content="light dark"' in html
    assert ".ticket {" not in html.replace(".ticket, ", "")


@each_letter
def test_layout_tables_are_presentation_and_tables_of_figures_have_scopes(name: str) -> None:
    elements = Elements(part(sent(name), "html"))
    assert all(table.get("role") == "presentation" or "figures" in table["class"] for table in elements.all("table"))
    assert all(head.get("scope") in ("col", "rowgroup") for head in elements.all("th"))


@each_letter
def test_every_address_of_the_text_is_in_the_html_too(name: str) -> None:
    message = sent(name)
    targets = {link["href"] for link in Elements(part(message, "html")).all("a")}
    assert set(URL.findall(part(message, "plain"))) <= targets


@each_letter
def test_the_text_keeps_to_72_columns_but_for_links(name: str) -> None:
    lines = written(name).text.splitlines()
    assert [line for line in lines if len(line) > 72 and not URL.search(line)] == []


@each_letter
def test_the_text_ends_with_a_signature_and_has_no_ragged_blanks(name: str) -> None:
    text = written(name).text
    assert "\n-- \n" in text
    assert "\n\n\n\n" not in text
    assert [line for line in text.splitlines() if line != line.rstrip() and line != "-- "] == []


@pytest.mark.parametrize("name", ["your-turn-build", "your-turn-bid", "your-turn-move", "reminder", "refused"])
def test_each_choice_and_the_board_have_a_line_of_their_own(name: str) -> None:
    view = LETTERS[name]
    lines = part(sent(name), "plain").splitlines()
    assert view.links.turn in lines
    joined = "\n".join(lines).replace("\n  ", " ")
    for link in asked_in(name).links({}):
        assert re.search(rf"^{link.number}\. .*: ", joined, re.MULTILINE)


def test_of_many_choices_the_letter_has_the_first_of_each_kind() -> None:
    orders = [choice.order for choice in asked_in("your-turn-bid").answers]
    assert orders == ["drop", "bid 3", "bid 4", "bid 5", "bid 6", "bid 7", "bid 8"]
    assert len(asked_in("your-turn-bid").question.choices) == 12
    assert "all choices are there" in write(LETTERS["your-turn-bid"], "").text
    assert "all choices are there" not in write(LETTERS["your-turn-action"], "").text


@each_letter
def test_headers_say_what_the_letter_is_and_that_a_machine_wrote_it(name: str) -> None:
    message, view, envelope = sent(name), LETTERS[name], LETTERS[name].envelope
    assert message["X-Pbem-Letter"] == envelope.kind
    assert message["Subject"] == written(name).subject
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Date"].datetime == envelope.now.replace(microsecond=0)
    assert message["To"].addresses[0].addr_spec == envelope.to
    assert message["From"].addresses[0].addr_spec == "pbem@localhost"
    assert ("Reply-To" in message) is bool(view.links.reply or envelope.reply_to)


def test_letters_of_one_game_to_one_reader_hang_on_one_thread() -> None:
    message, envelope = sent("your-turn-bid"), LETTERS["your-turn-bid"].envelope
    assert message["Message-ID"] == envelope.message_id
    assert message["In-Reply-To"] == message["References"] == envelope.thread_id
    assert message["List-Id"] == "<k7m2.games.localhost>"


def test_the_first_letter_of_a_thread_answers_nothing() -> None:
    assert not LETTERS["game-started"].envelope.thread_id
    message = sent("game-started")
    assert "References" not in message
    assert "In-Reply-To" not in message


def test_one_click_unsubscribing_stands_in_one_unbroken_line() -> None:
    view = LETTERS["your-turn-build"]
    long = replace(view, links=replace(view.links, unsubscribe=f"https://play.example.org/u/{'Ab3-_x.' * 30}"))
    raw = compose(long, None).content
    ways = f"<{long.links.unsubscribe}>, <mailto:{STOP}?subject=unsubscribe>"
    assert f"\r\nList-Unsubscribe: {ways}\r\n".encode() in raw
    assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in raw


def test_where_no_email_is_received_no_mail_unsubscribes() -> None:
    view = LETTERS["your-turn-build"]
    message = arrived(compose(replace(view, links=replace(view.links, unsubscribe_by_mail="")), None))
    assert message["List-Unsubscribe"] == f"<{view.links.unsubscribe}>"


@pytest.mark.parametrize(("language", "said"), [("en", "en"), ("pt", "pt"), ("es", "es"), ("pl", "pl"), ("xx", "en")])
def test_the_header_says_in_which_language_a_letter_is(language: str, said: str) -> None:
    message = arrived(compose(addressed(LETTERS["your-turn-build"], language=language), None))
    assert message["Content-Language"] == said
    assert f'lang="{said}"' in part(message, "html")


@each_letter
def test_every_letter_can_be_stopped_but_those_that_were_asked_for(name: str) -> None:
    message, asked_for = sent(name), LETTERS[name].envelope.kind in ASKED_FOR
    assert str(message["List-Unsubscribe"] or "").startswith("" if asked_for else f"<{ROOT}/u/")
    assert message["List-Unsubscribe-Post"] == (None if asked_for else "List-Unsubscribe=One-Click")
    assert name != "login" or "List-Id" not in message


@each_letter
def test_a_letter_names_no_host_but_ours_and_nobody_in_charge(name: str) -> None:
    for text in (written(name).text, re.sub(r"<!--.*?-->|<!DOCTYPE[^>]*>", "", written(name).html, flags=re.DOTALL)):
        assert set(re.findall(r"https?://[^/\s\"<>)]+", text)) <= {ROOT}
        assert not re.search(r"\b(admin|administrator|moderator)\b", text, re.IGNORECASE)


def test_an_address_holds_no_markup_of_its_own() -> None:
    view = LETTERS["your-turn-bid"]
    html = write(replace(view, links=replace(view.links, map='https://play.example.org/"><img src=x>')), "").html
    assert not Elements(html).all("img")


def test_the_sender_is_the_one_that_is_set() -> None:
    message = arrived(compose(LETTERS["login"], None, "Trains by mail <trains@play.example.org>"))
    assert message["From"] == "Trains by mail <trains@play.example.org>"


def test_a_letter_that_can_be_answered_by_mail_says_so_and_where() -> None:
    message = sent("your-turn-reply")
    assert message["Reply-To"] == "pbem <orders+7-0123456789abcdef@play.example.org>"
    assert "Or reply to this email" in part(message, "plain")
    assert "Or reply to this email" in part(message, "html")
    assert sent("your-turn-shares")["Reply-To"] is None


def test_the_same_letter_is_the_same_mail_to_the_byte() -> None:
    view = LETTERS["your-turn-move"]
    assert compose(view, BOARD).content == compose(view, BOARD).content


def test_the_result_stands_in_the_subject_of_the_last_email_also_when_somebody_played_alone() -> None:
    def subject(verdict: str, score: int | None) -> str:
        standing = replace(STANDINGS[0], score=score)
        values = {
            "verdict": verdict,
            "standing": standing,
            "winners": (),
            "amount": amount,
            "voice": TextVoice(PLAIN, {}),
        }
        return environment().get_template("_result.txt").render(values).strip()

    assert subject("A game alone has no winner.", 34) == "Game over: you end with 34 points"
    assert subject("The game is lost.", None) == "Game over: The game is lost."
    assert subject("", None) == "Game over: nobody wins"


def test_lines_of_the_mail_are_short_enough_for_smtp() -> None:
    raw = compose(LETTERS["your-turn-build"], BOARD).content
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("bank", "hours", "cap", "told", "clock"),
    [
        (48, 5, 0, "This includes your bank of 2 days.", "You have 2 days in the bank."),
        (48, -5, 0, "Your bank is running; this is when it ends.", "Your bank is running: 3 days left."),
        (48, 5, 96, "This includes the 2 days that you have kept.", "You have kept 2 days."),
        (0, 5, 0, "", "Nothing is left in your bank."),
    ],
)
def test_a_question_says_what_of_the_bank_the_end_of_its_time_includes(
    bank: int, hours: int, cap: int, told: str, clock: str
) -> None:
    view = LETTERS["your-turn-build"]
    assert view.game is not None
    control = TimeControl(timedelta(days=1), bank=timedelta(days=2), cap=timedelta(hours=cap))
    runs = None if cap else view.envelope.now + timedelta(hours=hours)
    own = ClockView("pink", timedelta(days=1), timedelta(hours=bank), bank_from=runs, asked=True)
    game = replace(view.game, time_control=control, clocks=(own,))
    said = write(replace(view, game=game), "")
    for text in (" ".join(said.text.split()), " ".join(Markup(said.html).striptags().split())):
        assert told in text
        assert clock in text
        assert ("bank" in text.partition("If you do not answer")[0]) == ("bank" in told)


def test_every_choice_of_a_question_has_its_order_in_both_parts() -> None:
    for name in ("your-turn-bid", "your-turn-action", "your-turn-shares", "your-turn-build", "your-turn-move"):
        asked, view = asked_in(name), LETTERS[name]
        assert view.game is not None
        places = view.game.sheet.place_names(view.game.state)
        for text in _both_parts(view):
            links = asked.links(names_in_orders(places, view.game.names))
            assert [link for link in links if link.typed not in text] == []


def _both_parts(view: LetterView) -> tuple[str, str]:
    """Text and HTML without its markup, each in one line."""
    said = write(view, "")
    html = Markup(said.html.replace("<br>", " ").replace("</td>", " ")).striptags()
    return " ".join(said.text.split()), " ".join(html.split())


def test_points_are_spoken_of_only_where_a_column_counts_them() -> None:
    view = LETTERS["your-turn-build"]
    assert view.game is not None
    detroit = catalog.sheet("age-of-steam", "detroit")
    state = detroit.start(("pink",), SeededChance(bytes(32), "deal"), {}).state
    alone = replace(view.game, sheet=detroit, state=state, seats=view.game.seats[-1:])
    for counts, game in ((True, view.game), (False, alone)):
        text, html = _both_parts(replace(view, game=game))
        assert (", points " in text) == counts
        assert ("f the game ended now" in html) == counts


def test_whoever_shares_the_victory_reads_it_of_himself() -> None:
    view = LETTERS["game-over"]
    assert view.game is not None
    first, second, *others = STANDINGS
    shared = replace(view.game, standings=(first, replace(second, place=1, score=57), *others))
    for text in _both_parts(replace(view, game=shared)):
        assert "You and Davi share the victory with 57 points" in text
        assert "Davi and Ana" not in text


def test_long_options_of_a_game_are_wrapped() -> None:
    view = LETTERS["invitation"]
    assert view.game is not None
    found = []
    for sheet in catalog.sheets():
        if options := sheet.options():
            seats = view.game.seats[: sheet.player_counts()[-1]]
            game = replace(
                view.game,
                sheet=sheet,
                seats=seats,
                options={option.key: list(option.choices)[-1] for option in options},
            )
            lines = write(replace(view, game=game), "").text.splitlines()
            found += [line for line in lines if len(line) > 72 and "https://" not in line]
    assert found == []


def test_an_invitation_without_a_host_has_whole_sentences() -> None:
    view = replace(LETTERS["invitation"], own=SimpleNamespace(**vars(LETTERS["invitation"].own) | {"host": ""}))
    assert write(view, "").subject.startswith("Invitation to a game: Rust Belt, 4 players [")
    for text in _both_parts(view):
        assert "You are invited to a game by email" in text
        assert " is told" not in text


@each_letter
def test_nothing_in_the_html_looks_like_spam_to_a_filter(name: str) -> None:
    """What SpamAssassin gave points for: invisible text, text in the colour behind it; and the style stood twice."""
    html = write(LETTERS[name], "board").html
    assert html.count("@media (max-width: 520px)") == 1
    assert not re.search("display: ?none|font-size: ?[01]px|opacity: ?0", html)
    for style in re.findall('style="([^"]*)"', html):
        colours = dict(re.findall("(?:^|;) ?(color|background-color): ?(#[0-9a-f]{6})", style))
        assert len(set(colours.values())) == len(colours), style
