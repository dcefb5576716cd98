"""Addresses we send requests to, and those we never do."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.transport.webhooks.allowed import BadAddress, Target, is_public, target, vetted

MANY = settings(max_examples=400)
OURS = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
    "::/128", "::1/128", "::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32",
    "2001:10::/28", "2001:20::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10",
    "fec0::/10", "ff00::/8",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700::6810:84e5", "2a00:1450:4001:81b::200e"]


def inside(network: str) -> st.SearchStrategy[str]:
    net = ip_network(network)
    kind = IPv4Address if net.version == 4 else IPv6Address
    return st.integers(int(net.network_address), int(net.broadcast_address)).map(lambda n: str(kind(n)))


@MANY
@given(st.one_of([inside(network) for network in OURS]))
def test_no_address_inside_a_network_of_its_own_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("network", OURS)
def test_the_ends_of_such_networks_belong_to_them(network: str) -> None:
    net = ip_network(network)
    assert not is_public(str(net.network_address))
    assert not is_public(str(net.broadcast_address))


@MANY
@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_counts_as_public_is_public_by_the_registries(address: IPv4Address | IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_private
        assert not address.is_multicast


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_public_servers_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "text", ["", "fe80::1%eth0", "2606:4700::1%eth0", "08.8.8.8", "8.8.8.8:80", "localhost", "0x7f.1"]
)
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not is_public(text)


def answers(*addresses: str) -> Sequence[str]:
    return addresses


@MANY
@given(st.one_of([inside(network) for network in OURS]), st.sampled_from(PUBLIC), st.booleans())
def test_one_address_of_ours_among_public_ones_is_enough_to_send_nothing(bad: str, good: str, first: bool) -> None:
    with pytest.raises(BadAddress, match="does not have a public address") as caught:
        vetted(Target("hooks.example.org", 443, "/"), lambda *_: [bad, good] if first else [good, bad])
    assert not caught.value.for_good


def test_a_name_without_any_address_and_a_name_that_is_not_known_are_refused() -> None:
    def unknown(_host: str, _port: int) -> Sequence[str]:
        raise OSError("not known")

    for ask in (lambda *_: (), unknown):
        with pytest.raises(BadAddress):
            vetted(Target("hooks.example.org", 443, "/"), ask)


def test_the_address_that_was_looked_at_is_the_one_to_connect_to() -> None:
    assert vetted(Target("hooks.example.org", 443, "/"), lambda *_: PUBLIC) == PUBLIC[0]


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://discord.com/api/webhooks/1/a-b_c", Target("discord.com", 443, "/api/webhooks/1/a-b_c")),
        ("https://Hooks.Slack.com:443/services/T/B/x", Target("hooks.slack.com", 443, "/services/T/B/x")),
        ("https://example.org", Target("example.org", 443, "/")),
        ("https://example.org?a=1&b=%20#part", Target("example.org", 443, "/?a=1&b=%20")),
        ("HTTPS://xn--bcher-kva.example/x", Target("xn--bcher-kva.example", 443, "/x")),
    ],
)
def test_an_ordinary_address_is_read(url: str, read: Target) -> None:
    assert target(url) == read


HOSTS = [
    "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0",
    "[::1]", "[::ffff:127.0.0.1]", "[fe80::1%25eth0]", "169.254.169.254", "10.0.0.1", "example.org.", "example..org",
    ".org", "-a.example", "a-.example", "exa_mple.org", "example.123", "a" * 64 + ".org", "bücher.example",
    "exam%70le.org", "１２７.0.0.1", "example。org", "ⓔxample.org", "8.8.8.8", "metadata", "a.b.1c", "",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("frame", ["https://{}/x", "https://{}:443/", "https://user@{}/", "https://discord.com@{}/"])
def test_hosts_that_are_no_names_on_the_internet_are_refused(host: str, frame: str) -> None:
    with pytest.raises(BadAddress):
        target(frame.format(host))


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org/webhook", "//example.org/", "http://example.org/", "ftp://example.org/", "file:///etc/passwd",
        "gopher://example.org:443/", "javascript:alert(1)", "https:example.org", "https:///x", "https://",
        "https://example.org:80/", "https://example.org:8443/", "https://example.org:22/", "https://example.org:0/",
        "https://example.org:99999/", "https://example.org:x/", "https://example.org:-443/",
        "https://me:secret@example.org/", "https://@example.org/", "https://example.org\\@127.0.0.1/",
        "https://example.org/a b", "https://example.org/\r\nHost: x", "https://example.org/\tx", "https://example.org/\0",
        "https://example.org/é", "https://[::1/", "https://[]/", " https://example.org/", "https://example.org/\x7f",
        "https://example.org/" + "x" * 500, "http://127.0.0.1/", "http://localhost:8000/",
    ],
)  # fmt: skip
def test_what_is_no_plain_https_address_is_refused(url: str) -> None:
    with pytest.raises(BadAddress) as caught:
        target(url)
    assert str(caught.value).endswith(".")


PIECES = st.sampled_from(
    ["https://", "http://", "://", "@", "#", "?", "/", "\\", ":", "443", "80", "[", "]", "::1", "127.0.0.1",
     "localhost", "example.org", ".", "%00", "%2f", "\r\n", "\0", " ", "０", "é", "xn--", "..", "user:pw@"]
)  # fmt: skip


@settings(max_examples=1500)
@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=9).map("".join)))
def test_whatever_is_read_names_a_host_with_a_letter_in_its_last_part_and_port_443(text: str) -> None:
    for url in (text, "https://" + text):
        try:
            found = target(url)
        except BadAddress:
            continue
        assert (found.port, found.plain) == (443, False)
        assert found.host.isascii()
        assert found.host == found.host.lower()
        assert found.host.rpartition(".")[2][:1].isalpha()
        assert found.path.startswith("/")
        assert found.path.isprintable()
        assert not set(" \r\n\\") & set(found.path)
        with pytest.raises(ValueError, match="does not appear"):
            ip_address(found.host)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8123/x", "http://localhost:8123/x", "http://[::1]:8123/x"])
def test_http_to_this_machine_is_for_tests_alone(url: str) -> None:
    with pytest.raises(BadAddress):
        target(url)
    allowed = target(url, loopback=True)
    assert (allowed.port, allowed.path, allowed.plain) == (8123, "/x", True)
    assert vetted(allowed, lambda *_: ["127.0.0.1"]) == "127.0.0.1"
    with pytest.raises(BadAddress):
        vetted(allowed, lambda *_: ["10.0.0.1"])


@pytest.mark.parametrize(
    "url", ["http://example.org/", "http://10.0.0.1/", "http://127.0.0.2.example.org/", "https://127.0.0.1/"]
)
def test_the_setting_for_tests_allows_nothing_else(url: str) -> None:
    with pytest.raises(BadAddress):
        target(url, loopback=True)
