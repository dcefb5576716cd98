"""Letters of a game as pages of a static site: what one player of a demo has got, each as it was sent."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import groupby
from pathlib import Path

from pbem.engine import Value

NAME = re.compile(r"\d+-(?P<reader>[^-]+)-.*\.eml")
LINK = re.compile(r'(<a\b[^>]*?) href="[^"]*"')
"""Links of a letter lead to a server that is gone."""
SHOWN = re.compile(r'"cid:([^"]+)"')
BODY = re.compile(r"<body\b[^>]*>")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""Letters carry their look with them."""
MOST = 400


class Letter(Value):
    """``number``: from 1; ``html``: what stands in it, and ``pictures`` by the names under which it shows them."""

    number: int
    subject: str
    html: str
    pictures: dict[str, bytes]


def read(folder: Path) -> list[Letter]:
    """The letters to the reader who has got most of them, oldest first."""
    paths = sorted(path for path in folder.glob("*.eml") if NAME.fullmatch(path.name))
    by_reader = {
        reader: list(group)
        for reader, group in groupby(sorted(paths, key=lambda path: (_reader(path), path.name)), key=_reader)
    }
    chosen = max(by_reader.values(), key=len, default=[])
    return [_letter(number, path.read_bytes()) for number, path in enumerate(chosen[:MOST], 1)]


def _reader(path: Path) -> str:
    found = NAME.fullmatch(path.name)
    return found["reader"] if found else ""


def _letter(number: int, content: bytes) -> Letter:
    message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
    body, names, pictures = message.get_body(("html",)), dict[str, str](), dict[str, bytes]()
    for part in message.walk():
        if part.get_content_maintype() == "image":
            name = f"{number}-{len(pictures) + 1}.{part.get_content_subtype()}"
            names[str(part["Content-ID"]).strip("<>")] = name
            pictures[name] = part.get_content()
    html = "" if body is None else body.get_content()
    html = SHOWN.sub(lambda found: f'"{names.get(found[1], "")}"', LINK.sub(r"\1", html))
    return Letter(number, str(message["Subject"]), html, pictures)


def page(letter: Letter, above: str) -> str:
    """The letter with a line above it that leads to the others; it may do nothing but show itself."""
    html = letter.html.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">', 1)
    return BODY.sub(lambda found: f"{found[0]}{above}", html, count=1)
