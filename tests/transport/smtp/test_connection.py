"""A connection to the mail server serves several letters, and none is lost or doubled when it is no use any more."""

import contextlib
import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typing_extensions import override

from pbem.settings.settings import Settings
from pbem.transport import smtp
from pbem.transport.smtp import connection
from pbem.transport.smtp.connection import kept
from pbem.views.letters import Email
from tests.patience import PATIENCE

MESSAGE = Email("<1@example.org>", b"Message-ID: <1@example.org>\r\n\r\nIt is your turn.\r\n")
TO = "ana@example.org"

CLOSE, SILENCE, LAST = "close", "", "250 taken, and goodbye"
Script = Callable[[int, int, str], str | None]
"""What is answered on the n-th connection after so many letters to a word, ``END`` to a whole letter.

``None``: yes; ``LAST``: the connection is closed after this answer.
"""


class Server(threading.Thread):
    """A mail server that keeps to a script. ``heard``: the words of each connection; ``taken``: whole letters."""

    def __init__(self, script: Script = lambda *_: None) -> None:
        super().__init__(daemon=True)
        self._script = script
        self.heard: list[list[str]] = []
        self.taken: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"smtp://127.0.0.1:{self._listener.getsockname()[1]}"

    @override
    def run(self) -> None:
        with contextlib.suppress(OSError):  # closed by the end of the test
            while True:
                connected, _ = self._listener.accept()
                self.heard.append([])
                threading.Thread(target=self._talk, args=(connected, len(self.heard) - 1), daemon=True).start()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _talk(self, connected: socket.socket, number: int) -> None:
        with connected, connected.makefile("rb") as lines, contextlib.suppress(ConnectionError):
            connected.sendall(b"220 hello\r\n")
            letters = 0
            for line in lines:
                word = line.split()[0].decode().upper()
                answer = self._answer(connected, number, letters, word)
                if answer == CLOSE or word == "QUIT":
                    return
                if answer == "354 go on":
                    self.taken.append(b"".join(iter(lines.readline, b".\r\n")))
                    if self._answer(connected, number, letters, "END") in (CLOSE, LAST):
                        return
                    letters += 1

    def _answer(self, connected: socket.socket, number: int, letters: int, word: str) -> str:
        self.heard[number].append(word)
        answer = self._script(number, letters, word)
        if answer is None:
            answer = "354 go on" if word == "DATA" else "250 ok"
        if answer not in (CLOSE, SILENCE):
            connected.sendall(f"{answer}\r\n".encode())
        return answer


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Connections of other tests are not ours, and ours not theirs."""
    kept.hang_up()
    yield
    kept.hang_up()


class Site:
    """Settings whose mail server keeps to a script."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.servers: list[Server] = []

    def server(self, script: Script = lambda *_: None) -> Server:
        self.servers.append(Server(script))
        self.servers[-1].start()
        return self.servers[-1]

    def post(self, server: Server, *numbers: int) -> None:
        settings = Settings.read({"PBEM_DATA_DIR": str(self._folder), "PBEM_SMTP_URL": server.url})
        for number in numbers:
            smtp.post(settings, letter(number), TO)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    for server in made.servers:
        server.stop()


def letter(number: int) -> Email:
    return Email(f"<{number}@example.org>", content(number))


def content(number: int) -> bytes:
    return b"Subject: %d\r\n\r\n.begins with a dot\r\n..and with two\r\n" % number


def arrived(number: int) -> bytes:
    """The letter with every dot at the beginning of a line doubled."""
    return content(number).replace(b"\r\n.", b"\r\n..")


