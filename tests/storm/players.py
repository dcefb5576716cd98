"""Robots that answer their letters: once, twice or thrice, at the same instant, too late, wrongly, in a hurry."""

import queue
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage

from pbem import robot
from pbem.demo.player import links
from pbem.engine import Sheet, State
from pbem.service.base.tokens import TurnClaim
from tests.storm.looking import Look, Window
from tests.storm.plan import Ledger, Order
from tests.storm.sending import API, LINK, TYPED, Wire, send

AGAIN_AFTER = 0.4
"""Seconds before a request without an answer is sent again."""
PLAYED_WITHIN = 20.0
"""Seconds a robot in a hurry watches for its order to be played; then it waits for its letter like everybody."""
LOOKS_EVERY = 0.08
BY_LINK, BY_PAGE = 0.25, 0.08
"""Shares of the answers that go through the page of a link and through a turn page; the others use the API."""
HURRIED = 0.8
"""The chance that the next player does not wait for a letter but follows the game and answers at once."""
WRONG, STALE, CONFLICTING = 0.15, 0.25, 0.15
"""Chances that orders are sent before that cannot be played, afterwards with a used link, or two different at once."""
WRONG_ORDERS = ("issue 99", "bid 999", "build ZZ9 N-S", "move red from nowhere")
ONCE, TWICE = 0.5, 0.3
"""Shares of the orders that are sent once and twice; the others thrice."""


@dataclass(slots=True)
class Call:
    """A question that has been asked: by a letter with links, or seen by a robot in a hurry."""

    claim: TurnClaim
    token: str
    orders: dict[str, str] = field(default_factory=dict)


