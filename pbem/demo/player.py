"""A robot that plays by email: it knows what its emails say, follows their links, and looks on from outside."""

import json
import random
import re
import time
from collections.abc import Mapping
from email.message import EmailMessage
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pbem.demo import planner
from pbem.demo.browser import Astray, Browser, PageReader
from pbem.engine import Sheet, State, Value, catalog
from pbem.engine.record import Record, play_entry, read_record, start

LINK = re.compile(r"https?://[^\s\"'<>]+/t/[^\s\"'<>]+")
"""The address of a turn page; with an order behind it, of the page that asks to confirm it."""
POLL_SECONDS, PATIENCE = 0.03, 120.0
RESULT = "/sent/"
"""In the address of a page that tells of an answer."""


class Onlooker:
    """Knows the position of the game at ``address`` as far as it has looked."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._record = self._read()
        self.sheet: Sheet = catalog.sheet(self._record.game, self._record.map)
        self.state: State = start(self.sheet, self._record)[0].state
        self._entries = 0

    def imagine(self, asked: Mapping[str, Any]) -> State | None:
        """The position of a question of the turn API as its reader may imagine it, with hidden things made up.

        Raises :class:`Astray` when the public record tells of another position than the question does.
        """
        state = self.look(asked["version"])
        self._compare(state, asked["position"])
        if not self.sheet.secret_draws:
            return state
        return self.sheet.imagined(asked["position"], asked["seat"], self._record.options)

    def look(self, version: int) -> State:
        """The position after move ``version``, as far as it is open to all."""
        if self._entries < version:
            self._record = self._read()
        for entry in self._record.turns[self._entries : version]:
            self.state = play_entry(self.sheet, self._record, entry, self.state).state
            self._entries += 1
        return self.state

    def _compare(self, state: State, asked: Mapping[str, Any]) -> None:
        told = json.loads(json.dumps(self.sheet.position(state)))
        players = asked["players"].items()
        open_ = {seat: {key: value for key, value in player.items() if key != "hand"} for seat, player in players}
        seen = {**asked, "players": open_}
        if others := sorted(key for key in {*told, *seen} if told.get(key) != seen.get(key)):
            raise Astray(
                f"After move {self._entries} the public record has other {', '.join(others)} than the question."
            )

    def _read(self) -> Record:
        return read_record(json.dumps(self._browser.get_json(f"{self._address}/record.json")))


class Links(Value):
    page: str
    orders: dict[str, str]


def links(letter: EmailMessage) -> Links:
    rich = letter.get_body(("html",))
    page, orders = "", {}
    for url in LINK.findall(f"{plain(letter)}\n{unescape(str(rich.get_content())) if rich else ''}"):
        if order := parse_qs(urlsplit(url).query).get("order"):
            orders[order[0]] = url
        else:
            page = page or url
    return Links(page, orders)


def plain(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


class Player:
    def __init__(self, name: str, address: str, root: str, luck: random.Random) -> None:
        self.name, self.address = name, address
        self._browser, self._luck, self._root = Browser(root), luck, root

    def close(self) -> None:
        self._browser.close()

    def accept(self, letter: EmailMessage) -> None:
        """Open the link that accepts, and press the button on the page."""
        found = re.search(r"http\S+/i/\S+answer=accept", plain(letter))
        if found is None:
            raise Astray(f"The invitation to {self.name} has no link that accepts.")
        self._browser.send_form_of(found[0])

    def answer(self, letter: EmailMessage, onlooker: Onlooker, *, ahead: bool = False) -> tuple[int, str]:
        """Answer a question: by a link of the letter where one fits, else through the turn API.

        What the page of the answer asks next is answered there. ``ahead``: say what follows as well, and answer only
        what belongs to the same turn; a letter asks to plan the next. Returns the turn and the phase that was
        asked about.
        """
        offered = links(letter)
        turn = self._api(offered.page)
        asked = self._browser.get_json(turn)
        planning = str(letter["X-Pbem-Letter"]) == "planning"
        order = self._plan(asked, onlooker) if planning else self._order(asked, onlooker, offered, ahead)
        if order not in offered.orders:
            self._send(turn, order)
        else:
            page = self._browser.send_form_of(offered.orders[order])
            if following := self._following(page):
                self._go_on(self._api(following), asked["position"]["turn"] if ahead else None, onlooker)
        return asked["position"]["turn"], asked["phase"]

    def _go_on(self, turn: str, number: int | None, onlooker: Onlooker) -> None:
        """Answer a question that a page asks, which is no email for a while.

        ``number``: of the turn it has to belong to where every turn is planned in an email, which opens the next one.
        """
        asked = self._browser.get_json(turn)
        if number is None or asked["position"]["turn"] == number:
            self._send(turn, self._order(asked, onlooker, Links("", {}), ahead=number is not None))

    def _api(self, page: str) -> str:
        return f"{self._root}/api/v1/turn/{page.rpartition('/')[2].partition('?')[0]}"

    def _following(self, page: str) -> str:
        """The turn page of the next question to the player: ``page``, or where that leads if it tells of an answer."""
        end = time.monotonic() + PATIENCE
        while RESULT in page:
            answer = self._browser.look(page)
            found = PageReader(answer.body)
            if answer.location or not found.again:
                return answer.location or found.next
            if time.monotonic() > end:
                raise Astray(f"An answer of {self.name} has been waiting for {PATIENCE} seconds.")
            time.sleep(POLL_SECONDS)
        return page

    def _plan(self, asked: dict[str, Any], onlooker: Onlooker) -> str:
        state = onlooker.imagine(asked)
        if state is None:
            raise Astray(f"{self.name} cannot plan what it does not see.")
        return planner.plan(onlooker.sheet, state, asked["seat"], self._luck)

    def _order(self, asked: dict[str, Any], onlooker: Onlooker, offered: Links, ahead: bool) -> str:
        """An answer to the question, with ``ahead`` the orders for what follows after it."""
        state = onlooker.imagine(asked)
        if state is None:
            known = [*(asked["legal"] or ()), *offered.orders]
            return str(self._luck.choice(known) if known else onlooker.sheet.default(onlooker.state))
        order = planner.choose(onlooker.sheet, state, asked["seat"], self._luck)
        then = planner.then(onlooker.sheet, state, asked["seat"], order) if ahead else []
        return "\n".join((order, *then))

    def _send(self, turn: str, order: str) -> None:
        status = self._browser.post_json(turn, {"orders": order})["status"]
        end = time.monotonic() + PATIENCE
        while (answer := self._browser.get_json(status))["status"] == "waiting":
            if time.monotonic() > end:
                raise Astray(f"“{order}” by {self.name} has been waiting for {PATIENCE} seconds.")
            time.sleep(POLL_SECONDS)
        if answer["status"] != "played":
            raise Astray(f"“{order}” by {self.name} is {answer['status']}: {answer.get('reason')}")
