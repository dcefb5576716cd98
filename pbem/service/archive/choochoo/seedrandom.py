"""The random numbers of choochoo.games: those of the JavaScript library seedrandom, which are made with ARC4."""

SIZE = 256
SIGNIFICANT = 2**52
"""The least and, doubled, the bound of the numerators of a fraction: what a JavaScript number holds exactly."""


class SeedRandom:
    """A generator that begins with the text of a seed, as ``seedrandom(seed)`` does."""

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
