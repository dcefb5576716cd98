"""A game of choochoo.games played again on our rules, action by action, as a record.

An action does not say whose it is: whoever our rules ask is the one. What is settled unasked there has no action, and
what is settled unasked here may have one, which is passed over.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from pbem.engine import BadMove, Refused, State, Step, catalog
from pbem.engine.chance import DEAL, NO_SEED, ChanceMismatch, Draw, NotedChance, SeededChance
from pbem.engine.flow import PlayedUnasked
from pbem.engine.record import BadRecord, Entry, Record, result_lines
from pbem.rails.sheet import MapSheet
from pbem.service.archive.choochoo.builds import BuildTurn
from pbem.service.archive.choochoo.chance import SeededActions, SeedRandom
from pbem.service.archive.choochoo.export import MAPS, Action, Coordinates, Differs, Export, GameData, cube, seat
from pbem.service.archive.choochoo.opening import opening, seats
from pbem.service.archive.choochoo.places import Places

ACTIONS = {
    0: "locomotive",
    1: "first-build",
    2: "first-move",
    3: "engineer",
    4: "turn-order",
    5: "urbanization",
    6: "production",
    17: "commonwealth",
    19: "heavy-lifting",
}
"""The actions of a turn by their numbers."""
AUTO = "auto-action"
"""What a player has said beforehand, when its moment comes; its data are all that waits."""
PHASES: dict[str, frozenset[str]] = {
    "issue_shares": frozenset({"takeShares", AUTO}),
    "turn_order": frozenset({"bid", "pass", "turnOrderPass", "stLuciaBid", "stLuciaPass", AUTO}),
    "select_actions": frozenset({"select", "skip-select", AUTO}),
    "build_track": frozenset({"build", "urbanize", "connect-cities", "claim", "done"}),
    "move_goods": frozenset({"move", "heavy-lifting", "locomotive", "pass", AUTO}),
    "goods_growth": frozenset({"production", "pass", "poland-production", "poland-production-pass"}),
}
"""The actions of each phase that are understood."""
SETTLED = {"move_goods": {"pass"}, "build_track": {"done"}, "goods_growth": PHASES["goods_growth"]}
"""Actions that can stand there for a decision that is settled unasked here."""
KNOWN = frozenset().union(*PHASES.values())
UNREADABLE = (
    AttributeError, IndexError, KeyError, OverflowError, StopIteration, TypeError, ValueError, msgspec.ValidationError,
)  # fmt: skip
"""What data of another shape can lead to."""
BIDS = {"pass": "drop", "turnOrderPass": "pass", "stLuciaBid": "pay", "stLuciaPass": "decline"}
"""Actions of the auction without a number, as orders."""
BOXES = {True: 2, False: 3}
"""Boxes of a column of the display, of a New City and of another one."""
MOST_TOLD = 50
"""Lines that are told of what is not understood."""


class Translation:
    """One game. Raises ``ValueError`` where it cannot be dealt."""

    def __init__(self, export: Export, data: GameData) -> None:
        self._export, self._data = export, data
        self._players = seats(data)
        self._sheet = found = _sheet(MAPS[export.game_key], len(self._players))
        self._places = Places(found.board, data)
        self._cities = [self._places.letter(one.column) for city in data.available_cities for one in city.on_roll[:1]]
        self._connections = found.board.connections
        self._at = 0
        self._generators: dict[int, SeedRandom] = {}
        self._chance = SeededActions(map(cube, data.bag), self._numbers)
        self._entries: list[Entry] = []
        self._high, self._auction = 0, -1
        self._drawn = 0
        self._readers: dict[str, Callable[[str], str]] = {
            "issue_shares": self._issue,
            "turn_order": self._bid,
            "select_actions": self._select,
            "build_track": self._build,
            "move_goods": self._move,
            "goods_growth": self._produce,
        }
        self._options = {option.key: option.default for option in self._sheet.options()}
        self._opening = opening(self._sheet, self._players, self._places, data)
        dealt = self._sheet.start(self._players, SeededChance(NO_SEED, DEAL), self._options, self._opening)
        self._state: State = dealt.state

    def record(self) -> Record:
        """The game to its end. Raises :class:`BadRecord`, with a line for everything that was not understood."""
        self._check_names()
        while not self._sheet.over(self._state):
            self._play()
        if self._at < len(self._export.actions):
            raise self._fault("the game is over here before it")
        return Record(
            game=self._sheet.game,
            map=self._sheet.slug,
            options=self._options,
            players=self._players,
            turns=tuple(self._entries),
            opening=self._opening,
            result=result_lines(self._sheet, self._state),
            names={seat(one.color): f"Player {one.player_id}" for one in self._data.players},
            source=f"choochoo.games, game {self._export.id}",
        )

    def _check_names(self) -> None:
        faults = []
        for at, action in enumerate(self._export.actions):
            if action.action_name not in KNOWN:
                faults.append(str(self._fault("this is not an action that is understood", at)))
            elif action.action_name == "move" and '"teleport":true' in msgspec.json.encode(action.action_data).decode():
                faults.append(str(self._fault("a delivery that jumps over a gap is not understood", at)))
        if len(faults) > MOST_TOLD:
            faults[MOST_TOLD:] = [f"{len(faults) - MOST_TOLD} more actions are not understood."]
        if faults:
            raise BadRecord("\n".join(faults))

    def _play(self) -> None:
        state, asked, first = self._state, self._sheet.to_act(self._state) or "", self._at
        turn, phase = self._sheet.turn(state), self._sheet.phase(state)
        where = f"in turn {turn}, {phase}, for {asked}"
        if phase not in self._readers:
            raise self._fault(f"{where} it is not known what is ordered", first)
        noted, orders = NotedChance(self._chance), ""
        try:
            orders = self._readers[phase](asked)
            step = self._sheet.play(state, asked, self._sheet.parse(state, orders, {}), noted)
        except (BadMove, Refused, ChanceMismatch) as refused:
            said = f"{where}, as “{orders}”" if orders else where
            raise self._fault(f"{said}: {_why(refused)}", max(first, self._at - 1)) from refused
        except Differs as differs:
            raise self._fault(f"{where}: {differs}", self._at - 1) from differs
        except UNREADABLE as error:
            raise self._fault(f"{where}: its data are not understood ({error})", max(first, self._at - 1)) from error
        self._drawn = sum(_cubes(draw) for draw in noted.notes if draw["for"] == "production")
        played = "; ".join(map(str, step.played)) or orders
        self._entries.append(Entry(turn, phase, asked, played, tuple(noted.notes) or None))
        self._state = step.state
        self._chance.follow(self._sheet.position(self._state)["bag"])
        self._pass_over(step)

    def _pass_over(self, step: Step[State]) -> None:
        """Actions for what was settled unasked here."""
        for event in step.events:
            if not isinstance(event, PlayedUnasked) or event.phase not in SETTLED:
                continue
            if event.phase == "build_track" and not self._turn(event.seat).open(step.state):
                continue
            while (action := self._next()) is not None and action.action_name in SETTLED[event.phase]:
                if event.phase == "goods_growth" and not self._sheet.over(self._state):
                    raise self._fault("these cubes are placed unasked here, and it is not known which dice follow")
                self._take()
                if event.phase != "goods_growth":
                    break

    # actions

    def _next(self) -> Action | None:
        return self._export.actions[self._at] if self._at < len(self._export.actions) else None

    def _take(self) -> Action:
        action = self._export.actions[self._at]
        self._at += 1
        return action

    def _of(self, phase: str) -> Action | None:
        """The next action, taken, if it is one of this phase."""
        action = self._next()
        return self._take() if action is not None and action.action_name in PHASES[phase] else None

    def _due(self, phase: str) -> Action:
        action = self._of(phase)
        if action is None:
            turn, asked = self._sheet.turn(self._state), self._sheet.to_act(self._state)
            if self._next() is None:
                raise BadRecord(f"The file ends in turn {turn}, in {phase}, before {asked} has decided.")
            raise self._fault(f"here it is for {asked} to decide in {phase}, in turn {turn}")
        return action

    def _numbers(self) -> SeedRandom | None:
        """The generator of the last action taken, or of one behind it that only passes what is settled here."""
        at = self._at - 1
        while 0 <= at < len(self._export.actions):
            action = self._export.actions[at]
            if at in self._generators:
                return self._generators[at]
            if action.seed is not None:
                return self._generators.setdefault(at, SeedRandom(action.seed))
            at += 1
            if at < len(self._export.actions) and self._export.actions[at].action_name not in ("pass", "done"):
                return None
        return None

    def _fault(self, why: str, at: int | None = None) -> BadRecord:
        at = min(self._at if at is None else at, len(self._export.actions) - 1)
        action = self._export.actions[at]
        which = (
            f"Action {at + 1} of {len(self._export.actions)} (version {action.version}, “{action.action_name[:40]}”)"
        )
        return BadRecord(f"{which}: {why[:1000]}")

    # one phase each: what is ordered

    def _issue(self, asked: str) -> str:
        data = self._due("issue_shares").action_data
        if "numShares" in data:
            return f"issue {int(data['numShares'])}"
        return f"issue {int(data.get('takeSharesNext') or 0)}"

    def _bid(self, asked: str) -> str:
        turn = self._sheet.turn(self._state)
        if turn != self._auction:
            self._high, self._auction = 0, turn
        action = self._due("turn_order")
        if action.action_name in BIDS:
            return BIDS[action.action_name]
        if action.action_name == "bid":
            self._high = int(action.action_data["bid"])
            return f"bid {self._high}"
        limit = action.action_data["bidUntil"]
        if self._high + 1 > limit["maxBid"]:
            return "drop"
        self._high = self._high + 1 if limit["incrementally"] else int(limit["maxBid"])
        return f"bid {self._high}"

    def _select(self, asked: str) -> str:
        legal = self._sheet.legal(self._state) or ()
        action = self._of("select_actions")
        if action is None and len(legal) == 1:
            return legal[0]
        action = action or self._due("select_actions")
        if action.action_name == "skip-select":
            return "action none"
        key = "action" if action.action_name == "select" else "takeActionNext"
        return f"action {ACTIONS[action.action_data[key]]}"

    def _build(self, asked: str) -> str:
        turn = self._turn(asked)
        while turn.open(turn.state):
            action = self._due("build_track")
            if action.action_name == "done":
                break
            turn.add(action)
        return turn.order()

    def _turn(self, asked: str) -> BuildTurn:
        return BuildTurn(self._sheet, self._state, asked, self._places, self._cities, self._link)

    def _link(self, data: Any) -> str:
        """A link without tiles: by the hex that it crosses, or by its number."""
        if "coordinates" in data:
            label = self._label(data["coordinates"])
            link = next(one for one in self._connections.values() if one.hex == label)
        else:
            link = self._connections[f"link:{data['id']}"]
        alike = [one for one in self._connections.values() if one.name == link.name]
        return f"link {link.name}" + (f" {link.price}" if len(alike) > 1 else "")

    def _move(self, asked: str) -> str:
        action = self._due("move_goods")
        if action.action_name == "pass":
            return "pass"
        if action.action_name in ("locomotive", AUTO):
            return "loco"
        data = action.action_data
        start = self._label(data["startingCity"])
        if action.action_name == "heavy-lifting":
            return f"lift {cube(data['good'])} {start} > {self._label(data['endingCity'])}"
        hops = [(self._label(leg["endingStop"]), _owner(leg)) for leg in data["path"]]
        node = start in self._places.nodes
        first = start if node else f"at {start}({hops[0][1]})"
        owned = [f"{hop}({owner})" if node or number else hop for number, (hop, owner) in enumerate(hops)]
        return f"move {cube(data['good'])} {' > '.join((first, *owned))}"

    def _label(self, at: Any) -> str:
        return self._places.label(msgspec.convert(at, Coordinates))

    def _produce(self, asked: str) -> str:
        puts: list[str] = []
        while len(puts) < max(self._drawn, 1):
            action = self._due("goods_growth")
            if action.action_name == "poland-production":
                return f"produce {self._label(action.action_data['coordinates'])}"
            if action.action_name != "production":
                break
            puts.append(self._put(action.action_data))
        return f"produce {' '.join(puts)}" if puts else "produce decline"

    def _put(self, data: Any) -> str:
        column = f"{'?LD'[data['cityGroup']]}{int(data['onRoll'])}"
        if data["urbanized"]:
            column = self._places.letter(column)
        return f"{cube(data['good'])}>{column}/{BOXES[bool(data['urbanized'])] - int(data['row'])}"


def _sheet(board: str, players: int) -> MapSheet[Any, Any]:
    """The sheet of a map for so many players: alone, some have one of their own."""
    for sheet in catalog.sheets():
        if isinstance(sheet, MapSheet) and sheet.board.slug == board and players in sheet.player_counts():
            return sheet
    raise ValueError(f"{board} cannot be played by {players} here.")


def _owner(leg: Any) -> str:
    owner = leg.get("owner")
    return "nobody" if owner is None else seat(owner)


def _why(refused: BadMove | Refused | ChanceMismatch) -> str:
    match refused:
        case Refused():
            return str(refused.refusal.sentence())
        case BadMove():
            return str(refused.sentence())
    return str(refused)


def _cubes(draw: Draw) -> int:
    cubes = draw.get("cubes")
    return len(cubes) if isinstance(cubes, list) else 0


def translate(export: Export, data: GameData) -> Record:
    """The record of an export. Raises :class:`BadRecord`, with a line for each action that was not understood."""
    try:
        game = Translation(export, data)
    except ValueError as error:
        raise BadRecord(f"The game cannot be dealt: {error}") from error
    return game.record()
