"""Student's distribution: how far from 0 the mean of a few values may lie by chance."""

from math import atan, cos, pi, sin, sqrt

HALVINGS = 60
HIGHEST = 1e6
"""No value that is asked for lies above it."""


def within(t: float, degrees: int) -> float:
    """How probable it is that a value lies between −t and t; a finite sum for whole degrees of freedom."""
    angle = atan(t / sqrt(degrees))
    odd = degrees % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for number in range(1 + odd, degrees, 2):
        total += term
        term *= cos(angle) ** 2 * number / (number + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def quantile(probability: float, degrees: int) -> float:
    """The value below which one lies with a probability above a half."""
    low, high = 0.0, HIGHEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + within(middle, degrees)) / 2 < probability else (low, middle)
    return (low + high) / 2
