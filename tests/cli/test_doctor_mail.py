"""``pbem doctor --mail`` with a DNS and a mail server of our own: what is wrong with our mail is named."""

import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path

import dns.message
import dns.resolver
import dns.rrset
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from typing_extensions import override

from pbem.cli import _mail_dns, _mail_test, doctor, main
from pbem.cli._mail_dns import Dns
from pbem.service import open_office
from pbem.settings.settings import Settings
from tests.databases import put_tables
from tests.mailserver import MailServer
from tests.workers.test_secure_sending import Listener, certificate
from workers.mailroom import Mailroom

__all__ = ["certificate"]
SIGNED = (
    b"DKIM-Signature: v=1; a=rsa-sha256; d=play.test; s=s1;\r\n h=From:To:Subject:List-Unsubscribe; b=abc\r\n def=\r\n"
)
ZONE = {
    ("play.test.", "TXT"): ['"v=spf1 ip4:203.0.113.7 " "-all"'],
    ("play.test.", "MX"): ["10 mail.play.test."],
    ("mail.play.test.", "A"): ["203.0.113.7"],
    ("_dmarc.play.test.", "TXT"): ['"v=DMARC1; p=quarantine"'],
    ("s1._domainkey.play.test.", "TXT"): ['"v=DKIM1; k=rsa; p=MIIB"'],
    ("7.113.0.203.in-addr.arpa.", "PTR"): ["mail.play.test."],
}
"""How it should be."""


class Answers(socketserver.BaseRequestHandler):
    """Answers one question about the zone of its server."""

    @override
    def handle(self) -> None:
        wire, sock = self.request
        asked = dns.message.from_wire(wire)
        question = asked.question[0]
        answer = dns.message.make_response(asked)
        texts = self.server.zone.get((question.name.to_text().lower(), dns.rdatatype.to_text(question.rdtype)))  # type: ignore[attr-defined]
        if texts:
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", question.rdtype, *texts))
        sock.sendto(answer.to_wire(), self.client_address)


@dataclass
class World:
    """The DNS and the mail server around a server of ours; tests spoil it before they ask the doctor."""

    folder: Path
    zone: dict[tuple[str, str], list[str]]
    environ: dict[str, str]
    signed: bytes = SIGNED
    replies: bool = True
    arrives: bool = True
    received: list[EmailMessage] = field(default_factory=list)


class Post:
    """Delivers: to us what is ours, signed on the way; and who gets the test email replies at once."""

    def __init__(self, world: World, room: Mailroom) -> None:
        self.world, self.room = world, room

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        (to,) = envelope.rcpt_tos
        if self.room.is_ours(to):
            if self.world.arrives:
                self.room.deal(to, self.world.signed + content, from_nobody=False)
            return "250 taken"
        mail = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
        self.world.received.append(mail)
        if self.world.replies and mail["Reply-To"]:
            self.room.deal(
                parseaddr(str(mail["Reply-To"]))[1], b"Subject: Re: test\r\n\r\nHere.\r\n", from_nobody=False
            )
        return "250 taken"


class Named(MailServer):
    """Calls itself by a name of the zone."""

    @override
    def factory(self) -> SMTP:
        return SMTP(self.handler, hostname="mail.play.test")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    environ = {
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_MAIL_FROM": "pbem <games@play.test>",
        "PBEM_ORDERS_ADDRESS": "orders@play.test",
        "PBEM_MAILIN_PORT": "8025",
    }
    made = World(tmp_path, dict(ZONE), environ)
    settings = Settings.read(environ)
    put_tables(tmp_path)
    office = open_office(settings)
    with closing(Mailroom(office)) as room, socketserver.ThreadingUDPServer(("127.0.0.1", 0), Answers) as server:
        server.zone = made.zone  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        post = Named(Post(made, room))
        post.start()
        environ["PBEM_SMTP_URL"] = post.url
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.server_address[1]
        monkeypatch.setattr(doctor, "Dns", lambda: Dns(resolver))
        monkeypatch.setattr(_mail_test, "LOOK_EVERY", 0.01)
        yield made
        post.stop()
        server.shutdown()
    office.database.close()


Ask = Callable[..., tuple[int, dict[str, str]]]


