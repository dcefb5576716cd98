"""How often properties are looked at: a little in every run, a lot with ``--hypothesis-profile fuzz``."""

from hypothesis import HealthCheck, settings

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
