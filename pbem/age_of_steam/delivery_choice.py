"""A delivery among the answers to a question of moving goods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain

from typing_extensions import override

from pbem.age_of_steam.deliveries import Orders
from pbem.age_of_steam.moves import Deliver
from pbem.age_of_steam.proposals import Delivery
from pbem.engine.moves import Seat
from pbem.engine.text import Place, Say, Who, Word, say, to_reader
from pbem.rails.routes import RouteChoice


class DeliveryChoice(RouteChoice):
    """A delivery among the choices. Of thousands few are shown: what it says is put together when it is looked at."""

    def __init__(self, delivery: Delivery, written: Orders, danger: Say | None = None) -> None:
        """``danger``: what the player should know before choosing it."""
        self.__dict__.update(_delivery=delivery, _written=written, _danger=danger)

    _delivery: Delivery
    _written: Orders
    _danger: Say | None

    @property
    @override
    def keyword(self) -> str:
        return Deliver.keyword

    @cached_property
    @override
    def order(self) -> str:
        return str(self._written.of(self._delivery))

    @cached_property
    @override
    def gains(self) -> Mapping[Seat, int]:
        return dict(self._delivery.gains)

    @cached_property
    @override
    def cube(self) -> str:
        return self._delivery.colour

    @cached_property
    @override
    def route(self) -> tuple[str, ...]:
        return self._delivery.start, *self._delivery.nodes

    @cached_property
    @override
    def pieces(self) -> tuple[tuple[str, int, int], ...]:
        ways_in = zip(self._delivery.links, self._delivery.nodes, strict=True)
        return tuple(chain.from_iterable(link.into(node) for link, node in ways_in))

    @cached_property
    @override
    def title(self) -> Say:
        start, goal = self.route[0], self.route[-1]
        return say("{colour} from {start} to {goal}", colour=Word(self.cube), start=Place(start), goal=Place(goal))

    @cached_property
    @override
    def effect(self) -> Say:
        delivery = self._delivery
        gains = tuple(say("{player} +{n}", player=Who(seat), n=n) for seat, n in delivery.gains)
        via = tuple(Place(node) for node in delivery.nodes[:-1])
        paid = say("{gains}", gains=gains) if gains else say("nobody earns")
        effect = say("Over {nodes}: {gains}.", nodes=via, gains=paid) if via else say("Directly: {gains}.", gains=paid)
        if delivery.bonus is not None:
            effect = say("{effect} The bonus goes to {player}.", effect=effect, player=Who(delivery.bonus))
        if delivery.remove is not None:
            effect = say("{effect} A {colour} cube leaves the zone.", effect=effect, colour=Word(delivery.remove))
        return warned(effect, self._danger)


def warned(effect: Say, danger: Say | None) -> Say:
    """What a choice leads to, with what is to be feared of it."""
    return effect if danger is None else say("{effect} {danger}", effect=effect, danger=danger)


to_reader("{effect} The bonus goes to {player}.", player="{effect} The bonus goes to you.")
