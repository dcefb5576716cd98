"""Text that is put into an email comes out of it as it was, whatever stands in it."""

from __future__ import annotations

import pytest

from pbem.letter import Email
from pbem.mail import parts
from tests.mail.arriving import arrived

TEXTS = {
    "signature": "Board\n\n-- \nTimes are for Lisbon.",
    "blanks at the end of a line": "a line \nand\t\nanother  ",
    "dots": ".\n..\n. begins\n.",
    "long line": "https://play.example.org/t/" + "aA=9_." * 200,
    "equals sign where a line is broken": "x" * 74 + "=====" + "y" * 80,
    "not ASCII": "Chloé – Zürich ✚ 東京 " * 30,
    "From at the beginning": "From here\nFrom there",
    "other ends of lines": "a\x0bb\x0cc\x1cd\x85e\u2028f",
    "nothing": "",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_arrives_as_it_was_in_short_lines_of_ascii(text: str) -> None:
    part = b"".join(parts.text(text, "plain"))
    assert part.isascii()
    assert max(map(len, part.split(b"\r\n"))) <= 76
    assert not {b"\r", b"\n"} & {part.replace(b"\r\n", b"")[at : at + 1] for at in range(len(part))}
    message = arrived(Email("", b"MIME-Version: 1.0\r\n" + part))
    assert message.defects == []
    content = message.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.decode() == "".join(f"{line}\r\n" for line in text.split("\n"))
