"""The page of a planning order: its fields, what they write, and the orders that wait already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import request

from pbem.engine.standing_orders import PlanPart, TurnPlan, phase_of
from pbem.engine.text import say
from pbem.views.games import StandingOrderView
from pbem.web.base.forms import ORDERS, BadForm, field

RANKS = 4
"""Choices of an order of preference that have a field; more can be typed."""
LONGEST_LIMIT = 4


@dataclass(frozen=True, slots=True)
class Fields:
    """A part of the plan as the form shows it. ``value``: what is chosen or typed; ``ranked``: choices by place."""

    part: PlanPart
    value: str = ""
    until: str = ""
    then: str = ""
    ranked: tuple[str, ...] = ("",) * RANKS

    @property
    def name(self) -> str:
        return phase_of(self.part.moment)


def fields(plan: TurnPlan, waiting: Sequence[StandingOrderView]) -> tuple[Fields, ...]:
    orders = [order.orders for order in waiting if order.turn]
    return tuple(_filled(part, orders) for part in plan.parts)


def _filled(part: PlanPart, orders: Sequence[str]) -> Fields:
    given = next((order.removeprefix(part.word).strip() for order in orders if _for_part(part, order)), "")
    match part.form:
        case "limit":
            return _limit(part, given.split())
        case "rank":
            named = tuple(name.strip() for name in given.split(">"))
            return Fields(part, ranked=(*named, *("",) * RANKS)[:RANKS])
    return Fields(part, value=given)


def _for_part(part: PlanPart, order: str) -> bool:
    return order.startswith(f"{part.word} ") if part.word else order in {choice.value for choice in part.choices}


def _limit(part: PlanPart, words: Sequence[str]) -> Fields:
    after = dict(zip(words[1::2], words[2::2], strict=False))
    value = words[0] if words else ""
    return Fields(part, value=value, until=after.get("until", ""), then=after.get("then", ""))


def text_of(shown: Sequence[Fields]) -> str:
    """What the fields say, as it would be typed."""
    return "\n".join(line for line in map(_line, shown) if line)


def _line(shown: Fields) -> str:
    part = shown.part
    match part.form:
        case "limit" if shown.value:
            then = f" then {shown.then}" if shown.then else ""
            until = f" until {shown.until}" if shown.until else ""
            return f"{part.word} {shown.value}{then}{until}"
        case "rank" if any(shown.ranked):
            return f"{part.word} {' > '.join(dict.fromkeys(name for name in shown.ranked if name))}"
        case "pick" if shown.value:
            return f"{part.word} {shown.value}".strip()
    return ""


def wished() -> str:
    """The orders a planning form sends: its fields, or the text where that was changed."""
    typed, shown = field("typed", longest=ORDERS, default=""), field("shown", longest=ORDERS, default="")
    if _plain(typed) != _plain(shown):
        return typed
    written = "\n".join(line for name in field("parts", default="").split() if (line := _sent(name)))
    if not written:
        raise BadForm(say("Nothing is planned: choose something, or type orders into the text field."))
    return written


def _sent(name: str) -> str:
    form = _chosen(f"{name}.form", {"pick": "", "limit": "", "rank": ""})
    word = field(f"{name}.word", default="")
    if form == "rank":
        named = [field(f"{name}.{place}", default="") for place in range(1, RANKS + 1)]
        ranked = " > ".join(dict.fromkeys(action for action in named if action))
        return f"{word} {ranked}" if ranked else ""
    value = field(f"{name}.value", default="").strip()
    if not value:
        return ""
    if form == "pick":
        return f"{word} {value}".strip()
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST_LIMIT):
        raise BadForm(say("The limit of the bid must be a number of dollars, not “{value}”.", value=value[:40]), value)
    then, until = field(f"{name}.then", default=""), field(f"{name}.until", default="")
    return f"{word} {value}{f' then {then}' if then else ''}{f' until {until}' if until else ''}"


def _chosen(name: str, known: Mapping[str, str]) -> str:
    value = field(name, default="")
    if value not in known:
        raise BadForm(say("The field “{name}” has a value that this page does not offer.", name=name))
    return value


def _plain(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def both_changed() -> bool:
    """Whether text and fields were changed in one form, so that the page has to say which of them counts."""
    typed, shown = request.form.get("typed", ""), request.form.get("shown", "")
    if _plain(typed) == _plain(shown):
        return False
    written = "\n".join(line for name in request.form.get("parts", "").split() if (line := _sent(name)))
    return bool(written) and _plain(written) not in (_plain(shown), _plain(typed))
