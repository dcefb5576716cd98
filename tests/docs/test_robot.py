"""The robot of ``docs/robot.py`` plays whole games on a real server, with nothing but its token."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.runtime import Server, free_port
from pbem.service import Office, open_office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening, views
from pbem.service.people import accounts, programs
from pbem.settings.environment import ALONE
from pbem.settings.settings import Settings
from pbem.store.statuses import GameStatus, MoveCause, SubmissionStatus
from pbem.store.tables import Account, Move, Submission
from pbem.web.app import utc_now
from tests.patience import PATIENCE

ROBOT = Path(__file__).parents[2] / "docs" / "robot.py"
NAMES = ("Deep", "Thought")
WHOLE_GAME = 20 * PATIENCE
"""Seconds."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Of a server that runs."""
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    outside = {name: value for name, value in os.environ.items() if name not in ALONE}
    own = {"PBEM_DATA_DIR": str(folder / "var"), "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}"}
    with Server({**outside, **own}, port, logs=folder / "logs"):
        office = open_office(Settings.read(own))
        yield office
        office.database.close()


def opened(office: Office, sheet: tuple[str, str], players: int) -> tuple[str, list[str]]:
    """A game among programs, and their tokens."""
    now, tokens, numbers = utc_now(), [], []
    addresses = [f"{name.casefold()}.{sheet[1]}@example.org" for name in NAMES[:players]]
    for name, address in zip(NAMES, addresses, strict=False):
        with office.write() as session:
            numbers.append(accounts.account(session, address, name, now).id)
        tokens.append(programs.make_token(office, numbers[-1], now))
    invited = tuple(opening.Invited(address) for address in addresses[1:])
    new = opening.NewGame("", *sheet, invited, grace=timedelta(0), planning=False)
    game = opening.open_game(office, numbers[0], new, now)
    for seat in range(1, players):
        opening.answer(office, InvitationClaim(game, seat), True, now)
    return game, tokens


@pytest.mark.parametrize(
    ("sheet", "players"),
    [(("age-of-steam", "st_lucia"), 2), (("steam-power", "ireland_solo"), 1)],
    ids=["age-of-steam", "steam-power"],
)
def test_the_robot_plays_a_whole_game_with_its_token_alone(
    office: Office, sheet: tuple[str, str], players: int, tmp_path: Path
) -> None:
    game, tokens = opened(office, sheet, players)
    until = time.monotonic() + WHOLE_GAME
    with ExitStack() as stack:
        robots: list[subprocess.Popen[bytes]] = []
        for token in tokens:
            log = stack.enter_context((tmp_path / f"{len(robots)}.log").open("wb"))
            words = [sys.executable, str(ROBOT), office.settings.public_url, token]
            robots.append(stack.enter_context(subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT)))
            stack.callback(robots[-1].terminate)
        while (view := views.game(office, game)).status != GameStatus.OVER:
            assert time.monotonic() < until, view.log[-1]
            assert [robot.poll() for robot in robots] == [None] * players, (tmp_path / "0.log").read_text()
            time.sleep(0.5)
    assert all(seat.name.endswith(" [bot]") for seat in view.seats)
    assert len(view.standings) == players
    with office.read() as session:
        sent = session.scalars(select(Submission).where(Submission.game_id == game)).all()
        causes = set(session.scalars(select(Move.cause).where(Move.game_id == game)))
        used = session.scalars(select(Account.program)).all()
    assert {(one.via, one.status) for one in sent} == {("api", SubmissionStatus.PLAYED)}
    assert MoveCause.PLAYER in causes
    assert all(used)
    assert len(sent) > 20