def until(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


LETTER = ["MAIL", "RCPT", "DATA", "END"]


def test_several_letters_go_by_one_connection(site: Site) -> None:
    server = site.server()
    site.post(server, 1, 2, 3)
    assert server.heard == [["EHLO", *LETTER, *LETTER, *LETTER]]
    assert server.taken == [arrived(1), arrived(2), arrived(3)]


def test_a_connection_that_waits_too_long_is_closed_with_a_goodbye(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "IDLE", 0.1)
    server = site.server()
    site.post(server, 1)
    assert until(lambda: server.heard == [["EHLO", *LETTER, "QUIT"]])
    site.post(server, 2)
    assert server.taken == [arrived(1), arrived(2)]
    assert len(server.heard) == 2


def test_a_connection_by_which_many_letters_have_gone_is_closed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST", 2)
    server = site.server()
    site.post(server, 1, 2, 3)
    assert server.heard == [["EHLO", *LETTER, *LETTER, "QUIT"], ["EHLO", *LETTER]]


def closes_after(word: str) -> Script:
    return lambda number, letters, said: CLOSE if (number, letters, said) == (0, 1, word) else None


def refuses(word: str, answer: str) -> Script:
    return lambda number, letters, said: answer if (number, letters, said) == (0, 1, word) else None


@pytest.mark.parametrize(
    "script",
    [
        *(closes_after(word) for word in ("MAIL", "RCPT", "DATA")),
        *(refuses(word, "421 4.7.0 closing") for word in ("MAIL", "RCPT", "DATA")),
        refuses("MAIL", "452 4.5.3 too many emails in this session"),
        refuses("MAIL", "554 5.5.0 too many emails"),
    ],
)
def test_a_kept_connection_of_no_use_is_replaced_and_the_letter_sent_once(site: Site, script: Script) -> None:
    server = site.server(script)
    site.post(server, 1, 2, 3)
    assert server.taken == [arrived(1), arrived(2), arrived(3)]
    assert len(server.heard) == 2


def test_a_server_that_takes_one_letter_by_a_connection_gets_every_letter_once(site: Site) -> None:
    server = site.server(lambda _, letters, word: "421 one email only" if letters and word == "MAIL" else None)
    site.post(server, *range(5))
    assert server.taken == [arrived(number) for number in range(5)]
    assert len(server.heard) == 5


def test_a_server_that_closes_connections_that_wait_gets_every_letter_once(site: Site) -> None:
    server = site.server(lambda _number, _letters, word: LAST if word == "END" else None)
    for number in range(3):
        site.post(server, number)
        time.sleep(0.05)
    assert server.taken == [arrived(number) for number in range(3)]
    assert server.heard == [["EHLO", *LETTER]] * 3


def test_a_kept_connection_without_answer_is_given_up_soon(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "AT_HAND", 0.2)
    monkeypatch.setattr(connection, "GOODBYE", 0.2)
    server = site.server(refuses("MAIL", SILENCE))
    site.post(server, 1, 2)
    assert server.taken == [arrived(1), arrived(2)]


@pytest.mark.parametrize("answer", [CLOSE, "421 4.3.2 closing"])
def test_a_letter_that_was_handed_over_is_not_sent_again_by_another_connection(site: Site, answer: str) -> None:
    """Nobody knows whether the server has it: the outbox decides, which tries it again later."""
    server = site.server(refuses("END", answer))
    site.post(server, 1)
    with pytest.raises(smtp.NotTaken) as caught:
        site.post(server, 2)
    assert (caught.value.away, caught.value.for_good) == (answer == CLOSE, False)
    assert server.taken == [arrived(1), arrived(2)]
    assert len(server.heard) == 1


def test_a_server_silent_to_the_reader_is_not_asked_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SECONDS", 0.2)
    monkeypatch.setattr(connection, "GOODBYE", 0.2)
    server = site.server(refuses("RCPT", SILENCE))
    site.post(server, 1)
    with pytest.raises(smtp.NotTaken, match="timed out") as caught:
        site.post(server, 2)
    assert caught.value.away
    assert caught.value.took >= 0.2
    assert len(server.heard) == 1


@pytest.mark.parametrize(("answer", "for_good"), [("550 nobody", True), ("450 full", False)])
def test_a_refusal_is_told_and_the_next_letter_begins_anew(site: Site, answer: str, for_good: bool) -> None:
    server = site.server(refuses("RCPT", answer))
    site.post(server, 1)
    with pytest.raises(smtp.NotTaken, match=answer) as caught:
        site.post(server, 2)
    assert (caught.value.for_good, caught.value.away) == (for_good, False)
    site.post(server, 3)
    assert server.heard == [["EHLO", *LETTER, "MAIL", "RCPT", "RSET", "QUIT"], ["EHLO", *LETTER]]
    assert server.taken == [arrived(1), arrived(3)]


def test_a_kept_connection_is_only_for_the_server_it_leads_to(site: Site) -> None:
    first, second = site.server(), site.server()
    site.post(first, 1)
    site.post(second, 2)
    site.post(first, 3)
    assert (first.taken, second.taken) == ([arrived(1), arrived(3)], [arrived(2)])
    assert (len(first.heard), len(second.heard)) == (1, 1)


def test_two_threads_never_speak_on_one_connection(site: Site) -> None:
    server = site.server()
    threads = [threading.Thread(target=site.post, args=(server, *range(at, at + 20))) for at in (0, 20, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(server.taken) == sorted(arrived(number) for number in range(60))
    assert len(server.heard) <= 3


def test_a_process_that_was_forked_leaves_the_connections_of_its_parent_alone(site: Site) -> None:
    server = site.server()
    site.post(server, 1)
    child = os.fork()
    if child == 0:
        try:
            site.post(server, 2)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    site.post(server, 3)
    assert sorted(server.taken) == [arrived(1), arrived(2), arrived(3)]
    assert server.heard[0] == ["EHLO", *LETTER, *LETTER]
    assert server.heard[1][: len(LETTER) + 1] == ["EHLO", *LETTER]


def test_a_letter_is_on_the_disk_before_it_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noting_fsync(descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        done.append(f"on the disk: {'folder ' if stat.S_ISDIR(os.fstat(descriptor).st_mode) else ''}{Path(path).name}")
        fsync(descriptor)

    def noting_replace(self: Path, target: Path) -> Path:
        done.append("named")
        return replace(self, target)

    keys = {"PBEM_SECRET_KEY": "a key for this test", "PBEM_PUSH_KEY": "A" * 42 + "E"}
    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(Path, "replace", noting_replace)
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path / "var"), **keys})
    smtp.post(settings, MESSAGE, "ana@example.org")
    letter = f".1_example.org.{os.getpid()}"
    assert done == ["on the disk: folder var", f"on the disk: {letter}", "named", "on the disk: folder outbox"]