@pytest.fixture
def ask(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """``ask()``: the status of the command, and its findings by name."""

    def doctor_says(*more: str, **environ: str) -> tuple[int, dict[str, str]]:
        for name, value in {**world.environ, **environ}.items():
            monkeypatch.setenv(name, value)
        status = main(["doctor", "--mail", "Ana@example.org", "--minutes", "0.005", *more])
        lines = capsys.readouterr().out.replace("\n      ", " ").splitlines()
        return status, {line[6:].partition(":")[0]: line for line in lines}

    return doctor_says


def test_where_all_is_well_the_reply_comes_in_and_nothing_is_to_be_done(ask: Ask, world: World) -> None:
    status, said = ask()
    assert status == 0
    assert [line[:4] for line in said.values()] == ["ok  "] * 8, said
    assert list(said) == ["SMTP", "test email", "SPF", "DMARC", "reverse name", "MX", "reply", "DKIM"]
    (mail,) = world.received
    code = str(mail["Subject"]).rpartition(" ")[2]
    assert code in said["test email"]
    assert code in mail.get_content()
    assert mail["To"] == "ana@example.org"


def gone(name: str, kind: str) -> Callable[[World], object]:
    return lambda world: world.zone.pop((name, kind))


def written(name: str, kind: str, *texts: str) -> Callable[[World], object]:
    return lambda world: world.zone.update({(name, kind): list(texts)})


FAULTS: dict[str, tuple[Callable[[World], object], str, str, str]] = {
    "no SPF record": (
        gone("play.test.", "TXT"), "SPF", "play.test has no SPF record",
        'Write into the DNS: play.test. TXT "v=spf1 ip4:203.0.113.7 -all"',
    ),
    "two SPF records": (
        written("play.test.", "TXT", '"v=spf1 ip4:203.0.113.7 -all"', '"v=spf1 mx -all"'), "SPF",
        "2 SPF records, so none counts", "remove the others",
    ),
    "SPF without our server": (
        written("play.test.", "TXT", '"v=spf1 ip4:198.51.100.0/24 -all"'), "SPF",
        "does not allow 203.0.113.7 to send", "Put ip4:203.0.113.7 before “all”",
    ),
    "SPF that allows everybody": (
        written("play.test.", "TXT", '"v=spf1 +all"'), "SPF", "allows every machine", "Write -all",
    ),
    "SPF that goes in circles": (
        written("play.test.", "TXT", '"v=spf1 include:play.test -all"'), "SPF", "more than 10 look-ups", "include:",
    ),
    "no DMARC record": (
        gone("_dmarc.play.test.", "TXT"), "DMARC", "play.test has no DMARC record", "_dmarc.play.test. TXT",
    ),
    "a DMARC record without a policy": (
        written("_dmarc.play.test.", "TXT", '"v=DMARC1; rua=mailto:a@b"'), "DMARC", "has no policy", "p=quarantine",
    ),
    "no reverse name": (
        gone("7.113.0.203.in-addr.arpa.", "PTR"), "reverse name", "203.0.113.7 has none", "Let your hoster set it",
    ),
    "a reverse name that leads elsewhere": (
        written("7.113.0.203.in-addr.arpa.", "PTR", "host7.isp.test."), "reverse name",
        "is called host7.isp.test, which does not lead back", "host7.isp.test. A 203.0.113.7",
    ),
    "no MX record": (gone("play.test.", "MX"), "MX", "play.test has no MX record", "play.test. MX 10"),
    "an MX record that says no": (written("play.test.", "MX", "0 ."), "MX", "takes no mail", "play.test. MX 10"),
    "an MX without an address": (
        written("play.test.", "MX", "10 old.play.test."), "MX", "old.play.test, the mail server of play.test, has no",
        "old.play.test. A",
    ),
    "no signature": (lambda world: setattr(world, "signed", b""), "DKIM", "without a signature", "d=play.test"),
    "the signature of somebody else": (
        lambda world: setattr(world, "signed", SIGNED.replace(b"play.test", b"relay.test")), "DKIM",
        "signed by relay.test, not by play.test", "d=play.test",
    ),
    "a signature without its key": (
        gone("s1._domainkey.play.test.", "TXT"), "DKIM", "no record s1._domainkey.play.test",
        "s1._domainkey.play.test. TXT",
    ),
    "a key that is withdrawn": (
        written("s1._domainkey.play.test.", "TXT", '"v=DKIM1; p="'), "DKIM", "is withdrawn", "s1._domainkey.play.test.",
    ),
    "a signature that covers too little": (
        lambda world: setattr(world, "signed", SIGNED.replace(b":List-Unsubscribe", b"")), "DKIM",
        "does not cover list-unsubscribe", "List-Unsubscribe-Post",
    ),
    "a reply that does not come": (
        lambda world: setattr(world, "replies", False), "reply", "no reply has come in", "the way in works",
    ),
    "no way in": (
        lambda world: vars(world).update(replies=False, arrives=False), "reply",
        "no reply has come in", "Check that mailin runs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named_with_what_to_write_where(ask: Ask, world: World, fault: str) -> None:
    spoil, name, says, do = FAULTS[fault]
    spoil(world)
    status, said = ask()
    assert status == 1
    assert [key for key, line in said.items() if line.startswith("FAIL")] == [name], said
    assert says in said[name]
    assert do in said[name]


def test_a_mail_server_without_encryption_is_named(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_mail_test, "is_loopback", lambda _: False)
    status, said = ask()
    assert status == 1
    assert "FAIL  SMTP: 127.0.0.1 offers no encryption" in said["SMTP"]
    assert "test email" not in said


def test_a_certificate_that_nobody_vouches_for_is_named(ask: Ask, certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = Listener(context, at_once=False)
    listener.start()
    try:
        status, said = ask(PBEM_SMTP_URL=f"smtp://localhost:{listener.port}")
    finally:
        listener.stop()
    assert status == 1
    assert "the certificate of localhost is not valid: self-signed certificate" in said["SMTP"]
    assert "test email" not in said


def test_an_email_that_is_refused_is_named(ask: Ask, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(*_: object) -> str:
        return "550 5.7.1 you may not send as games@play.test"

    monkeypatch.setattr(Post, "handle_DATA", no)
    status, said = ask()
    assert status == 1
    assert "you may not send as" in said["test email"]
    assert "PBEM_MAIL_FROM" in said["test email"]
    assert "reply" not in said


def test_without_a_way_in_nothing_is_waited_for(ask: Ask, world: World) -> None:
    status, said = ask(PBEM_ORDERS_ADDRESS="", PBEM_MAILIN_PORT="")
    assert status == 0
    assert said["reply"].startswith("WARN  reply: replies do not come to this server")
    assert said["DKIM"].startswith("WARN")
    assert "Reply-To" not in world.received[0]


def test_the_signature_is_read_from_a_file_as_well(ask: Ask, world: World) -> None:
    world.signed = b""
    saved = world.folder / "saved.eml"
    saved.write_bytes(SIGNED + b"Subject: pbem test email\r\n\r\n")
    assert ask("--received", str(saved))[1]["DKIM"].startswith("ok ")


def test_a_silent_dns_is_told(ask: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    nobody = dns.resolver.Resolver(configure=False)
    nobody.nameservers, nobody.port = ["127.0.0.1"], 9
    monkeypatch.setattr(_mail_dns, "SECONDS", 0.05)
    monkeypatch.setattr(doctor, "Dns", lambda: Dns(nobody))
    status, said = ask()
    assert status == 1
    assert "the DNS gives no answer" in said["SPF"]


def test_an_address_that_is_none_and_a_server_without_mail_end_with_a_sentence(ask: Ask) -> None:
    assert ask("--mail", "nobody")[0] == 1
    status, said = ask(PBEM_SMTP_URL="")
    assert status == 1
    assert "no mail server is configured" in said["SMTP"]


@pytest.mark.parametrize(
    ("record", "allowed"),
    [
        ("v=spf1 a:mail.play.test -all", True),
        ("v=spf1 mx -all", True),
        ("v=spf1 mx:other.test a -all", False),
        ("v=spf1 include:_spf.play.test ~all", True),
        ("v=spf1 redirect=_spf.play.test", True),
        ("v=spf1 -ip4:203.0.113.7 +ip4:203.0.113.0/24 -all", False),
        ("v=spf1 a:near.play.test/24 -all", True),
        ("v=spf1 ip4:nonsense exists:%{i}.x ptr -all", False),
    ],
)
def test_spf_is_read_as_receivers_read_it(record: str, allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    zone = {
        **ZONE,
        ("play.test.", "TXT"): [f'"{record}"'],
        ("_spf.play.test.", "TXT"): ['"v=spf1 ip4:203.0.113.7 -all"'],
        ("near.play.test.", "A"): ["203.0.113.99"],
    }
    monkeypatch.setattr(Dns, "_ask", lambda _, name, kind: zone.get((f"{name}.", kind), []))
    assert (
        _mail_dns.spf(Dns(dns.resolver.Resolver(configure=False)), "play.test", [ip_address("203.0.113.7")]).well
        is allowed
    )
