"""Runs the demonstration: start everything, let the robots play, show what is left of it."""

import hashlib
import os
import random
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cached_property
from itertools import cycle
from pathlib import Path

from pbem.demo import show
from pbem.demo.browser import Astray, Browser
from pbem.demo.mailroom import Mailroom
from pbem.demo.player import Onlooker, Player, plain
from pbem.demo.replier import Replier
from pbem.engine import Sheet, Value, field
from pbem.engine.record import read_record, replay, verify
from pbem.runtime import Server, free_port
from pbem.service import open_office
from pbem.service.games import opening
from pbem.settings.settings import Settings

NAMES = ("Ana", "Ben", "Chloé", "Davi", "Eva", "Finn")
SILENCE = 90.0
"""Seconds without a letter after which something must be wrong; a letter may wait for a minute on purpose."""


LEFT = frozenset({"archive", "boards", "logs", "mails", "record.json", "server"})
"""What a demo leaves in its folder."""


class Occupied(Exception):
    """The folder cannot be used for a demo; the sentence says why."""


class Setup(Value):
    """What is to be played, and where its traces are to be left.

    ``environ``: other parts than the embedded ones. ``ahead``: robots plan their turns and give standing orders.
    ``reply``: they answer emails by email, and know nothing but them. ``languages``: of the players, one
    after the other.
    """

    sheet: Sheet
    players: int
    seed: str
    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    ahead: bool = False
    reply: bool = False
    languages: tuple[str, ...] = ("en",)


def run(plan: Setup, tell: Callable[[str], None]) -> None:
    """Play the demo; ``tell`` is given every line of progress. Raises ``Astray`` or ``Ended`` when it goes wrong.

    What an earlier demo has left in the folder is removed. Raises :class:`Occupied` when other things are in it.
    """
    clear(plan.folder)
    began = time.monotonic()
    with Mailroom(plan.folder / "mails") as mailroom:
        port = free_port()
        environ = {**_environ(plan.folder, mailroom.url, port), **plan.environ}
        if plan.reply:
            environ |= {"PBEM_MAILIN_PORT": str(free_port()), "PBEM_ORDERS_ADDRESS": "orders@demo.invalid"}
        with Server(environ, port, logs=plan.folder / "logs") as server:
            root = environ["PBEM_PUBLIC_URL"]
            tell(f"Web, worker, clock and mail server are up at {root} after {time.monotonic() - began:.1f} s.")
            with closing(Table(plan, environ, mailroom, server, tell)) as game:
                game.open()
                game.play()
            with closing(Browser(root)) as browser:
                _leave(plan, browser, game.address, tell)
    each = mailroom.readers
    tell(f"Emails to each player: {', '.join(f'{reader} {count}' for reader, count in each.items())}.")
    kinds = ", ".join(f"{kind} {count}" for kind, count in mailroom.kinds.most_common())
    tell(f"{mailroom.count} emails ({kinds}): {min(each.values())} to {max(each.values())} to each player.")
    tell(f"{time.monotonic() - began:.0f} seconds. All of it is in {plan.folder}/:")
    for name, what in (
        ("boards/", "the board at the end of every turn"),
        ("mails/", "every email as it was received"),
        ("archive/index.html", "the archived game"),
        ("record.json", "the record, with the seed"),
    ):
        tell(f"  {name:<20} {what}")


def clear(folder: Path) -> None:
    """An empty folder, whatever an earlier demo has left in it. Raises :class:`Occupied`."""
    try:
        if others := sorted({path.name for path in folder.iterdir()} - LEFT) if folder.exists() else []:
            raise Occupied(f"{folder} holds {others[0]}, which is not from a demo. Choose another folder with -o.")
        for name in LEFT:
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / "record.json").unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Occupied(f"{folder} cannot be used: {error.strerror}.") from error


def _environ(folder: Path, smtp_url: str, port: int) -> dict[str, str]:
    outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
    return {
        **outside,
        "PBEM_DATA_DIR": str(folder / "server"),
        "PBEM_SMTP_URL": smtp_url,
        "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "PBEM_MAIL_FROM": "pbem <pbem@demo.invalid>",
    }


