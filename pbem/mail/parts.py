"""The parts of an email as bytes, each with its headers, for lines that end with CRLF.

Boundaries and all other names are given: an email that is made twice is the same to the byte.
"""

from __future__ import annotations

import binascii

Part = tuple[bytes, ...]
"""A part in pieces, which are put together once: a picture is large."""


def text(content: str, kind: str) -> Part:
    """Text (``plain``, ``html``), quoted-printable."""
    lines = b"\r\n".join(content.encode("utf-8").splitlines()) + b"\r\n"
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    return head.encode("ascii"), binascii.b2a_qp(lines)


def picture(base64: bytes, number: str) -> Part:
    """A PNG, given in lines of base64, that stands in the HTML by its number."""
    head = (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        'Content-Disposition: inline; filename="board.png"\r\n'
        f"Content-ID: <{number}>\r\n\r\n"
    )
    return head.encode("ascii"), base64


def multipart(kind: str, boundary: str, *parts: Part) -> Part:
    """Parts that are the same in different forms (``alternative``) or belong to the first (``related``)."""
    between = f"--=_{boundary}".encode("ascii")
    head = f'Content-Type: multipart/{kind};\r\n boundary="=_{boundary}"\r\n\r\n'.encode("ascii")
    inside = (piece for part in parts for piece in (between, b"\r\n", *part, b"\r\n"))
    return head, *inside, between, b"--\r\n"
