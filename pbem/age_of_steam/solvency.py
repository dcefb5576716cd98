"""What the end of a turn brings, by what is known now: whether a company can pay, and what is left (VI to VIII)."""

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Say, Seat, count_say, say
from pbem.engine.overview import Balance, Line, Overview


def missing(rules: Rules, state: State, seat: Seat) -> int:
    """Dollars that the company is short of when income is collected and the bill is due as things stand; 0: none."""
    player = state.players[seat]
    return max(0, rules.expenses(state, seat) - player.cash - player.income)


def bankrupt(rules: Rules, state: State, seat: Seat) -> bool:
    """Whether the income of the company would lie below 0 when the bill is paid, so that it is out (R63, R65)."""
    short = missing(rules, state, seat)
    income = rules.lowered_income(state, seat, short) if short else state.players[seat].income
    return income < 0


def saving(rules: Rules, state: State, seat: Seat) -> int:
    """The steps of income that a company has to gain at least in order not to go bankrupt; 0 when none are needed."""
    income, steps = state.players[seat].income, 0
    while bankrupt(rules, state.with_player(seat, income=income + steps), seat):
        steps += 1
    return steps


def balance(rules: Rules, state: State, seat: Seat, spent: int) -> Balance:
    """Cash, what orders that are put together cost, income and bill, and what is left of that."""
    player, due = state.players[seat], rules.expenses(state, seat)
    figures = {"cash": player.cash, "income": player.income, "bill": due}
    if spent:
        means = say("Cash ${cash} − this order ${spent} + income {income} − bill ${bill}", spent=spent, **figures)
    else:
        means = say("Cash ${cash} + income {income} − bill ${bill}", **figures)
    after = state.with_player(seat, cash=player.cash - spent)
    if missing(rules, after, seat) or bankrupt(rules, after, seat):
        return Balance(
            say(
                "{means}: {words}, if you deliver nothing more.",
                means=means,
                words=left(rules, after, seat, player.cash - spent, due),
            ),
            True,
        )
    return Balance(say("{means}: ${rest} left.", means=means, rest=player.cash - spent + player.income - due), False)


def bill(rules: Rules, state: State, seat: Seat) -> Overview:
    """What the turn ends with if the player gains no income any more."""
    player, due = state.players[seat], rules.expenses(state, seat)
    means = say(
        "${cash} and income {income}: ${n}", cash=player.cash, income=player.income, n=player.cash + player.income
    )
    return Overview(
        say("At the end of this turn"),
        (),
        (
            Line(say("You pay"), (_due(state, seat, due),)),
            Line(say("You have"), (means,)),
            Line(say("Then"), (left(rules, state, seat, player.cash, due),)),
        ),
        say("This assumes no more deliveries. Each step of income adds $1."),
    )


def _due(state: State, seat: Seat, due: int) -> Say:
    player = state.players[seat]
    shares = count_say("{n} share", "{n} shares", player.shares)
    if due == player.shares + player.engine:
        return say("${due}: {shares}, engine {engine}", due=due, shares=shares, engine=player.engine)
    return say("${due}", due=due)


def left(rules: Rules, state: State, seat: Seat, cash: int, due: int) -> Say:
    """What is left of ``cash`` when ``due`` dollars are paid at the end of the turn, as things stand."""
    income = state.players[seat].income
    rest = cash + income - due
    if rest < 0:
        lowered = rules.lowered_income(state, seat, -rest)
        if lowered < 0:
            return say("${short} short: you would be out of the game", short=-rest)
        return say("${short} short: income {income} becomes {lowered}", short=-rest, income=income, lowered=lowered)
    if income < 0:
        return say("${left} left, but income {income}: you would be out of the game", left=rest, income=income)
    reduced = income - rules.income_reduction(state, income)
    if reduced < income:
        return say(
            "${left} left; income {income}, then {reduced} after income reduction",
            left=rest,
            income=income,
            reduced=reduced,
        )
    return say("${left} left; income {income}", left=rest, income=income)