class Table:
    def __init__(
        self, plan: Setup, environ: Mapping[str, str], mailroom: Mailroom, server: Server, tell: Callable[[str], None]
    ) -> None:
        self._plan, self._mailroom, self._server, self._tell = plan, mailroom, server, tell
        self._office = open_office(Settings.read(environ))
        names = [*NAMES, *(f"Player {number}" for number in range(len(NAMES) + 1, plan.players + 1))]
        robots = (self._robot(number, name) for number, name in enumerate(names[: plan.players]))
        self._players = {player.address: player for player in robots}
        self.address = ""
        self._watching = Browser(self._office.settings.public_url)
        self._line = Line()

    def _robot(self, number: int, name: str) -> Player | Replier:
        address, luck = f"{_local(name)}@demo.invalid", random.Random(f"{self._plan.seed} {name}")
        settings = self._office.settings
        if self._plan.reply:
            return Replier(name, address, number, settings.mailin_port, luck)
        return Player(name, address, settings.public_url, luck)

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._watching.close()
        self._office.database.close()

    def open(self) -> None:
        """What a host does, with the seed the demo was asked for instead of a secret one."""
        new = opening.NewGame(
            title=f"{self._plan.sheet.name} by post",
            game=self._plan.sheet.game,
            map=self._plan.sheet.slug,
            players=tuple(
                opening.Invited(player.address, player.name, language)
                for player, language in zip(self._players.values(), cycle(self._plan.languages))
            ),
            grace=timedelta(0),
            planning=self._plan.ahead,
            seed=hashlib.sha256(self._plan.seed.encode()).digest(),
        )
        game = opening.open_game(self._office, None, new, datetime.now(UTC))
        self.address = self._office.addresses.game(game)
        self._tell(f"{self.address} is open, {len(self._players)} players are invited.")

    def play(self) -> None:
        """Answer letters until everybody has been told that the game is over."""
        told = 0
        while told < len(self._players):
            letter = self._mailroom.next(SILENCE)
            self._server.check()
            if letter is None:
                raise Astray(
                    f"No email has arrived for {SILENCE:.0f} seconds; the logs are in {self._plan.folder}/logs."
                )
            told += self._take(letter)
        self._tell(self._line.text(self._mailroom.count))

    def _take(self, letter: EmailMessage) -> bool:
        """Do what a letter asks; returns whether it is the last one."""
        player = self._players[str(letter["To"].addresses[0].addr_spec)]
        match str(letter["X-Pbem-Letter"]):
            case "invitation":
                player.accept(letter)
                self._tell(f"{player.name} has accepted.")
            case "your-turn" | "planning":
                self._answer(player, letter)
            case "refused" if self._plan.reply:
                raise Astray(f"An answer of {player.name} was not played:\n{plain(letter)}")
            case "game-over":
                return True
        return False

    @cached_property
    def _onlooker(self) -> Onlooker:
        """What robots with browsers know the position from, once it has been dealt."""
        return Onlooker(self._watching, self.address)

    def _answer(self, player: Player | Replier, letter: EmailMessage) -> None:
        if isinstance(player, Replier):
            turn, phase = player.answer(letter, ahead=self._plan.ahead)
        else:
            turn, phase = player.answer(letter, self._onlooker, ahead=self._plan.ahead)
        now = turn, self._plan.sheet.word(phase)
        if now != self._line.now and self._line.moved:
            self._tell(self._line.text(self._mailroom.count))
            self._line = Line()
        self._line.now = now
        self._line.moved.append(player.name)


class Line:
    def __init__(self) -> None:
        self.now = 0, ""
        self.moved: list[str] = []

    def text(self, mails: int) -> str:
        turn, phase = self.now
        return f"turn {turn:>2}  {phase:<15} {mails:>4} emails  {' '.join(self.moved)}"


def _leave(plan: Setup, browser: Browser, game: str, tell: Callable[[str], None]) -> None:
    """Show the result, save what there is to look at, and check the dice."""
    record = show.save_record(browser, game, plan.folder / "record.json")
    tell("")
    for line in record["result"]:
        score = "out of the game" if line["out"] else f"{line['score']} points"
        tell(f"  {line['place']}. {record['names'][line['player']]:<10} {score}")
    record_read = read_record((plan.folder / "record.json").read_bytes())
    for played in replay(plan.sheet, record_read):
        verdict = plan.sheet.verdict(played.state) if plan.sheet.over(played.state) else None
        if verdict is not None:
            tell(f"  {verdict}")
    proof = verify(plan.sheet, record_read)
    if proof.faults:
        raise Astray(f"The record does not match its seed: {proof.faults[0]}")
    tell(
        f"The seed matches the commitment, and {proof.entries} orders and {proof.draws} rolls and draws match the seed."
    )
    ends = show.turn_ends(record)
    show.save_boards(browser, game, ends, plan.folder / "boards")
    show.save_archive(browser, game, ends, plan.folder / "archive")


def _local(name: str) -> str:
    return name.casefold().replace("é", "e").replace(" ", "")
