"""Trial games of maps that people draw: the plain robot plays each once at every number of players."""

import logging
import random
import time
import traceback

from pbem.engine import Sheet
from pbem.robot import matches
from pbem.service import Office
from pbem.service.own_maps import versions
from workers import work

LONGEST = 60.0
"""Seconds of the processor for one game, a hundred times what one takes."""

log = logging.getLogger(__name__)


class Endless(Exception):
    """A trial game did not come to its end."""


def try_out(office: Office, number: int) -> None:
    """Try a version unless it was; where a game stops, the map cannot be played and the operator gets to know why."""
    sheet = versions.to_try(office, number)
    if sheet is None:
        return
    for players in sheet.player_counts():
        turn = [1]
        try:
            _play(sheet, players, turn)
        except Exception:
            log.exception("a trial game of version %s with %s players stopped in turn %s", number, players, turn[0])
            versions.tried(office, number, work.now(), (players, turn[0]), traceback.format_exc())
            return
    versions.tried(office, number, work.now())


def _play(sheet: Sheet, players: int, turn: list[int]) -> None:
    """Play a game to its end; ``turn`` holds the one that is being played. Every position must come back as it was
    stored."""
    seats = dict.fromkeys(sheet.colours[:players], matches.classic)
    secret, began = random.Random(sheet.slug).randbytes(32), time.process_time()
    for state in matches.game(sheet, seats, secret, sheet.slug):
        turn[0] = sheet.turn(state)
        if sheet.decode(sheet.encode(state)) != state:
            raise AssertionError("a position does not come back as it was stored")
        if time.process_time() - began > LONGEST:
            break
    if not sheet.over(state):
        raise Endless
    sheet.standings(state)
