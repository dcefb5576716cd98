"""The processes that read mails: they are light, know nothing, and are gone with who has started them."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from pbem.mail import reader
from tests.patience import PATIENCE
from workers import readers
from workers.readers import Readers

MAIL = b"Message-ID: <1@example.net>\r\n\r\nissue 2\r\n"
PARENT = """
import sys, time
from workers.readers import Readers
pool = Readers(1)
pool.read("orders", b"issue 2")
print(pool._all[0]._process.pid, flush=True)
time.sleep(600)
"""


def process_of(pool: Readers) -> psutil.Process:
    (one,) = pool._all
    assert one._process is not None
    return psutil.Process(one._process.pid)


def test_a_reader_is_kept_without_our_settings_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SECRET_KEY", "a key that only tests know")
    pool = Readers(1)
    try:
        assert pool.read("orders", MAIL).found.text == "issue 2"
        first = process_of(pool)
        assert not [name for name in first.environ() if name.startswith("PBEM_")]
        assert pool.read("orders", MAIL).head == reader.Head(automatic=False, message_id="<1@example.net>")
        assert process_of(pool) == first
        first.kill()
        assert pool.read("orders", MAIL).found.text == "issue 2"
        assert process_of(pool) != first
    finally:
        pool.close()


def test_a_reader_ends_after_so_many_mails_and_none_is_lost() -> None:
    pool = Readers(1)
    try:
        pids = set()
        for _ in range(reader.MAILS + 3):
            assert pool.read("orders", MAIL).found.text == "issue 2"
            pids.add(process_of(pool).pid)
    finally:
        pool.close()
    assert len(pids) == 2


def test_a_reader_is_gone_with_who_has_started_it() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + PATIENCE
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_reader_starts_without_what_letters_and_pages_are_made_with() -> None:
    asked = "import sys, pbem.mail.reader; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", asked], stdout=subprocess.PIPE, text=True, check=True, env={**os.environ}
    )
    assert not {"jinja2", "sqlalchemy", "flask", "PIL", "celery"} & set(loaded.stdout.split())


def test_a_process_that_does_not_go_on_is_ended_and_the_mail_may_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.02)
    pool = Readers(1)
    try:
        assert pool.read("orders", MAIL).found.text == "issue 2"
        monkeypatch.setattr(readers, "PATIENCE", 0.1)
        process_of(pool).send_signal(signal.SIGSTOP)
        with pytest.raises(readers.Stalled):
            pool.read("orders", MAIL)
        monkeypatch.setattr(readers, "PATIENCE", 30)
        assert pool.read("orders", MAIL).found.text == "issue 2"
    finally:
        pool.close()
