"""V. Move goods (section 8)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import override

from pbem.age_of_steam.deliveries import DeliveryChoice, Orders, deliveries, listed, meant, warned
from pbem.age_of_steam.events_goods import Delivered, EngineRaised, MovePassed
from pbem.age_of_steam.moves import AUTO_LOCO, Always, Deliver, Loco, Pass, SameIncome
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import ALWAYS_MOVING, MOVE
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, led_by
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.solvency import bankrupt, bill, missing, saving
from pbem.age_of_steam.state import State, without_cube
from pbem.engine import (
    Choice,
    Move,
    Question,
    Refusal,
    Refused,
    Say,
    Seat,
    Step,
    Typed,
    Value,
    count_say,
    refuse,
    replace,
    say,
)
from pbem.engine.chance import Chance
from pbem.engine.flow import FirstLegal
from pbem.engine.moves import no, refusal_of
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import PlanChoice, StandingOrder
from pbem.rails.position_lines import NUMBER, PLAYER, FieldLine, Lines, several


class Moving(Value):
    """The round under way (from 1), who has yet to act in it, who has raised the engine in this phase."""

    round: int
    seats: tuple[Seat, ...]
    raised: tuple[Seat, ...] = ()
    lines: ClassVar[Lines] = {
        "round": FieldLine("Round", NUMBER),
        "seats": FieldLine("Still to act", several(PLAYER)),
        "raised": FieldLine("Engine raised by", several(PLAYER)),
    }


class MoveGoods(AgeOfSteamPhase):
    """In each round everybody delivers a cube, raises the engine (once in the phase) or passes (R48 to R54)."""

    name = "move_goods"
    moves: ClassVar[tuple[type[Move], ...]] = (Deliver, Loco, Pass)
    scratch = Moving
    words: ClassVar[Mapping[str, OrderWord]] = MOVE
    always = ALWAYS_MOVING

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(replace(state, scratch=Moving(1, led_by(state, "first-move"))))

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        if self.refuse_loco(rules, state, seat) is None or self.more_moves(rules, state, seat):
            return None
        if next(deliveries(rules, state, seat), None) is not None:
            return None
        return Forced(Pass(), "A7")

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        match move:
            case Loco():
                return self.refuse_loco(rules, state, seat)
            case Deliver():
                return refusal_of(lambda: meant(rules, state, seat, move))
        return None

    @override
    def play(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if isinstance(move, Deliver):  # judged while it is carried out, not twice
            return self.apply(rules, state, seat, move, chance)
        return super().play(rules, state, seat, move, chance)

    def more_moves(self, rules: Rules, state: State, seat: Seat) -> list[tuple[Move, Choice]]:
        """Legal moves of a kind that only a map has, each with its words."""
        return []

    def refuse_loco(self, rules: Rules, state: State, seat: Seat) -> Refusal | None:
        """Why the player cannot raise the engine now (R52, R53)."""
        if state.players[seat].engine >= rules.engine_cap:
            return refuse("Move Goods", "Your engine already pulls {n} links, the most there are.", n=rules.engine_cap)
        if seat in state.scratch_as(Moving).raised:
            return refuse("R53", "You have already raised your engine this turn.")
        return None

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        step = self.carry_out(rules, state, seat, move)
        return Step(_next(rules, step.state), step.events)

    def carry_out(self, rules: Rules, state: State, seat: Seat, move: Move) -> Step[State]:
        """What a legal move does, before it is the next player's turn."""
        match move:
            case Deliver():
                return self._deliver(rules, state, seat, move)
            case Loco():
                engine = state.players[seat].engine + 1
                scratch = state.scratch_as(Moving)
                state = replace(
                    state.with_player(seat, engine=engine), scratch=replace(scratch, raised=(*scratch.raised, seat))
                )
                return rules.on_engine(state, seat).after((EngineRaised(seat, engine),))
            case Pass():
                return Step(state, (MovePassed(seat),))
        raise TypeError(move)

    def _deliver(self, rules: Rules, state: State, seat: Seat, move: Deliver) -> Step[State]:
        delivery = meant(rules, state, seat, move)
        cubes = {**state.cubes, delivery.start: without_cube(state.cubes[delivery.start], delivery.colour)}
        state = replace(state, cubes=cubes)
        for owner, steps in delivery.gains:
            state = state.with_player(owner, income=state.players[owner].income + steps)
        done = rules.on_delivered(state, seat, delivery)
        more = rules.after_delivery(done.state, seat, delivery)
        pieces = tuple(
            piece for link, node in zip(delivery.links, delivery.nodes, strict=True) for piece in link.into(node)
        )
        special = tuple(link.id for link in delivery.links if link.id is not None)
        event = Delivered(seat, delivery.colour, delivery.start, delivery.nodes, delivery.gains, pieces, special)
        return Step(more.state, (event, *done.events, *more.events))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        graph = rules.link_graph(state)
        orders: list[Move] = list(map(Orders(graph).of, listed(rules, state, seat, graph)))
        raising: list[Move] = [] if self.refuse_loco(rules, state, seat) else [Loco()]
        more = [move for move, _ in self.more_moves(rules, state, seat)]
        return [*more, *orders, *raising, Pass()]

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        graph = rules.link_graph(state)
        best = listed(rules, state, seat, graph)
        return Orders(graph).of(best[0]) if best and best[0].gain(seat) > 0 else Pass()

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        graph = rules.link_graph(state)
        written = Orders(graph)
        found, player = listed(rules, state, seat, graph), state.players[seat]
        scratch = state.scratch_as(Moving)
        last = scratch.round == rules.rounds
        needed, danger = saving(rules, state, seat), _danger(rules, state, seat, last=last)
        choices: list[Choice] = [choice for _, choice in self.more_moves(rules, state, seat)]
        choices += [
            DeliveryChoice(delivery, written, danger if delivery.gain(seat) < needed else None) for delivery in found
        ]
        if self.refuse_loco(rules, state, seat) is None:
            effect = count_say(
                "Deliveries over {n} link from the next round on; the bill rises by $1.",
                "Deliveries over {n} links from the next round on; the bill rises by $1.",
                player.engine + 1,
            )
            title = say("Raise the engine from {a} to {b}", a=player.engine, b=player.engine + 1)
            dearer = state.with_player(seat, engine=player.engine + 1)
            choices.append(Choice(str(Loco()), title, warned(effect, _danger(rules, dearer, seat, last=last))))
        effect = say("You move nothing in this round.")
        choices.append(Choice(str(Pass()), say("Pass"), warned(effect, danger)))
        lead = [
            say(
                "Round {round} of {rounds}. Your engine pulls {engine}.",
                round=scratch.round,
                rounds=rules.rounds,
                engine=count_say("{n} link", "{n} links", player.engine),
            ),
            _possible(found, seat),
        ]
        warnings: tuple[Say, ...] = ()
        if needed:
            warnings = (
                say(
                    "As things stand you will be ${n} short of your bill this turn, and your income is only {income}: "
                    "you go bankrupt unless you gain {needed} of income.",
                    n=missing(rules, state, seat),
                    income=player.income,
                    needed=needed,
                ),
            )
        else:
            lead.append(_at_the_end(rules, state, seat))
        return Question(
            seat,
            "move_goods",
            say("Move goods"),
            tuple(lead),
            say("your best delivery is made for you") if found and found[0].gain(seat) > 0 else say("you pass"),
            "deliver",
            tuple(choices),
            warnings,
            example=choices[0].order,
            overviews=(bill(rules, state, seat),),
            stressed=lead[-1] if missing(rules, state, seat) and not needed else None,
        )

    # orders that wait

    @override
    def moments_left(self, rules: Rules, state: State, seat: Seat) -> Sequence[str]:
        scratch = state.scratch_as(Moving)
        now = [scratch.round] if seat in scratch.seats else []
        return [f"{self.name}.{n}" for n in (*now, *range(scratch.round + 1, rules.rounds + 1))]

    @override
    def imagined(self, state: State, seat: Seat, moment: str) -> State | None:
        raised = state.scratch.raised if isinstance(state.scratch, Moving) else ()
        return replace(state, phase=self.name, scratch=Moving(int(moment.partition(".")[2]), (seat,), raised))

    @override
    def moments_to_come(self, rules: Rules, state: State) -> Sequence[str]:
        return [f"{self.name}.{n}" for n in range(1, rules.rounds + 1)]

    @override
    def offered_always(self, rules: Rules, state: State, seat: Seat) -> tuple[PlanChoice, ...]:
        if state.players[seat].engine >= rules.engine_cap:
            return ()
        words = say("raises your engine whenever you can deliver nothing, if that does not make you go bankrupt")
        return (PlanChoice(str(Always(AUTO_LOCO)), words),)

    def _auto_loco(self, rules: Rules, state: State, seat: Seat) -> Move | None:
        """P8: raise the engine when nothing can be delivered or done otherwise, and it can be paid for."""
        if self.refuse_loco(rules, state, seat) is not None or self.more_moves(rules, state, seat):
            return None
        dearer = state.with_player(seat, engine=state.players[seat].engine + 1)
        nothing = next(deliveries(rules, state, seat), None) is None
        return Loco() if nothing and not bankrupt(rules, dearer, seat) else None

    @override
    def guard(self, rules: Rules, state: State, seat: Seat, move: Move, *, chosen: bool) -> dict[str, Any]:
        """P6: who gains by a delivery that is only to be made as long as the same players gain the same."""
        if not isinstance(move, SameIncome):
            return {}
        return {"gains": [_gains_given(rules, state, seat, alternative) for alternative in move.moves]}

    @override
    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        match waiting.move:
            case Always(order):
                return (self._auto_loco if order == AUTO_LOCO else _auto_pass)(rules, state, seat)
            case SameIncome(moves):
                return _same_income(rules, state, seat, moves, waiting.guard)
        return waiting.move


