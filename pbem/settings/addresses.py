"""Mail addresses as settings and accounts keep them."""

from ipaddress import ip_address

from email_validator import SPECIAL_USE_DOMAIN_NAMES, validate_email

SPECIAL_USE_DOMAIN_NAMES.clear()  # a server on a private network may well serve .local, .test or localhost


def is_loopback(host: str) -> bool:
    """Whether only this machine is reached by the name."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


PRIVATE_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test", ".invalid")
"""How names end that only a private network knows."""


def is_public(host: str) -> bool:
    """Whether people outside of a private network may reach the name or the address."""
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(PRIVATE_NAMES)


def with_token(address: str, token: str) -> str:
    """One letter's own address: ``bounce+TOKEN@HOST``."""
    local, _, host = address.rpartition("@")
    return f"{local}+{token}@{host}"


def address_of(text: str) -> str:
    """A mail address as accounts keep it, all ASCII. Raises ``EmailNotValidError``.

    Letters beyond ASCII before the @ would need mail servers along the whole way that can do SMTPUTF8.
    """
    valid = validate_email(text, allow_smtputf8=False, check_deliverability=False, globally_deliverable=False)
    return (valid.ascii_email or valid.normalized).casefold()
