"""VI. Collect income, VII. Pay expenses, VIII. Income reduction (sections 9 and 12): nobody is asked."""

from typing_extensions import override

from pbem.age_of_steam.events import Eliminated, ExpensesPaid, IncomeCollected, IncomeLowered, IncomeReduced
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Seat, Step, replace
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.rails.track import Segment


class CollectIncome(AgeOfSteamPhase):
    """Everybody receives the income shown on the Income Track."""

    name = "collect_income"

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        gains = tuple((seat, state.players[seat].income) for seat in state.order)
        for seat, income in gains:
            state = state.with_player(seat, cash=state.players[seat].cash + income)
        return Step(state, (IncomeCollected(gains),))


class PayExpenses(AgeOfSteamPhase):
    """Shares and engine are paid; missing dollars lower the income; below 0 a player is out (R63 to R65)."""

    name = "pay_expenses"

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        bills = tuple((seat, rules.expenses(state, seat)) for seat in state.order)
        events: list[Event] = [ExpensesPaid(bills)]
        for seat, owed in bills:
            player = state.players[seat]
            missing = max(0, owed - player.cash)
            state = state.with_player(seat, cash=max(0, player.cash - owed))
            if missing:
                state = state.with_player(seat, income=rules.lowered_income(state, seat, missing))
                events.append(IncomeLowered(seat, missing, state.players[seat].income))
        insolvent = tuple(seat for seat in state.order if state.players[seat].income < 0)
        for seat in insolvent:
            state = eliminate(state, seat)
            events.append(Eliminated(seat, state.players[seat].income))
        if insolvent and len(state.order) < rules.least_players(state):
            state = replace(state, over=True)
        return Step(state, tuple(events))


def eliminate(state: State, seat: Seat) -> State:
    """Take a player out (section 12): sections and links become ownerless, the links stay in use."""
    track = {
        hex_: tuple(Segment(s.a, s.b, None) if s.owner == seat else s for s in segments)
        for hex_, segments in state.track.items()
    }
    links = {key: None if owner == seat else owner for key, owner in state.links.items()}
    state = state.with_player(seat, out=state.turn, action=None)
    return replace(state, order=tuple(other for other in state.order if other != seat), track=track, links=links)


class IncomeReduction(AgeOfSteamPhase):
    """High incomes fall (R55, R57)."""

    name = "income_reduction"

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        falls = tuple(
            (seat, fall)
            for seat in state.order
            if (fall := rules.income_reduction(state, state.players[seat].income)) > 0
        )
        for seat, fall in falls:
            state = state.with_player(seat, income=state.players[seat].income - fall)
        return Step(state, (IncomeReduced(falls),) if falls else ())
