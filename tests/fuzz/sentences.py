"""What a refusal must be for somebody to act on it, and how often properties are looked at."""

from hypothesis import HealthCheck, settings

LONGEST = 2_000


def check_said(text: str) -> None:
    """Fail unless this is a sentence."""
    assert is_said(text), text


def check_begins(text: str, *with_one_of: str) -> None:
    """Fail unless the text begins with one of these and goes on."""
    assert text.startswith(with_one_of), text
    assert text not in with_one_of


def is_said(text: str) -> bool:
    """Whether this is one printable line of words that ends like a sentence and is no word of a programmer."""
    whole = len(text.split()) >= 3 and text.rstrip("”)")[-1:] in (".", "?", "!")
    clean = text.isprintable() and len(text) <= LONGEST and "Traceback" not in text and " object at 0x" not in text
    text.encode()
    return whole and clean


LONGER = 40
"""How much more ``make fuzz`` looks."""


def examples(quick: int) -> settings:
    """So many examples, forty times as many in the profile ``fuzz``."""
    many = settings.get_current_profile_name() == "fuzz"
    return settings(
        max_examples=quick * (LONGER if many else 1),
        deadline=None,
        derandomize=not many,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
