"""III. Select actions (section 6)."""

from collections.abc import Sequence

from typing_extensions import override

from pbem.age_of_steam.events import ActionTaken
from pbem.age_of_steam.moves import NO_ACTION, TakeAction
from pbem.age_of_steam.notation import ACTION
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import section_said
from pbem.engine import Choice, Move, Question, Refusal, Say, Seat, Step, Word, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import PlanChoice, PlanPart
from pbem.engine.text import nth

FIRST = (NO_ACTION, "locomotive", "engineer", "first-build", "first-move", "turn-order")
LAST = ("production", "urbanization")
"""Which free action a player gets whose time has ended (turn_prompts, section 3); a map's own stand between."""


class SelectActions(AgeOfSteamPhase):
    """In turn order everybody takes one action that is free (R19 to R22)."""

    name = "select_actions"
    act = say("{player} takes an action")
    moves = (TakeAction,)
    scratch = Waiting
    words = ACTION
    opens_turn = True

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        players = {seat: replace(player, action=None) for seat, player in state.players.items()}
        return Step(replace(state, players=players, scratch=Waiting(state.order)))

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        free = rules.actions_free(state, seat)
        return Forced(TakeAction(free), "A5") if len(free) == 1 else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        free = rules.actions_free(state, seat)
        match move:
            case TakeAction(actions) if not set(actions) & set(free):
                return refuse(
                    "R19", "{taken} cannot be taken; free are: {free}.", taken=_words(actions), free=_words(free)
                )
        return None

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        match move:
            case TakeAction(actions):
                free = rules.actions_free(state, seat)
                action = next(action for action in actions if action in free)
                state = state.with_player(seat, action=None if action == NO_ACTION else action)
                step = rules.on_action(state, seat, action)
                state = replace(step.state, scratch=step.state.scratch_as(Waiting).rest())
                engine = state.players[seat].engine if action == "locomotive" else 0
                return Step(state, (ActionTaken(seat, action, engine), *step.events))
        raise TypeError(move)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return [TakeAction((action,)) for action in rules.actions_free(state, seat)]

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        free = rules.actions_free(state, seat)
        own = [action for action in free if action not in (*FIRST, *LAST)]
        return TakeAction((next(action for action in (*FIRST, *own, *LAST) if action in free),))

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        free = rules.actions_free(state, seat)
        choices = []
        for action in free:
            price = rules.action_price(state, seat, action)
            title = say("{action}: ${price}", action=Word(action), price=price) if price else Word(action)
            effect = rules.action_effect(state, seat, action)
            choices.append(Choice(f"action {action}", say("{title}", title=title), effect))
        default = self.default(rules, state, seat)
        kept = default.actions[0] if isinstance(default, TakeAction) else free[0]
        lead = say("Free: {actions}.", actions=tuple(map(Word, free)))
        place = say("You choose {place} of {n}.", place=nth(state.order.index(seat) + 1), n=len(state.order))
        return Question(
            seat,
            "select_actions",
            say("Take an action"),
            (lead, place) if len(state.order) > 1 else (lead,),
            say("you take {action}", action=Word(kept)),
            "choices",
            tuple(choices),
            _lost_for_want_of_money(rules, state, seat),
            example=f"action {free[0]}",
        )

    @override
    def refuse_waiting(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if not isinstance(move, TakeAction) or {*move.actions} & {*rules.actions, NO_ACTION}:
            return None
        return refuse("R19", "On this map the actions are {actions}.", actions=_words(rules.actions))

    @override
    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        effects = {action: rules.action_effect(state, seat, action) for action in rules.actions}
        choices = (
            PlanChoice(action, say("{action}", action=Word(action)), () if effect is None else (effect,))
            for action, effect in effects.items()
        )
        return PlanPart(
            self.name,
            "rank",
            "action",
            say("Action, best first"),
            tuple(choices),
            note=say("The first one still free is taken."),
            template="action _ > _ > _",
            example=f"action {' > '.join(rules.actions[:2])}",
        )


def _lost_for_want_of_money(rules: Rules, state: State, seat: Seat) -> tuple[Say, ...]:
    """R37: unfinished sections that this player cannot add to in this turn, having no money."""
    cash = state.players[seat].cash
    if cash >= rules.cheapest_placement(state, seat, ()):
        return ()
    open_ended = rules.net(state).sections_of(seat)
    return tuple(
        say("${cash} pays for no tile: you lose {section} in this turn.", cash=cash, section=section_said(rules, chain))
        for chain in open_ended
    )


def _words(actions: Sequence[str]) -> tuple[Word, ...]:
    return tuple(Word(action) for action in actions)
