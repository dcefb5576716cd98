"""What the DNS says about the mail of a server: SPF, DMARC, DKIM keys, reverse name, MX; and what to write there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import dns.exception
import dns.resolver
import dns.reversename

from pbem.service.operator.health import Finding

Ip = IPv4Address | IPv6Address
SECONDS = 5.0
MOST_LOOKUPS = 10
"""Mechanisms of SPF that ask the DNS, at most: with more a receiver ignores the record (RFC 7208)."""
COVERED = ("from", "subject", "list-unsubscribe")
"""Headers that a signature should cover."""


@dataclass
class Dns:
    """Answers of the DNS, an empty list for none. Raises ``dns.exception.DNSException`` when nobody answers."""

    resolver: dns.resolver.Resolver = field(default_factory=dns.resolver.Resolver)

    def _ask(self, name: str, kind: str) -> list[str]:
        try:
            return [rdata.to_text() for rdata in self.resolver.resolve(name, kind, lifetime=SECONDS)]
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []

    def txt(self, name: str) -> list[str]:
        """Texts, their parts joined."""
        return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)) for text in self._ask(name, "TXT")]

    def addresses(self, name: str) -> list[Ip]:
        return [ip_address(text) for kind in ("A", "AAAA") for text in self._ask(name, kind)]

    def mx(self, name: str) -> list[str]:
        """Mail servers of a domain, the first one first; ``""`` stands for: takes no mail (RFC 7505)."""
        found = sorted((int(text.split()[0]), text.split()[1].rstrip(".")) for text in self._ask(name, "MX"))
        return [host for _, host in found]

    def names(self, ip: Ip) -> list[str]:
        return [text.rstrip(".") for text in self._ask(dns.reversename.from_address(str(ip)).to_text(), "PTR")]


def spf(known: Dns, domain: str, senders: Sequence[Ip]) -> Finding:
    """Whether the domain names the mail server as one that may send for it."""
    records = _spf_records(known, domain)
    first = next(iter(senders), None)
    example = f'{domain}. TXT "v=spf1 ip{first.version if first else 4}:{first or "ADDRESS"} -all"'
    if not records:
        return Finding("SPF", False, f"{domain} has no SPF record", f"Write into the DNS: {example}")
    if len(records) > 1:
        return Finding(
            "SPF", False, f"{domain} has {len(records)} SPF records, so none counts",
            f"Write into the DNS one record for {domain} that begins with v=spf1, and remove the others.",
        )  # fmt: skip
    judge = _Spf(known)
    wrong = [ip for ip in senders if not judge.passes(domain, ip)]
    if judge.lookups > MOST_LOOKUPS:
        return Finding(
            "SPF", False, f"the record of {domain} needs more than {MOST_LOOKUPS} look-ups, so it does not count",
            "Remove “include:” of services that you no longer use, or write ip4: instead.",
        )  # fmt: skip
    if re.search(r"\s\+?all\b", records[0]):
        return Finding(
            "SPF", False, f"{domain} allows every machine to send for it",
            f"Write -all instead of +all at the end of the record of {domain}.",
        )  # fmt: skip
    if wrong:
        return Finding(
            "SPF", False, f"{domain} does not allow {wrong[0]} to send for it: {records[0]}",
            f"Put ip{wrong[0].version}:{wrong[0]} before “all”, or the “include:” of the provider that sends for you.",
        )  # fmt: skip
    return Finding("SPF", True, f"{domain} allows {', '.join(map(str, senders)) or 'what its record names'}")


def _spf_records(known: Dns, domain: str) -> list[str]:
    return [text for text in known.txt(domain) if re.match(r"v=spf1(\s|$)", text, re.IGNORECASE)]


@dataclass
class _Spf:
    """RFC 7208, without macros and ``ptr``."""

    known: Dns
    lookups: int = 0

    def passes(self, domain: str, ip: Ip) -> bool:
        self.lookups = 0
        return self._result(domain, ip) == "+"

    def _result(self, domain: str, ip: Ip) -> str:
        """The sign of the first mechanism that fits; empty where none does."""
        records = _spf_records(self.known, domain)
        terms = records[0].lower().split()[1:] if len(records) == 1 else []
        for term in terms:
            sign, mechanism = (term[0], term[1:]) if term[0] in "+-~?" else ("+", term)
            if self.lookups <= MOST_LOOKUPS and self._fits(mechanism, domain, ip):
                return sign
        onward = next((term.partition("=")[2] for term in terms if term.startswith("redirect=")), "")
        if onward:
            self.lookups += 1
            return self._result(onward, ip) if self.lookups <= MOST_LOOKUPS else ""
        return ""

    def _fits(self, mechanism: str, domain: str, ip: Ip) -> bool:
        name, _, value = mechanism.partition(":")
        name, _, size = name.partition("/")
        if name == "all":
            return True
        if name in ("ip4", "ip6"):
            return _within(ip, value)
        if name not in ("a", "mx", "include"):
            return False
        self.lookups += 1
        target, _, behind = value.partition("/")
        target, size = target or domain, size or behind
        if name == "include":
            return self._result(target, ip) == "+"
        hosts = self.known.mx(target) if name == "mx" else [target]
        return any(_within(ip, f"{own}/{size}" if size else str(own)) for host in hosts for own in self._of(host))

    def _of(self, host: str) -> list[Ip]:
        return self.known.addresses(host) if host else []


def _within(ip: Ip, network: str) -> bool:
    try:
        return ip in ip_network(network, strict=False)
    except ValueError:
        return False


def dmarc(known: Dns, domain: str) -> Finding:
    """What receivers are to do with what is not from us, on the domain or one above it."""
    example = f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}"'
    labels = domain.split(".")
    for above in (".".join(labels[number:]) for number in range(len(labels) - 1)):
        records = [text for text in known.txt(f"_dmarc.{above}") if text.upper().startswith("V=DMARC1")]
        if len(records) > 1:
            return Finding("DMARC", False, f"_dmarc.{above} has {len(records)} records", "Remove all but one of them.")
        if records and not re.search(r";\s*p\s*=\s*(none|quarantine|reject)\b", records[0], re.IGNORECASE):
            return Finding(
                "DMARC", False, f"the record of _dmarc.{above} has no policy", f"Write into the DNS: {example}"
            )
        if records:
            return Finding("DMARC", True, f"_dmarc.{above}: {records[0]}")
    return Finding("DMARC", False, f"{domain} has no DMARC record", f"Write into the DNS: {example}")


def mx(known: Dns, domain: str, what: str) -> Finding:
    """Whether a domain of ours takes mail: what bounces, replies of players."""
    hosts = known.mx(domain)
    if hosts == [""]:
        return Finding("MX", False, f"{domain} says that it takes no mail, but {what} go there",
                       f"Write into the DNS: {domain}. MX 10 NAME-OF-YOUR-MAIL-SERVER.")  # fmt: skip
    if not hosts:
        return Finding("MX", False, f"{domain} has no MX record, but {what} go there",
                       f"Write into the DNS: {domain}. MX 10 NAME-OF-YOUR-MAIL-SERVER.")  # fmt: skip
    if without := [host for host in hosts if not known.addresses(host)]:
        return Finding("MX", False, f"{without[0]}, the mail server of {domain}, has no address",
                       f"Write into the DNS: {without[0]}. A ITS-ADDRESS, or correct the MX record.")  # fmt: skip
    return Finding("MX", True, f"mail for {domain} goes to {', '.join(hosts)}")


def reverse(known: Dns, senders: Sequence[Ip]) -> Iterator[Finding]:
    """Whether the addresses of the mail server have a name that leads back to them."""
    for ip in senders:
        names = known.names(ip)
        if not names:
            yield Finding(
                "reverse name", False, f"{ip} has none, and large providers take no mail from such addresses",
                "Let your hoster set it to the name of the mail server (mostly in its control panel).",
            )  # fmt: skip
        elif not any(ip in known.addresses(name) for name in names):
            yield Finding(
                "reverse name", False, f"{ip} is called {names[0]}, which does not lead back to it",
                f"Write into the DNS: {names[0]}. {'A' if ip.version == 4 else 'AAAA'} {ip}",
            )  # fmt: skip
        else:
            yield Finding("reverse name", True, f"{ip} is {names[0]}")


def dkim(known: Dns, header: Message, domain: str) -> Finding:
    """The signature of an email of ours as it was received: whose it is, what it covers, whether its key is there.

    The mail server signs, not pbem; whether the signature fits is judged by whoever receives it.
    """
    sign = f"Let your mail server sign (OpenDKIM, rspamd, your provider's setting) with d={domain}."
    signatures = [_tags(str(value)) for value in header.get_all("DKIM-Signature", [])]
    if not signatures:
        return Finding("DKIM", False, "the email was received without a signature", sign)
    own = [tags for tags in signatures if _aligned(tags.get("d", ""), domain)]
    if not own:
        return Finding("DKIM", False, f"it is signed by {signatures[0].get('d')}, not by {domain}", sign)
    tags = own[0]
    place = f"{tags.get('s', '')}._domainkey.{tags.get('d', '')}"
    keys = [_tags(text) for text in known.txt(place) if "p=" in text]
    write = f'Write into the DNS: {place}. TXT "v=DKIM1; k=rsa; p=…" with the public key of your mail server.'
    if not keys:
        return Finding("DKIM", False, f"the key of the signature is missing: there is no record {place}", write)
    if not keys[0]["p"]:
        return Finding("DKIM", False, f"the key in {place} is withdrawn (empty p=)", write)
    covered = {name.strip().lower() for name in tags.get("h", "").split(":")}
    if missing := [name for name in COVERED if name not in covered]:
        return Finding(
            "DKIM", False, f"the signature does not cover {', '.join(missing)}",
            "Add these headers, and List-Unsubscribe-Post, to those that your mail server signs.",
        )  # fmt: skip
    return Finding("DKIM", True, f"signed by {tags['d']} with the key {place}")


def _tags(text: str) -> dict[str, str]:
    """``a=b; c=d``, without white space in values."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): re.sub(r"\s+", "", value) for name, _, value in pairs if name.strip()}


def _aligned(signer: str, domain: str) -> bool:
    """Whether a signature of ``signer`` counts for DMARC as one of the domain: the same, or one above it."""
    signer, domain = signer.lower(), domain.lower()
    return bool(signer) and "." in signer and (domain == signer or domain.endswith(f".{signer}"))