class Players:
    """All robots of all games: a few threads that take up questions as they come."""

    def __init__(self, window: Window, wires: Sequence[Wire], ledger: Ledger, seed: int, threads: int = 8) -> None:
        self.ledger = ledger
        self.asked: Counter[str] = Counter()
        self._window, self._wires = window, wires
        # no SimpleQueue: with several readers its limit of time may be passed over, and a thread waits for ever (3.11)
        self._calls: queue.Queue[Call] = queue.Queue()
        self._busy: set[str] = set()
        self._later: dict[str, Call] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, args=(random.Random(f"{seed} {number}"),), name=f"players {number}")
            for number in range(threads)
        ]

    def start(self) -> None:
        """Answer letters from now on."""
        for thread in self._threads:
            thread.daemon = True
            thread.start()

    def stop(self) -> None:
        """Finish what is in hand and answer no more."""
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def deliver(self, letter: EmailMessage) -> None:
        kind = str(letter["X-Pbem-Letter"])
        self.asked[kind] += 1
        if kind != "your-turn" or self._ended.is_set():
            return
        offered = links(letter)
        token = offered.page.rpartition("/")[2].partition("?")[0]
        self._take(Call(self._window.office.tokens.read(TurnClaim, token), token, offered.orders))

    def notice(self, game: str) -> None:
        """Whoever is asked in a game has looked at it without having been told."""
        asked = self._window.asked(game)
        if asked is not None and not self._ended.is_set():
            self._take(Call(asked, self._token(asked)))

    def _token(self, asked: TurnClaim) -> str:
        return self._window.office.tokens.make(TurnClaim(asked.game, asked.seat, asked.version))

    def _take(self, call: Call) -> None:
        """One question of a game after the other."""
        with self._lock:
            if call.claim.game in self._busy:
                self._later[call.claim.game] = call
                return
            self._busy.add(call.claim.game)
        self._calls.put(call)

    def _work(self, luck: random.Random) -> None:
        while not self._ended.is_set():
            try:
                call = self._calls.get(timeout=0.2)
            except queue.Empty:
                continue
            following: Call | None = call
            while following is not None and not self._ended.is_set():
                following = self._turn(following, luck)
            self._done(call.claim.game)

    def _done(self, game: str) -> None:
        with self._lock:
            self._busy.discard(game)
            later = self._later.pop(game, None)
        if later is not None:
            self._take(later)

    def _turn(self, call: Call, luck: random.Random) -> Call | None:
        """Answer a question; the next one, if its player is in a hurry."""
        claim = call.claim
        look = self._window.look(claim.game, self._ended)
        if look is None:
            return None
        if look.version != claim.version or look.to_act != claim.seat:
            self._late(call, look, luck)
            return None
        text = robot.choose(look.sheet, look.state, luck)
        if luck.random() < WRONG:
            self._send(call, self._wrong(luck), luck, self._way(luck))
        if luck.random() < CONFLICTING:
            self._both(call, text, self._other(look.sheet, look.state, text, luck), luck)
        way = LINK if text in call.orders and luck.random() < BY_LINK * 2 else self._way(luck)
        if not self._send(call, text, luck, way):
            return None
        following = self._follow(claim, luck)
        if luck.random() < STALE:
            self._send(call, self._other(look.sheet, look.state, text, luck), luck, API)
        return following

    def _way(self, luck: random.Random) -> str:
        return TYPED if luck.random() < BY_PAGE else API

    def _late(self, call: Call, look: Look, luck: random.Random) -> None:
        """The question has been answered meanwhile: sometimes its link is used all the same."""
        if call.orders and luck.random() < STALE:
            text = luck.choice(sorted(call.orders))
            self._send(call, text, luck, LINK if luck.random() < 0.5 else API, once=True)

    def _wrong(self, luck: random.Random) -> str:
        return luck.choice((*WRONG_ORDERS, f"take {luck.random():.6f}"))

    def _other(self, sheet: Sheet, state: State, text: str, luck: random.Random) -> str:
        """Orders that could have been given instead."""
        others = [choice.order for choice in sheet.question(state).choices if choice.order != text]
        return luck.choice(others) if others else "pass"

    def _both(self, call: Call, one: str, other: str, luck: random.Random) -> None:
        """Two different orders for the same question at the same instant: one of them is played."""
        self._at_once([(call, one), (call, other)], luck)

    def _at_once(self, shots: Sequence[tuple[Call, str]], luck: random.Random) -> None:
        start = threading.Barrier(len(shots))
        wires = [luck.choice(self._wires) for _ in shots]

        def shoot(wire: Wire, call: Call, text: str) -> None:
            start.wait()
            send(wire, self.ledger, self._order(call, text), call.token, API)

        threads = [threading.Thread(target=shoot, args=(wire, *shot)) for wire, shot in zip(wires, shots, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _send(self, call: Call, text: str, luck: random.Random, way: str, *, once: bool = False) -> int:
        """Send orders until they are acknowledged, and then perhaps again."""
        chance = luck.random()
        copies = 1 if once or chance < ONCE else 2 if chance < ONCE + TWICE else 3
        if copies > 1 and luck.random() < 0.5:
            self._at_once([(call, text)] * copies, luck)
            copies = 1
        number = 0
        while not number and not self._ended.is_set():
            number = self._shoot(call, text, luck, way)
            if once:
                break
            if not number:
                way = API
                time.sleep(AGAIN_AFTER)
        for _ in range(copies - 1):
            self._shoot(call, text, luck, API)
        return number

    def _shoot(self, call: Call, text: str, luck: random.Random, way: str) -> int:
        link = call.orders.get(text, "")
        order = self._order(call, text)
        return send(luck.choice(self._wires), self.ledger, order, call.token, way if link or way != LINK else API, link)

    def _order(self, call: Call, text: str) -> Order:
        return Order(call.claim.game, call.claim.seat, call.claim.version, text)

    def _follow(self, claim: TurnClaim, luck: random.Random) -> Call | None:
        """The next question of the game, seen before its letter has come."""
        if luck.random() > HURRIED:
            return None
        end = time.monotonic() + PLAYED_WITHIN
        while time.monotonic() < end and not self._ended.is_set():
            asked = self._window.asked(claim.game)
            if asked is not None and asked.version != claim.version:
                return Call(asked, self._token(asked))
            time.sleep(LOOKS_EVERY)
        return None