def _danger(rules: Rules, state: State, seat: Seat, *, last: bool) -> Say | None:
    """What is said of a choice after which the company goes bankrupt, by what is known. ``last``: in the last round."""
    if not bankrupt(rules, state, seat):
        return None
    if last:
        return say("You then go bankrupt.")
    return say("You then go bankrupt, unless you earn enough in the next round.")


def _gains_given(rules: Rules, state: State, seat: Seat, move: Move) -> dict[Seat, int] | None:
    """Who gains by a delivery as the board stands, ``None`` for what is no delivery."""
    if not isinstance(move, Deliver):
        return None
    try:
        return dict(meant(rules, state, seat, move).gains)
    except Refused as refused:
        raise no(
            "P6",
            "“same income” compares with an order that is legal now, but “{order}” is not: {why}",
            order=Typed(str(move)),
            why=refused.refusal.why,
        ) from refused


def _same_income(rules: Rules, state: State, seat: Seat, moves: tuple[Move, ...], guard: Mapping[str, Any]) -> Move:
    """P6: without the alternatives that would no longer pay the same players the same."""
    changed: Refused | None = None
    kept: list[Move] = []
    for move, gains in zip(moves, guard["gains"], strict=True):
        if isinstance(move, Deliver):
            try:
                found = dict(meant(rules, state, seat, move).gains)
            except Refused as refused:
                changed = refused
                continue
            if found != gains:
                changed = Refused(
                    refuse("P6", "“{order}” would not pay the same players the same.", order=Typed(str(move)))
                )
                continue
        kept.append(move)
    if not kept:
        assert changed is not None, "there is at least one alternative"
        raise changed
    return kept[0] if len(kept) == 1 else FirstLegal(tuple(kept))


