"""What the robots see of their games: positions, read from the tables past the server that is being tested."""

import threading
import time
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from pbem.engine import Sheet, State, catalog
from pbem.service import Office
from pbem.service.base.tokens import TurnClaim
from pbem.store.tables import Game

AGAIN_AFTER = 0.3


@dataclass(frozen=True, slots=True)
class Look:
    version: int
    to_act: str
    sheet: Sheet
    state: State


class Window:
    """Looks through an office of its own; waits while the database is away."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def look(self, game_id: str, ended: threading.Event) -> Look | None:
        """The game as it stands; ``None`` only when the storm ends before the database answers."""
        columns = select(Game.version, Game.to_act, Game.game, Game.map, Game.state).where(Game.id == game_id)
        while not ended.is_set():
            try:
                with self.office.read() as session:
                    version, to_act, game, name, state = session.execute(columns).one()
            except DBAPIError:
                time.sleep(AGAIN_AFTER)
                continue
            sheet = catalog.sheet(game, name)
            return Look(version, to_act, sheet, sheet.decode(state))
        return None

    def asked(self, game_id: str) -> TurnClaim | None:
        """What the game asks now; ``None`` when it is over or the database does not answer."""
        try:
            with self.office.read() as session:
                found = session.execute(select(Game.version, Game.to_act).where(Game.id == game_id)).one()
        except DBAPIError:
            return None
        return TurnClaim(game_id, found.to_act, found.version) if found.to_act else None
