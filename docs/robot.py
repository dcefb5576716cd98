"""A robot that plays on a pbem server, badly. It needs httpx, and docs/programs.md says what it does:

python robot.py https://play.example.org pbem_TOKEN
"""

import random
import sys
import time
from typing import Any

import httpx

WISHES = "issue 2", "issue 1", "action locomotive"
PAUSE = 0.5


def candidates(question: dict[str, Any]) -> list[str]:
    """What could be ordered, the best guess first; the server says which of it the rules allow."""
    orders = question["legal"] or question["placements"]
    random.shuffle(orders)
    deliveries = sorted((order for order in orders if order.startswith("move")), key=len, reverse=True)
    wished = [order for order in WISHES if order in orders]
    return [*wished, *deliveries, *orders, "cash", "pass"]


class Robot:
    def __init__(self, server: str, token: str) -> None:
        self.server = httpx.Client(base_url=server, headers={"Authorization": f"Bearer {token}"}, timeout=60)

    def ask(self, method: str, address: str, orders: str | None = None) -> httpx.Response:
        """One request; a server that is busy is asked again when it says."""
        while True:
            answer = self.server.request(method, address, json=orders and {"orders": orders})
            if answer.status_code not in (429, 503):
                return answer
            time.sleep(int(answer.headers.get("Retry-After", 5)))

    def answer(self, address: str) -> None:
        """Answer a question, unless it has been answered meanwhile (409)."""
        asked = self.ask("GET", address)
        if asked.status_code == 409:
            return
        for orders in candidates(asked.raise_for_status().json()):
            sent = self.ask("POST", address, orders)
            if sent.status_code != 422:
                print(address, orders, sent.status_code, flush=True)
                return

    def play(self) -> None:
        while True:
            for question in self.ask("GET", "/api/v1/questions").raise_for_status().json()["questions"]:
                self.answer(question["question"])
            time.sleep(PAUSE)


if __name__ == "__main__":
    Robot(*sys.argv[1:]).play()
