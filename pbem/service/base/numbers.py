"""Numbers that come from outside and name something: a row, a position, a seat.

Every database can look for these, and nothing has a number beyond them: links, addresses and forms with another one
lead nowhere.
"""

NUMBERS = range(2**31)
"""From nought, so that positions and seats are among them; rows count from 1."""


def is_number(value: object) -> bool:
    """Whether a value is such a number, and no truth value, which Python counts as one."""
    return isinstance(value, int) and not isinstance(value, bool) and value in NUMBERS