def _auto_pass(rules: Rules, state: State, seat: Seat) -> Move | None:
    """P8: pass when the engine is at its most and no delivery gives the player income."""
    if state.players[seat].engine < rules.engine_cap:
        return None
    return None if any(way.gain(seat) > 0 for way in deliveries(rules, state, seat)) else Pass()


def _next(rules: Rules, state: State) -> State:
    scratch = state.scratch_as(Moving)
    if len(scratch.seats) > 1 or scratch.round == rules.rounds:
        return replace(state, scratch=replace(scratch, seats=scratch.seats[1:]))
    return replace(state, scratch=replace(scratch, round=scratch.round + 1, seats=led_by(state, "first-move")))


def _possible(found: list[Delivery], seat: Seat) -> Say:
    if not found:
        return say("No delivery is possible with this engine.")
    return count_say(
        "{n} delivery is possible, and it gives you {best}.",
        "{n} deliveries are possible, the best gives you {best}.",
        len(found),
        best=found[0].gain(seat),
    )


def _at_the_end(rules: Rules, state: State, seat: Seat) -> Say:
    """What is short or left at the end of the turn as things stand."""
    short, player = missing(rules, state, seat), state.players[seat]
    if short:
        return say("As things stand you will be ${n} short of your bill this turn.", n=short)
    rest = player.cash + player.income - rules.expenses(state, seat)
    return say("After paying your bill you will have ${n}.", n=rest)
