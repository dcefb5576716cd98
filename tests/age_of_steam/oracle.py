"""What may be built on a hex, worked out once more from the rules alone: to hold the lists of the game against.

Sections 7.2 to 7.8 over a position as others see it; slow and plain, and nothing in it comes from the game.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pbem.rails.board import Board
from tests.tracing import BACK, BOX, Piece, Run, Tracing, complex_tile, curve, supply_fault

Track = dict[Piece, str | None]
TERRAIN = {"plain": 2, "river": 3, "mountain": 4}


@dataclass(frozen=True)
class Offer:
    """A legal placement: the track on the whole board afterwards, its price in dollars."""

    track: frozenset[tuple[Piece, str | None]]
    price: int


class Oracle:
    """Judges placements of one seat in one position of a map without rules of its own."""

    def __init__(self, board: Board, position: Mapping[str, Any], seat: str) -> None:
        self.board, self.position, self.seat = board, position, seat
        self.now = Tracing(board, position)
        self.sides = tuple(self.now.steps)
        self.runs = self.now.runs()
        self.run_of = {piece: run for run in self.runs for piece in run.pieces}

    def offers(self, hex_: str) -> Iterator[Offer]:
        """All legal placements on a hex, whatever the cash."""
        if hex_ in self.now.city or self.board.hexes[hex_].terrain in ("water", "impassable"):
            return
        pictures = self._towns(hex_) if hex_ in self.board.towns else self._pictures()
        for picture in pictures:
            offer = self._judge(hex_, picture)
            if offer is not None:
                yield offer

    def _pictures(self) -> Iterator[frozenset[frozenset[str]]]:
        pairs = [frozenset(pair) for pair in combinations(self.sides, 2)]
        yield from (frozenset({pair}) for pair in pairs)
        yield from (frozenset(two) for two in combinations(pairs, 2) if not two[0] & two[1])

    def _towns(self, hex_: str) -> Iterator[frozenset[frozenset[str]]]:
        for count in range(1, 5):
            for exits in combinations(self.sides, count):
                picture = frozenset(frozenset({"@", side}) for side in exits)
                if all(ends in picture for ends in self._old(hex_)):
                    yield picture

    def _old(self, hex_: str) -> dict[frozenset[str], str | None]:
        return {ends: owner for (label, ends), owner in self.now.owner.items() if label == hex_}

    def _judge(self, hex_: str, picture: frozenset[frozenset[str]]) -> Offer | None:
        old = self._old(hex_)
        kept = {ends for ends in old if ends in picture}
        turned: dict[frozenset[str], frozenset[str]] = {}
        for ends in set(old) - kept:
            into = self._turned(hex_, ends, picture - kept)
            if into is None or into in turned.values():
                return None
            turned[ends] = into
        added = picture - kept - set(turned.values())
        if not (added or turned) or not self._ends_legal(hex_, added, turned) or not self._held(hex_, added, turned):
            return None
        after = self._after(hex_, old, kept, turned, added)
        return None if after is None else Offer(frozenset(after.items()), self._price(hex_, old, picture, added))

    def _turned(self, hex_: str, ends: frozenset[str], new: Iterable[frozenset[str]]) -> frozenset[str] | None:
        """R27, R28, R28a: what a segment that does not stay becomes."""
        run = self.run_of[hex_, ends]
        if "@" in ends or run.owner not in (None, self.seat) or run.link:
            return None
        if run.open:
            free = [side for side in ends if (hex_, side) in run.open]
        else:  # R45: both ends lie at the same New City
            free = [side for side in ends if self.now.beyond(hex_, side) in self.now.city]
        if not free:
            return None
        (anchored,) = ends - {free[0]}
        return next((segment for segment in new if anchored in segment), None)

    def _ends_legal(
        self, hex_: str, added: Iterable[frozenset[str]], turned: Mapping[frozenset[str], frozenset[str]]
    ) -> bool:
        """7.2 and 7.5."""
        sides = {side for ends in added for side in ends}
        sides |= {side for old, new in turned.items() for side in new - old}
        for side in sides - {"@"}:
            beyond = self.now.beyond(hex_, side)
            if beyond is None or self.board.hexes[beyond].terrain in ("water", "impassable"):
                return False
            met = self._met(hex_, side)
            if met is not None and self.now.owner[met] not in (None, self.seat):
                return False
        return True

    def _met(self, hex_: str, side: str) -> Piece | None:
        """The segment that touches a side from beyond."""
        beyond = self.now.beyond(hex_, side)
        if beyond in self.now.city:
            return None
        return next((piece for piece in self.now.owner if piece[0] == beyond and BACK[side] in piece[1]), None)

    def _held(
        self, hex_: str, added: Iterable[frozenset[str]], turned: Mapping[frozenset[str], frozenset[str]]
    ) -> bool:
        """7.4."""
        if hex_ in self.board.towns:
            return self._present(hex_) or any(self._holds(hex_, side) for ends in added for side in ends)
        if not all(any(self._holds(hex_, side) for side in ends) for ends in added):
            return False
        for old, new in turned.items():
            run = self.run_of[hex_, old]
            (free,) = new - old
            if run.owner is None and not self._claimable(run) and not self._holds(hex_, free):
                return False
        return True

    def _holds(self, hex_: str, side: str) -> bool:
        if side == "@":
            return False
        if self.now.beyond(hex_, side) in self.now.city:
            return True
        met = self._met(hex_, side)
        if met is None:
            return False
        owner = self.now.owner[met]
        return owner == self.seat or (owner is None and self._claimable(self.run_of[met]))

    def _claimable(self, run: Run) -> bool:
        return not run.link and (run.nodes[0] in self.now.city.values() or self._present(run.nodes[0]))

    def _present(self, town: str) -> bool:
        return self.seat in self._old(town).values()

    def _after(
        self,
        hex_: str,
        old: Mapping[frozenset[str], str | None],
        kept: Iterable[frozenset[str]],
        turned: Mapping[frozenset[str], frozenset[str]],
        added: Iterable[frozenset[str]],
    ) -> Track | None:
        """7.6, 7.8 and the supply: the track of the board with its owners."""
        after = Tracing(self.board, self.position)
        elsewhere = {piece: owner for piece, owner in self.now.owner.items() if piece[0] != hex_}
        stays = {(hex_, ends): old[ends] for ends in kept}
        stays |= {(hex_, into): old[ends] for ends, into in turned.items()}
        after.lay({**elsewhere, **stays, **{(hex_, ends): self.seat for ends in added}})
        for run in after.runs():
            here = {ends for label, ends in run.pieces if label == hex_}
            if not here & (set(added) | set(turned.values())):
                continue
            if len(run.nodes) == 2 and not run.link:
                return None
            if here & set(added) or run.link:
                after.owner |= dict.fromkeys(run.pieces, self.seat)
        own = sum(1 for run in after.runs() if run.owner == self.seat)
        return None if supply_fault(after.tiles(), BOX, 8) or own > 20 else after.owner

    def _price(
        self,
        hex_: str,
        old: Mapping[frozenset[str], str | None],
        picture: frozenset[frozenset[str]],
        added: Iterable[frozenset[str]],
    ) -> int:
        """7.7."""
        if hex_ in self.board.towns:
            return 3 if old else 1 + len(picture)
        kind = self._kind(picture)
        if old:
            return 3 if kind == "cross" and len(old) == 1 else 2
        return TERRAIN[self.board.hexes[hex_].terrain] + {"simple": 0, "coexist": 1, "cross": 2}[kind]

    def _kind(self, picture: frozenset[frozenset[str]]) -> str:
        edges = [edge for ends in picture for edge in sorted(map(self.sides.index, ends))]
        if len(edges) == 2:
            return "simple" if curve(*edges) else ""
        name = complex_tile(*edges)
        return name.partition("_")[0] if name else ""
