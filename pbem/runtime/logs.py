"""The logs of the processes, on standard error: lines for people, or one JSON object per event.

Nobody's email address, no token and no address with one in it gets there: whatever is logged, by us or by a library,
passes :func:`veiled` as it is written, tracebacks too. That is the second line of defence; the first
is not to log them.
"""

import json
import logging
import re
import sys
import threading
from datetime import UTC, datetime
from types import TracebackType

from typing_extensions import override

IDS = ("game", "submission", "letter", "message_id", "route", "seconds")
"""What events name in fields of their own: ``log.info("...", extra={"game": game.id})``."""
OURS = ("pbem", "workers")
THEIRS = ("gunicorn.error", "gunicorn.access")
"""Loggers that have handlers of their own by the time we begin."""
LONGEST = 20_000
"""Characters of a message or a traceback."""

_SCHEMES = r"https?|rediss?|postgres(?:ql)?(?:\+\w+)?|smtps?"
_VEILS = (
    # the whole of what PostgreSQL tells about a row it does not take
    (re.compile(r"(Failing row contains|Key \([^)\n]{1,200}\)=) ?\([^\n]*\)"), r"\1 (…)"),
    # addresses of the web but their host: ours may hold a token, those of webhooks are secrets
    (re.compile(rf"(?i)\b((?:{_SCHEMES})://)(?:[^\s/'\"<>]{{0,300}}@)?([\w.:\[\]-]+)[^\s'\"<>)\]]*"), r"\1\2/…"),
    # our own private addresses without a host
    (re.compile(r"/(t|s|i|u|v|o|w|p|login|feed|api/v1/turn)/[^\s'\"<>)\]]+"), r"/\1/…"),
    # keys in queries, and what headers carry
    (re.compile(r"([?&](?:k|key|token|mark)=)[^&\s'\"<>]+"), r"\1…"),
    (re.compile(r"(?i)(bearer |pbem=)[^\s;'\"]+"), r"\1…"),
    # signed tokens wherever they stand
    (re.compile(r"[\w.-]{8,300}\.[\w-]{43}(?![\w-])"), "…"),
    # mail addresses
    (re.compile(r"(?:\"[^\"\n]{1,64}\"|[^\s@<>()\[\],:;\"'=]{1,64})@[\w.\[\]-]{0,250}\w\]?"), "…@…"),
)


def veiled(text: str) -> str:
    """The text without email addresses, tokens, and addresses that hold one; what is very long is cut."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    for pattern, instead in _VEILS:
        text = pattern.sub(instead, text)
    return text


class Lines(logging.Formatter):
    """A line for people; a traceback follows on lines of its own."""

    def __init__(self, process: str) -> None:
        super().__init__(f"%(asctime)s %(levelname)s {process} %(name)s: %(message)s")

    @override
    def format(self, record: logging.LogRecord) -> str:
        return veiled(super().format(record))


class Objects(logging.Formatter):
    """One JSON object on one line: time, level, logger, process, pid, message, ids, and the traceback as ``error``."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    @override
    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": self._process,
            "pid": record.process,
            "message": veiled(record.getMessage()),
        }
        event |= {name: _plain(value) for name in IDS if (value := record.__dict__.get(name)) is not None}
        if record.exc_info:
            event["error"] = veiled(self.formatException(record.exc_info))
        return json.dumps(event, ensure_ascii=False)


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) else veiled(str(value))


def begin(process: str, form: str = "text") -> None:
    """Let this process log: warnings of everybody and our own news. ``process``: web worker clock mailin.

    ``form`` as ``Settings.log`` has it.
    """
    formatter = Objects(process) if form == "json" else Lines(process)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    for name in THEIRS:
        for other in logging.getLogger(name).handlers:
            other.setFormatter(formatter)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    logging.getLogger(__name__).critical("the process ends by an error", exc_info=(kind, error, trace))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _uncaught(args.exc_type, args.exc_value, args.exc_traceback)
