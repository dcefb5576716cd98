"""Robots play, and what is hidden is dealt anew: nobody else reads one letter of it on any page, email or record.

Hidden are the hands and the bag of Steam Power, and what a robot plans: another one that gives the very same order has
other reasons for it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email import message_from_bytes, policy
from functools import cached_property

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import undefer

from pbem.engine import Sheet, State, say, say_to_json
from pbem.engine.chance import SeededChance
from pbem.mail.compose import compose
from pbem.robot import thinking
from pbem.robot.reasons import Reason, Until, reason_from_json, reason_to_json
from pbem.robot.thinking import CHARACTERS, Character, decide
from pbem.service.games import takeback, views, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.orders import robots, submissions
from pbem.service.people import feeds
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Game, Move
from tests.web.reading import Page
from tests.web.site import FIRST_BUILD, Site
from workers import clock

HASTY: Mapping[str, Character] = {key: replace(one, budget=40) for key, one in CHARACTERS.items()}
SEED = bytes(range(32))


@dataclass
class Robots:
    """A game of Ana and robots. ``twins``: by the number of a robot's order another reason for the same order;
    ``compared``: how many of them everybody may read; ``trials``: where Ana tries something, by version."""

    site: Site
    twins: dict[int, Reason] = field(default_factory=dict)
    compared: int = 0
    trials: dict[int, str] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        with self.site.office.read() as session:
            return session.scalars(select(Game)).one()

    @cached_property
    def sheet(self) -> Sheet:
        return self.site.view().sheet

    def moves(self) -> list[Move]:
        with self.site.office.read() as session:
            return list(session.scalars(select(Move).order_by(Move.number).options(undefer(Move.state))))

    def play(self) -> None:
        """Whoever is asked answers: Ana as if her time were over."""
        before = self.site.view()
        if not before.robot_asked:
            self.site.play()
            return
        assert robots.think(self.site.office, self.site.game, self.site.now)
        submissions.play_waiting(self.site.office, self.site.game, self.site.now)
        (move,) = self.moves()[before.version + 1 :]
        assert move.why is not None
        if (twin := self._twin(before.state, move.orders, reason_from_json(move.why))) is not None:
            self.twins[move.number] = twin

    def _twin(self, before: State, orders: str, own: Reason) -> Reason | None:
        """Another reason for the same order: of one that nobody may read any; of one that everybody may read that of
        a robot which holds and plans something else."""
        if own.until != Until.NOTHING:
            return Reason(say("It has another plan, and the hand for it."), own.until, say("And another beside it."))
        for option in decide(self.sheet, self._dealt_anew(before, ""), HASTY["penny"], "another").options:
            if option.order == orders:
                self.compared += 1
                return Reason(option.why, own.until, say("It would rather have done something else."))
        return None

    def _dealt_anew(self, state: State, viewer: str) -> State:
        anew: State = self.sheet.dealt_anew(state, viewer, SeededChance(SEED, "anew"))
        return anew

    def hidden(self) -> set[int]:
        """The orders of which the reason is hidden as yet, and those of which it is open from the beginning."""
        now = self.game
        here = {Until.PHASE: (now.turn, now.phase), Until.TURN: now.turn, Until.GAME: "", Until.NOTHING: ""}
        found = set()
        for move in self.moves():
            if (twin := self.twins.get(move.number)) is not None:
                then = {Until.PHASE: (move.turn, move.phase), Until.TURN: move.turn, Until.GAME: "", Until.NOTHING: ""}
                if here[twin.until] == then[twin.until]:
                    found.add(move.number)
        return found

    def change(self, viewer: str) -> Callable[[], None]:
        """Deal anew what ``viewer`` does not see; returns what puts everything back."""
        sheet, hidden, kept = self.sheet, self.hidden(), [(m.number, m.why, m.state) for m in self.moves()]
        latest = self.game.state

        def anew(stored: bytes) -> bytes:
            return sheet.encode(self._dealt_anew(sheet.decode(stored), viewer))

        def write(rows: list[tuple[int, object, bytes]], state: bytes) -> None:
            with self.site.office.write() as session:
                for number, why, stored in rows:
                    session.execute(update(Move).where(Move.number == number).values(why=why, state=stored))
                session.execute(update(Game).values(state=state))

        own = {m.number: reason_from_json(m.why) for m in self.moves() if m.number in hidden and m.why is not None}
        over = {m.number for m in self.moves() if m.turn != self.game.turn and m.number in own}
        over -= {number for number, reason in own.items() if reason.later == Until.GAME}
        told = {n: replace(self.twins[n], second=own[n].second) if n in over else self.twins[n] for n in hidden}
        twins = {number: reason_to_json(reason) for number, reason in told.items()}
        write([(number, twins.get(number, why), anew(state)) for number, why, state in kept], anew(latest))
        return lambda: write(list(kept), latest)


def _read_by_guests(game: Robots) -> dict[str, str]:
    """What is told to somebody who is no player, by address."""
    site, at = game.site, game.site.view().version
    page = f"/games/{site.game}"
    paths = [page, f"{page}?at={at - 1}", f"{page}?log={game.game.turn}", f"{page}/record.json", f"{page}/map.svg"]
    with site.app.test_request_context():
        paths.append(site.path(site.office.addresses.watch(site.game, watching.key_of(site.office, site.game)[0])))
    guest = site.app.test_client()
    return {path: guest.get(path).text for path in paths}


def _read_by_ana(game: Robots) -> dict[str, str]:
    """What is told to the person who plays against the robots."""
    site, office, view = game.site, game.site.office, game.site.view()
    ana = view.seats[0]
    seat = site.path(office.addresses.seat(site.game, 0))
    feed = feeds.addresses(office, site.host)
    assert feed is not None
    paths = [seat, f"{seat}?at={view.version - 1}", site.path(feed.atom)]
    if view.waiting_for == ana.seat:
        paths += [site.turn(), site.turn().replace("/t/", "/api/v1/turn/")]
    browser = site.app.test_client()
    if view.version not in game.trials:
        game.trials[view.version] = browser.get(f"{seat}/try").headers["Location"]
    paths.append(game.trials[view.version])
    return {path: browser.get(path).text for path in paths} | _emails(site)


def _emails(site: Site) -> dict[str, str]:
    """The parts of the last email to Ana."""
    letters = site.letters("your-turn")
    if not letters:
        return {}
    message = message_from_bytes(compose(site.read(letters[-1]), None).content, policy=policy.default)
    parts = {kind: message.get_body((kind,)) for kind in ("plain", "html")}
    return {kind: part.get_content() for kind, part in parts.items() if part is not None}


def _same(game: Robots, viewer: str, read: Callable[[Robots], dict[str, str]]) -> None:
    before = read(game)
    assert all(len(text) > 0 for text in before.values())
    put_back = game.change(viewer)
    after = read(game)
    put_back()
    for path, text in before.items():
        assert after[path] == text, path
    assert read(game) == before


def _begun(site: Site, monkeypatch: pytest.MonkeyPatch, map: str, names: tuple[str, ...]) -> Robots:
    monkeypatch.setattr(thinking, "CHARACTERS", HASTY)
    site.open(("Ana",), game=map.partition("/")[0], map=map.partition("/")[2], robots=names)
    feeds.renew(site.office, site.host, site.now)
    watching.open_link(site.office, site.game, site.host, site.now)
    return Robots(site)


def _reasons(game: Robots) -> dict[int, str]:
    """The reasons that a guest finds in the log, by order."""
    return {move.number: str(move.why) for move in game.site.view().log if move.why is not None}


def test_nobody_reads_what_a_robot_plans_before_it_has_done_it(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _begun(empty, monkeypatch, "age-of-steam/rust_belt", ("rufus", "clara"))
    looked_at: set[str] = set()
    while game.game.turn < 3:
        game.play()
        hidden = game.hidden()
        phases = {move.phase for move in game.moves() if move.number in hidden}
        if game.game.turn == 2 and phases - looked_at:
            looked_at |= phases
            _same(game, game.site.view().seats[0].seat, _read_by_ana)
            _same(game, "", _read_by_guests)
    assert looked_at == {"issue_shares", "turn_order", "select_actions", "build_track", "move_goods"}
    assert game.compared > 3
    by_robot = {move.number for move in game.moves() if move.cause == MoveCause.ROBOT and move.turn < 3}
    assert by_robot <= _reasons(game).keys()  # the turns are over


def test_what_a_robot_would_bid_is_told_after_the_auction(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _begun(empty, monkeypatch, "age-of-steam/rust_belt", ("rufus", "clara"))
    while (game.game.turn, game.game.phase) != (1, "select_actions"):
        game.play()
        if game.game.phase == "turn_order":
            assert not _reasons(game)
    bids = [move.number for move in game.moves() if move.phase == "turn_order" and move.cause == MoveCause.ROBOT]
    assert bids
    assert list(_reasons(game)) == bids  # not why it issued shares: that tells what it will build


def test_nobody_reads_what_a_robot_holds(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _begun(empty, monkeypatch, "steam-power/ireland", ("rufus",))
    while not game.compared or game.site.view().robot_asked:
        game.play()
    assert len(game.hidden()) > 3
    _same(game, game.site.view().seats[0].seat, _read_by_ana)
    _same(game, "", _read_by_guests)
    assert all(one.startswith("Fulfils contract") for one in _reasons(game).values())
    votes.ask(empty.office, empty.game, 0, EndingEarly(), empty.now)
    clock.tick(empty.office, empty.awake(days=1, minutes=1), lambda *_: None)
    assert empty.view().status == GameStatus.OVER
    by_robot = [move.number for move in game.moves() if move.cause == MoveCause.ROBOT]
    assert list(_reasons(game)) == by_robot


def test_who_takes_the_seat_of_a_robot_reads_its_reasons(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _begun(empty, monkeypatch, "steam-power/ireland", ("rufus",))
    while not game.hidden():
        game.play()
    robot = empty.view().seats[1].seat
    (number, *_) = game.hidden()
    mine = views.game(empty.office, empty.game, viewer=robot)
    assert mine.log[number].why
    assert not mine.seen_by("").log[number].why


def test_a_reason_of_old_is_hidden_until_the_game_is_over(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    game = _begun(empty, monkeypatch, "age-of-steam/rust_belt", ("rufus", "clara"))
    while game.game.turn < 2:
        game.play()
    assert _reasons(game)
    empty.put(update(Move).where(Move.why.is_not(None)).values(why=say_to_json(say("It likes to."))))
    assert not _reasons(game)


GRACE = timedelta(minutes=10)
PICTURES = ("map.png", "map.svg", "board.png", "board.svg", "thumb.png", "card.png")


@pytest.fixture
def site(empty: Site) -> Site:
    """Somebody is asked to build, and can take it back; no track lies on the board."""
    empty.start(grace=GRACE)
    while empty.asked().sheet.question(empty.asked().state).form != "build":
        empty.play()
        empty.later(minutes=11)
    return empty


def built(site: Site) -> int:
    """Build, let everybody look at it, and take it back; returns the number of the seat."""
    seat = next(seat for seat in site.view().seats if seat.seat == site.asked().waiting_for)
    site.play(FIRST_BUILD)
    for picture in PICTURES:
        site.client.get(f"/games/{site.game}/{picture}?at={site.view().version}")
    takeback.take_back(site.office, site.game, seat.number, site.now)
    return seat.number


def public_pages(site: Site) -> list[str]:
    """Addresses of a game that say something of its course: of its page at every position near the end, and others."""
    page, version = f"/games/{site.game}", site.view().version
    links = [site.path(watching.open_link(site.office, site.game, site.host, site.now))]
    return [page, *(f"{page}?at={version - back}" for back in range(4)), f"{page}/record.json", *links]


def test_nobody_else_reads_what_was_taken_back(site: Site) -> None:
    number = built(site)
    name, other = site.view().seats[number].name, (number + 1) % 4
    told = f"{name} built 2 tiles for $4"
    seats = [site.path(site.office.addresses.seat(site.game, seat)) for seat in (other, number)]
    for path in (*public_pages(site), seats[0], f"{seats[0]}/people"):
        text = site.client.get(path).text
        assert "B1 NE-S" not in text, path
        assert told not in Page(text).text, path
    for path in (f"/games/{site.game}", seats[0]):
        page = site.get(path)
        assert f"{name} took back the last orders" in page.text
        assert "Taken back: it no longer counts." not in page.text
    mine = site.get(seats[1]).text
    assert "You built 2 tiles for $4" in mine
    assert f"You took back “{FIRST_BUILD}”" in mine
    assert "Taken back: it no longer counts." in mine


def test_no_picture_shows_what_was_taken_back(site: Site) -> None:
    before = site.view().version
    built(site)
    assert site.view().version == before + 2
    for picture in PICTURES:
        path = f"/games/{site.game}/{picture}"
        drawn, hidden, now = (site.client.get(f"{path}?at={before + step}") for step in range(3))
        assert hidden.data == drawn.data, picture
        assert "max-age=300" in hidden.headers["Cache-Control"], picture  # when the game is over it shows the build
        assert "immutable" in drawn.headers["Cache-Control"]
        if "board" not in picture:  # that one marks what the last order changed
            assert now.data == drawn.data, picture


def test_a_used_link_says_what_was_taken_back_only_to_the_player(site: Site) -> None:
    link = site.turn()
    number = built(site)
    assert "The answer was taken back." in site.get(link).text
    site.log_in(number)
    mine = site.client.get(link, base_url=site.office.settings.public_url).text
    assert f"<code>{FIRST_BUILD}</code> was taken back" in mine


def test_the_next_email_of_others_does_not_say_it(site: Site) -> None:
    built(site)
    site.play("build nothing")
    site.later(minutes=11)
    asked = site.asked().waiting_for
    letter = next(row for row in reversed(site.letters("your-turn")) if site.read(row).seat == asked)
    message = message_from_bytes(compose(site.read(letter), None).content, policy=policy.default)
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        assert part is not None
        text = " ".join(part.get_content().split())
        assert "took back the last orders" in text
        assert not re.search("B1 and D1|D1 and B1|Minneapolis–Duluth|Duluth–Minneapolis", text)
