"""IV. Build track (section 7): who builds when, and when a build turn ends. Single steps: ``building.py``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec import UNSET, UnsetType
from typing_extensions import override

from pbem.age_of_steam.building import Laid, Site, abandoned, finish, run
from pbem.age_of_steam.moves import Build, BuildStep
from pbem.age_of_steam.notation import OrderReader
from pbem.age_of_steam.notation_build import BUILD, STEPS
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting, led_by
from pbem.age_of_steam.placement_rules import Visits
from pbem.age_of_steam.placements import any_step, cities
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.visit_lines import VISITS
from pbem.age_of_steam.words import section_said
from pbem.engine import Choice, Move, Question, Refusal, Refused, Seat, Step, count_say, replace, say
from pbem.engine.chance import Chance
from pbem.engine.moves import no, refusal_of
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import StandingOrder
from pbem.rails.position_lines import FLAG, NUMBER, PIECE, FieldLine, Lines, several
from pbem.rails.track import Piece

PLENTY: Final = 10_000
"""Dollars with which a build is priced before it can be paid: the money may come first."""


class Building(Waiting):
    """Who has yet to build, and what the first of them has done so far in this turn (``more``).

    ``visits`` is stored only where a build is open, so that all other states keep the shape they had without it.
    """

    added: tuple[Piece, ...] = ()
    prices: tuple[int, ...] = ()
    urbanized: bool = False
    visits: Visits | UnsetType = UNSET
    lines: ClassVar[Lines] = {
        **Waiting.lines,
        "added": FieldLine("Laid so far", several(PIECE)),
        "prices": FieldLine("Paid so far", several(NUMBER)),
        "urbanized": FieldLine("Urbanization done", FLAG),
        "visits": FieldLine("Hexes so far", VISITS),
    }


class BuildTrack(AgeOfSteamPhase):
    """The holder of First Build first, then in turn order; each player once."""

    name = "build_track"
    act = say("{player} builds track")
    moves = (Build,)
    scratch = Building
    words = BUILD
    steps: ClassVar[Mapping[str, Callable[[OrderReader], BuildStep]]] = STEPS
    parts = True
    """Whether a build turn may be given in parts (R97a)."""

    def building(self, state: State) -> bool:
        """Whether the seat to act is asked for track, and not for something that a map asks besides."""
        return True

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(replace(state, scratch=Building(led_by(state, "first-build"))))

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return None if any_step(rules, site(state, seat)) else Forced(Build(), "A6")

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        return refusal_of(lambda: self._built(rules, state, seat, move))

    @override
    def play(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        return self.apply(rules, state, seat, move, chance)

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        laid, more = self._built(rules, state, seat, move)
        seats = state.scratch_as(Building).seats
        done = laid.site
        open_ = Building(seats, tuple(sorted(done.added)), done.prices, done.urbanized, done.visits or UNSET)
        scratch = open_ if more else Building(seats[1:])
        return Step(replace(done.state, scratch=scratch), laid.events)

    def _built(self, rules: Rules, state: State, seat: Seat, move: Move) -> tuple[Laid, bool]:
        """The build carried out and whether the build turn stays open. Raises :class:`Refused`."""
        if not isinstance(move, Build):
            raise TypeError(move)
        if move.more and not self.parts:
            raise no("R97a", "On this map a build turn is sent as a whole, without “more”.")
        laid = run(rules, site(state, seat), move)
        if move.more and any_step(rules, laid.site):
            return laid, True
        last = finish(rules, laid.site)
        return Laid(last.site, laid.events + last.events), False

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move] | None:
        """``None``: whole builds are too many to list; :mod:`pbem.age_of_steam.placements` lists single steps."""
        return None

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Build()

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        work = site(state, seat)
        left = rules.tile_limit(state, seat) - len(work.prices)
        cash = state.players[seat].cash - rules.build_price(state, seat, work.prices)
        lead = [
            count_say(
                "You may lay {n} tile and have ${cash}.", "You may lay {n} tiles and have ${cash}.", left, cash=cash
            )
        ]
        if state.players[seat].action == "urbanization" and not work.urbanized:
            lead.append(say("Before that you may place a New City on a town."))
        city = next(cities(rules, work), None)
        lost = abandoned(rules, work)
        warnings = tuple(
            say(
                "Your unfinished track from {section} is lost unless you extend it.", section=section_said(rules, chain)
            )
            for chain in lost
        )
        nothing = Choice(str(Build()), say("Build nothing"), say("You keep ${cash}.", cash=cash))
        return Question(
            seat,
            "build_track",
            say("Build track"),
            tuple(lead),
            say("you build nothing"),
            "build",
            (nothing,),
            warnings,
            example="build S10 NE-SW" if city is None else f"build {city[0]}",
        )

    # orders that wait

    @override
    def imagined(self, state: State, seat: Seat, moment: str) -> State | None:
        return replace(state, phase=self.name, scratch=Building((seat,)))

    @override
    def guard(self, rules: Rules, state: State, seat: Seat, move: Move, *, chosen: bool) -> dict[str, Any]:
        """P5: the price of a build that names no limit."""
        match move:
            case Build(steps, None) if steps:
                return {"price": _price_given(rules, state, seat, move, chosen=chosen)}
        return {}

    @override
    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        """P5: only for the price it had when it was given."""
        if not isinstance(waiting.move, Build) or (most := waiting.guard.get("price")) is None:
            return waiting.move
        laid = run(rules, site(state, seat), waiting.move)
        price = rules.build_price(laid.site.state, seat, laid.site.prices)
        if price > int(most):
            raise no("P5", "The build now costs ${price}; it was given for ${most}.", price=price, most=int(most))
        return waiting.move


def _price_given(rules: Rules, state: State, seat: Seat, move: Build, *, chosen: bool) -> int:
    """The price of a build as the board stands. Raises :class:`Refused` when it has none yet."""
    player = state.players[seat]
    action = player.action if chosen else None
    open_ = isinstance(state.scratch, Building) and state.scratch.seats[:1] == (seat,)
    rich = state.with_player(seat, cash=player.cash + PLENTY, action=action)
    try:
        done = run(rules, begun(rich, seat, state.scratch if open_ else Building(())), move).site
    except Refused as refused:
        raise no(
            "P5",
            "On the board as it is now, this build has no price ({why}). "
            "Say what it may cost, for example by ending it with “max 9”.",
            why=say("{sentence}", sentence=refused.refusal.why),
        ) from refused
    return rules.build_price(done.state, seat, done.prices)


def site(state: State, seat: Seat) -> Site:
    return begun(state, seat, state.scratch_as(Building))


def begun(state: State, seat: Seat, scratch: Building) -> Site:
    """A build turn as far as the scratch of the phase says."""
    return Site(state, seat, frozenset(scratch.added), scratch.prices, scratch.urbanized, scratch.visits or ())
