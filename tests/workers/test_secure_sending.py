"""The way to a mail server is encrypted, its certificate is checked, and the log-in of the URL is used."""

import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from typing_extensions import override

from pbem.settings.settings import Settings
from pbem.transport import smtp
from pbem.views.letters import Email
from tests.mailserver import MailServer

USER, PASSWORD = "pbem@example.org", "a secret: with/signs"
MESSAGE = Email("<1@example.org>", b"From: pbem@example.org\r\nTo: ana@example.org\r\n\r\nIt is your turn.\r\n")
URL = "pbem%40example.org:a%20secret%3A%20with%2Fsigns@localhost"


class Receiver:
    """Notes for every letter whether there was a STARTTLS before it and as whom its sender had logged in."""

    def __init__(self) -> None:
        self.heard: list[tuple[bool, bytes | None]] = []

    async def handle_DATA(self, _server: SMTP, session: Session, _envelope: Envelope) -> str:  # noqa: N802
        self.heard.append((session.ssl is not None, session.auth_data and session.auth_data.login))
        return "250 taken"


def _logs_in(_server: SMTP, _session: Session, _envelope: Envelope, _how: str, given: object) -> AuthResult:
    right = isinstance(given, LoginPassword) and (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=right, auth_data=given)


class Listener(MailServer):
    """Offers STARTTLS, or is encrypted from the first word on; wants a log-in."""

    def __init__(self, context: ssl.SSLContext, *, at_once: bool) -> None:
        self.receiver, self._context, self._at_once = Receiver(), context, at_once
        super().__init__(self.receiver, ssl_context=context if at_once else None)

    @override
    def factory(self) -> SMTP:
        if self._at_once:
            return SMTP(self.receiver, authenticator=_logs_in, auth_require_tls=False)  # it does not know that it is
        return SMTP(
            self.receiver, tls_context=self._context, require_starttls=True, authenticator=_logs_in, auth_required=True
        )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost with its key, signed by nobody."""
    program = shutil.which("openssl")
    assert program, "openssl makes the certificate of this test: install it"
    made = tmp_path_factory.mktemp("tls") / "both.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(made), "-out", str(made.with_suffix(".crt"))]
    subprocess.run([program, *words.split(), *names], check=True, capture_output=True)
    made.write_text(made.read_text() + made.with_suffix(".crt").read_text())
    return made


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine believes who signed the certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))


@pytest.fixture
def listening(certificate: Path) -> Iterator[Callable[..., Listener]]:
    started: list[Listener] = []

    def start(*, at_once: bool = False) -> Listener:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        started.append(Listener(context, at_once=at_once))
        started[-1].start()
        return started[-1]

    yield start
    for listener in started:
        listener.stop()


def post(url: str, tmp_path: Path) -> None:
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_SMTP_URL": url})
    smtp.post(settings, MESSAGE, "ana@example.org")


@pytest.mark.usefixtures("trusted")
def test_a_server_is_talked_to_encrypted_with_the_log_in(listening: Callable[..., Listener], tmp_path: Path) -> None:
    server = listening()
    post(f"smtp://{URL}:{server.port}", tmp_path)
    assert server.receiver.heard == [(True, USER.encode())]


@pytest.mark.usefixtures("trusted")
def test_smtps_is_encrypted_from_the_first_word_on(listening: Callable[..., Listener], tmp_path: Path) -> None:
    server = listening(at_once=True)
    post(f"smtps://{URL}:{server.port}", tmp_path)
    assert [login for _, login in server.receiver.heard] == [USER.encode()]  # it hears nothing that is not encrypted


@pytest.mark.usefixtures("trusted")
def test_without_the_password_nothing_is_sent(listening: Callable[..., Listener], tmp_path: Path) -> None:
    server = listening()
    with pytest.raises(smtp.NotTaken, match="SMTPAuthenticationError") as caught:
        post(f"smtp://pbem%40example.org:wrong@localhost:{server.port}", tmp_path)
    assert (caught.value.for_good, caught.value.away) == (False, False)
    assert server.receiver.heard == []


@pytest.mark.parametrize(("scheme", "at_once"), [("smtp", False), ("smtps", True)])
def test_a_server_whose_certificate_nobody_vouches_for_gets_neither_password_nor_letter(
    listening: Callable[..., Listener], tmp_path: Path, scheme: str, at_once: bool
) -> None:
    server = listening(at_once=at_once)
    with pytest.raises(smtp.NotTaken, match="CERTIFICATE_VERIFY_FAILED"):
        post(f"{scheme}://{URL}:{server.port}", tmp_path)
    assert server.receiver.heard == []


@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_another_name_will_not_do(listening: Callable[..., Listener], tmp_path: Path) -> None:
    server = listening()
    with pytest.raises(smtp.NotTaken, match="certificate is not valid for"):
        post(f"smtp://{URL.replace('localhost', '127.0.0.1')}:{server.port}", tmp_path)
    assert server.receiver.heard == []
