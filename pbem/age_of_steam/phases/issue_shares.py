"""I. Issue shares (section 4)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from typing_extensions import override

from pbem.age_of_steam.events import Issued
from pbem.age_of_steam.moves import Always, Issue
from pbem.age_of_steam.notation import ALWAYS_ISSUE, ISSUE, OrderWord
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting
from pbem.age_of_steam.rules import SHARE_PRICE, Rules
from pbem.age_of_steam.solvency import left
from pbem.age_of_steam.state import State
from pbem.engine import Choice, Move, Question, Refusal, Seat, Step, count_say, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import PlanChoice, PlanPart, StandingOrder

SHOWN: Final = 8
"""Numbers of shares in the table of a plan; more can be typed."""


class IssueShares(AgeOfSteamPhase):
    """In the order of the previous turn; each share pays $5 (R10, R11)."""

    name = "issue_shares"
    act = say("{player} issues shares")
    moves: ClassVar[tuple[type[Move], ...]] = (Issue,)
    scratch = Waiting
    words: ClassVar[Mapping[str, OrderWord]] = ISSUE
    always = ALWAYS_ISSUE
    opens_turn = True

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(replace(state, scratch=Waiting(state.order)))

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return Forced(Issue(0), "A1") if rules.shares_allowed(state, seat) == 0 else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        most = rules.shares_allowed(state, seat)
        match move:
            case Issue(shares) if shares > most:
                return refuse(
                    "R10",
                    "You cannot issue {shares} shares: you have {issued}, and {most} more are allowed.",
                    shares=shares,
                    issued=state.players[seat].shares,
                    most=most,
                )
        return None

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        match move:
            case Issue(shares):
                player = state.players[seat]
                total, cash = player.shares + shares, player.cash + SHARE_PRICE * shares
                scratch = state.scratch_as(Waiting).rest()
                state = replace(state.with_player(seat, shares=total, cash=cash), scratch=scratch)
                return Step(state, (Issued(seat, shares, total, cash),))
        raise TypeError(move)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return [Issue(n) for n in range(rules.shares_allowed(state, seat) + 1)]

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Issue(0)

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        player, most = state.players[seat], rules.shares_allowed(state, seat)
        bill = rules.expenses(state, seat)
        choices = []
        for n in range(most + 1):
            cash, owed = player.cash + SHARE_PRICE * n, bill + n
            effect = say("${cash} in hand, bill ${bill}.", cash=cash, bill=owed)
            if cash + player.income < owed:
                short = left(rules, state, seat, cash, owed)
                effect = say(
                    "${cash} in hand, bill ${bill}. If you deliver nothing: {short}.", cash=cash, bill=owed, short=short
                )
            title = count_say("Issue {n} share", "Issue {n} shares", n) if n else say("Issue none")
            choices.append(Choice(f"issue {n}", title, effect))
        lead = count_say(
            "You have ${cash} and {shares} shares; {n} more is allowed.",
            "You have ${cash} and {shares} shares; {n} more are allowed.",
            most,
            cash=player.cash,
            shares=player.shares,
        )
        due = say("Bill ${bill} at the end of this turn, income {income}.", bill=bill, income=player.income)
        return Question(
            seat,
            "issue_shares",
            say("Issue shares"),
            (lead, rules.share_terms(), due),
            say("no share is issued for you"),
            "choices",
            tuple(choices),
            example="issue 2",
        )

    # orders that wait

    @override
    def refuse_waiting(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        return self.refuse(rules, state, seat, move) if isinstance(move, Issue) else None

    @override
    def refuse_always(self, rules: Rules, always: Always) -> Refusal | None:
        match always:
            case Always(_, int(shares)) if shares > rules.share_cap:
                return refuse("R10", "Nobody has more than {most} shares.", most=rules.share_cap)
        return None

    @override
    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        match waiting.move:
            case Always(_, int(shares)):
                return Issue(shares)
        return waiting.move

    @override
    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        player, most = state.players[seat], rules.shares_allowed(state, seat)
        if most == 0:
            return None
        note = count_say(
            "You have {shares} shares; {n} more is allowed.",
            "You have {shares} shares; {n} more are allowed.",
            most,
            shares=player.shares,
        )
        return PlanPart(
            self.name,
            "pick",
            "issue",
            say("Shares to issue"),
            tuple(_plan_choice(rules, state, seat, n) for n in range(min(most, SHOWN) + 1)),
            (say("Cash"), say("Bill"), say("If you spend and deliver nothing")),
            note,
            "issue _",
            "issue 2",
        )


def _plan_choice(rules: Rules, state: State, seat: Seat, shares: int) -> PlanChoice:
    cash, bill = state.players[seat].cash + SHARE_PRICE * shares, rules.expenses(state, seat) + shares
    cells = (say("${n}", n=cash), say("${n}", n=bill), left(rules, state, seat, cash, bill))
    return PlanChoice(str(shares), say("{n}", n=shares), cells)
