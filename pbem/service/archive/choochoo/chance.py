"""The dice and draws of a game of choochoo.games, from the seeds that stand with its actions."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.engine.chance import ChanceMismatch

SIZE = 256
SIGNIFICANT = 2**52
"""The least and, doubled, the bound of the numerators of a fraction: what a JavaScript number holds exactly."""


class SeedRandom:
    """A generator that begins with the text of a seed, as ``seedrandom(seed)`` does in JavaScript (ARC4)."""

    def __init__(self, seed: str) -> None:
        key = [ord(letter) % SIZE for letter in seed[:SIZE]] or [0]
        self._box, at = list(range(SIZE)), 0
        for i in range(SIZE):
            at = (at + key[i % len(key)] + self._box[i]) % SIZE
            self._box[i], self._box[at] = self._box[at], self._box[i]
        self._i = self._j = 0
        for _ in range(SIZE):
            self._byte()

    def below(self, count: int) -> int:
        """A number from 0 on that is less than ``count``."""
        return int(self._fraction() * count)

    def _byte(self) -> int:
        box = self._box
        self._i = (self._i + 1) % SIZE
        self._j = (self._j + box[self._i]) % SIZE
        box[self._i], box[self._j] = box[self._j], box[self._i]
        return box[(box[self._i] + box[self._j]) % SIZE]

    def _fraction(self) -> float:
        numerator, denominator, rest = 0, SIZE**6, 0
        for _ in range(6):
            numerator = numerator * SIZE + self._byte()
        while numerator < SIGNIFICANT:
            numerator, denominator, rest = (numerator + rest) * SIZE, denominator * SIZE, self._byte()
        while numerator >= 2 * SIGNIFICANT:
            numerator, denominator, rest = numerator >> 1, denominator >> 1, rest >> 1
        return (numerator + rest) / denominator


class SeededActions:
    """Chance as rules ask for it. The bag there is a list: what comes back lies at its end.

    ``numbers``: gives the generator of the action that is played, or ``None`` where it has no seed.
    """

    def __init__(self, bag: Iterable[str], numbers: Callable[[], SeedRandom | None]) -> None:
        self._bag = list(bag)
        self._numbers = numbers

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        numbers = self._seeded(purpose)
        return tuple(numbers.below(6) + 1 for _ in range(count))

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        numbers = self._seeded(purpose)
        self.follow(bag)
        return tuple(self._bag.pop(numbers.below(len(self._bag))) for _ in range(min(count, len(self._bag))))

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        raise ChanceMismatch(f"it is not known how an order for {purpose} is drawn there")

    def asks_first(self, seat: str) -> bool:
        return False

    def follow(self, bag: Mapping[str, int]) -> None:
        """Take out and put back what the rules have taken out and put back: the first of a colour, to the end."""
        lying = Counter(self._bag)
        for name in {**bag, **lying}:
            for _ in range(lying[name] - bag.get(name, 0)):
                self._bag.remove(name)
            self._bag += [name] * (bag.get(name, 0) - lying[name])

    def _seeded(self, purpose: str) -> SeedRandom:
        if (numbers := self._numbers()) is None:
            raise ChanceMismatch(f"the file has no seed for {purpose}")
        return numbers
