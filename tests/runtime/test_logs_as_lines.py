"""What is logged: one event a line, and nobody's address or token in it."""

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.runtime import logs
from pbem.service.base.tokens import FeedClaim, Tokens, TurnClaim, UnsubscribeClaim
from pbem.store.database import open_engine

TOKENS = Tokens("a key that only tests know")
TOKEN = TOKENS.make(TurnClaim("k7m2abc", "red", 3))


@pytest.mark.parametrize(
    ("text", "veiled"),
    [
        ("550 5.1.1 <ana@example.org>: rejected", "550 5.1.1 <…@…>: rejected"),
        ('"a. b"@example.org and käthe@bücher.example', "…@… and …@…"),
        ("bounce+17-0123456789abcdef@[127.0.0.1]", "…@…"),
        (f"GET /t/{TOKEN}?order=issue+2 HTTP/1.1", "GET /t/… HTTP/1.1"),
        (f"POST /api/v1/turn/{TOKEN}/withdraw/3", "POST /api/v1/turn/…"),
        (f"https://play.example.org/feed/{TOKENS.make(FeedClaim(1, 'key'))}.atom", "https://play.example.org/…"),
        (repr((TOKENS.make(UnsubscribeClaim(3, "k7m2abc", "reminder")),)), "('…',)"),
        ("told https://discord.com/api/webhooks/12/secret today", "told https://discord.com/… today"),
        ("redis://:pass@word@127.0.0.1:6379/0", "redis://127.0.0.1:6379/…"),
        ("'smtp://me:secret@mail.example.org:587'", "'smtp://mail.example.org:587/…'"),
        ("Authorization: Bearer abcdef; Cookie: pbem=abcdef", "Authorization: Bearer …; Cookie: pbem=…"),
        ("/games/k7m2/board.png?at=3&k=abcdef", "/games/k7m2/board.png?at=3&k=…"),
        ("DETAIL:  Key (address)=(ana@x.org) exists", "DETAIL:  Key (address)= (…) exists"),
        ("Failing row contains (1, ana@x.org, Ana, null).", "Failing row contains (…)."),
        ("game k7m2 is stuck: a @ b, 3@, @cache", "game k7m2 is stuck: a @ b, 3@, @cache"),
        ('File "/opt/pbem/pbem/service/play.py", line 99', 'File "/opt/pbem/pbem/service/play.py", line 99'),
    ],
)  # fmt: skip
def test_addresses_and_tokens_are_veiled_and_the_rest_is_not(text: str, veiled: str) -> None:
    assert logs.veiled(text) == veiled


@pytest.mark.parametrize("text", ["x" * 200_000, "a." * 100_000, "http://" * 30_000, "@" * 200_000, "?k=" * 60_000])
def test_long_texts_are_cut_before_they_take_time(text: str) -> None:
    assert len(logs.veiled(text)) <= 3 * logs.LONGEST


@contextmanager
def logging_as(form: str) -> Iterator[io.StringIO]:
    """The log of a process of this form, until the end of the ``with``."""
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook)
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in logs.OURS}
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", out)
        try:
            logs.begin("worker", form)
            yield out
        finally:
            logging.captureWarnings(False)
            sys.excepthook, threading.excepthook = hooks
            root.handlers[:] = handlers
            root.setLevel(level)
            for name, before in levels.items():
                logging.getLogger(name).setLevel(before)


def break_with(text: str) -> None:
    """An error of ours that has something in it which is nobody's business."""
    try:
        raise ValueError(text)
    except ValueError:
        logging.getLogger("pbem.tests").exception("game %s broke", "k7m2", extra={"game": "k7m2", "submission": 17})


def test_an_event_is_one_line_of_json_with_its_ids_and_its_error() -> None:
    with logging_as("json") as out:
        break_with(f"ana@example.org sent\n{TOKEN}")
        logging.getLogger("pbem.tests").info("for ana@example.org", extra={"letter": 3, "route": f"/t/{TOKEN}"})
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["level"], first["logger"], first["process"]) == ("ERROR", "pbem.tests", "worker")
    assert (first["message"], first["game"], first["submission"]) == ("game k7m2 broke", "k7m2", 17)
    assert first["error"].endswith("ValueError: …@… sent\n…")
    assert first["time"].endswith("+00:00")
    assert (second["message"], second["letter"], second["route"]) == ("for …@…", 3, "/t/…")


def test_lines_for_people_are_veiled_down_to_the_traceback() -> None:
    with logging_as("text") as out:
        break_with(f"ana@example.org sent /t/{TOKEN}")
    head, *trace = out.getvalue().splitlines()
    assert head.endswith("ERROR worker pbem.tests: game k7m2 broke")
    assert trace[-1] == "ValueError: …@… sent /t/…"


def test_an_error_that_ends_the_process_is_logged_like_others() -> None:
    with logging_as("json") as out:
        try:
            raise ValueError("ana@example.org")
        except ValueError as error:
            sys.excepthook(type(error), error, error.__traceback__)
    event = json.loads(out.getvalue())
    assert (event["level"], event["error"].splitlines()[-1]) == ("CRITICAL", "ValueError: …@…")


def test_handlers_that_gunicorn_has_made_are_ours_as_well() -> None:
    other = logging.StreamHandler(io.StringIO())
    gunicorn = logging.getLogger("gunicorn.access")
    gunicorn.addHandler(other)
    try:
        with logging_as("text"):
            gunicorn.warning('127.0.0.1 "GET /t/%s HTTP/1.1" 200', TOKEN)
    finally:
        gunicorn.removeHandler(other)
    assert other.stream.getvalue().endswith('gunicorn.access: 127.0.0.1 "GET /t/… HTTP/1.1" 200\n')


def test_errors_of_the_database_do_not_tell_what_was_to_be_written(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/empty.sqlite")
    with engine.connect() as connection, pytest.raises(Exception, match="no such table") as caught:
        connection.exec_driver_sql("INSERT INTO people VALUES (?)", ("Ana of the secret plan",))
    engine.dispose()
    assert "secret plan" not in str(caught.value)
