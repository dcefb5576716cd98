"""A mail is put together from whatever pieces it comes in, as aiosmtpd puts it together line by line."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from aiosmtpd.smtp import SMTP

from workers.arriving import LINE_TOO_LONG, TOO_LARGE, Arriving, Refused
from workers.door import Door, Porch

LARGEST, LONGEST = 400, 21

WIRE = {
    b".\r\n": b"",
    b"a\r\n.\r\n": b"a\r\n",
    b"..\r\n.\r\n": b".\r\n",
    b"a\r\n..b\r\n....\r\n.\r\n": b"a\r\n.b\r\n...\r\n",
    b".a\r\n.\r\n": b"a\r\n",
    b"a\n.\nb\r\n.\r\n": b"a\n.\nb\r\n",
    b"a\r.\rb\r\n.\r\n": b"a\r.\rb\r\n",
    b"a\n.\r\nb\r\n.\r\n": b"a\n.\r\nb\r\n",
    b"a\r\n.\nb\r\n.\r\n": b"a\r\n\nb\r\n",
    b"\r\n\r\n\r\n.\r\n": b"\r\n\r\n\r\n",
    b"a\r\r\n.\r\n": b"a\r\r\n",
    b"x" * (LONGEST - 2) + b"\r\n.\r\n": b"x" * (LONGEST - 2) + b"\r\n",
    b"x" * (LONGEST - 1) + b"\r\n.\r\n": LINE_TOO_LONG,
    b"y" * 300 + b"\r\na\r\n.\r\n": LINE_TOO_LONG,
    b"abc\r\n" * 80 + b".\r\n": b"abc\r\n" * 80,
    b"abc\r\n" * 80 + b"\r\n.\r\n": TOO_LARGE,
    b"abc\r\n" * 2_000 + b".\r\n": TOO_LARGE,
    b"x" * 30 + b"\r\n" + b"abc\r\n" * 2_000 + b".\r\n": LINE_TOO_LONG,
}
"""What comes on the wire after DATA, with the mail that it is, or the answer to it."""


def taken(wire: bytes, pieces: list[int]) -> tuple[bytes | str, bytes]:
    """The mail or the answer, and what came after it, when it came in pieces that end at these places."""
    arriving = Arriving(LARGEST, LONGEST)
    for begin, end in zip([0, *pieces], [*pieces, len(wire)], strict=True):
        after = arriving.add(wire[begin:end])
        if after is not None:
            try:
                return arriving.content(), after + wire[end:]
            except Refused as refused:
                return str(refused), after + wire[end:]
    raise AssertionError("its end was not seen")


@pytest.mark.parametrize("wire", WIRE)
def test_a_mail_is_the_same_however_it_comes(wire: bytes) -> None:
    luck = Random(1)
    for after in (b"", b"MAIL FROM:<a@x>\r\n", b"\r\n.\r\n", b".\r\n"):
        whole = wire + after
        cuts = [[], list(range(1, len(whole)))[:3_000] if len(whole) < 3_000 else []]
        cuts += [sorted(luck.sample(range(len(whole)), min(len(whole), luck.randint(1, 9)))) for _ in range(10)]
        assert {taken(whole, pieces) for pieces in cuts} == {(WIRE[wire], after)}


def test_nothing_is_kept_of_a_mail_that_is_too_large() -> None:
    arriving = Arriving(LARGEST, LONGEST)
    for _ in range(1_000):
        assert arriving.add(b"abc\r\n" * 20) is None
        assert len(arriving._came) < 2 * LARGEST


ADDRESSES = (
    "<ana@example.org>", "<a.b+c-d@mail.example.org> SIZE=9000 BODY=8BITMIME", "<a@x> SIZE=9", "<a@x>", "<>", "a@x", "",
    "<ana@example.org", "<ana@example.org>x", "<ana@example.org> (a comment) SIZE=9", "<ana@example.org>  SIZE=9",
    '<"ana"@example.org>', "<a..b@x>", "<.a@x>", "<a@x.>", "<a@[127.0.0.1]>", "<ana @example.org>", "< a@x>",
    "<@relay:a@x>", "<ána@example.org>", "<a@x> SIZE=9\t", "<a@x>\n", "<a(b)@x>", "<A_{1}~!@EXAMPLE.org> size=1",
)  # fmt: skip


def test_addresses_are_read_as_aiosmtpd_reads_them() -> None:
    def read(door: SMTP, said: str) -> object:
        try:
            return door._getaddr(said)
        except Exception as error:  # noqa: BLE001 - where its parser fails, it is to fail
            return type(error)

    loop = asyncio.new_event_loop()
    ours, theirs = Door(Porch(), object(), loop=loop), SMTP(object(), loop=loop)
    assert {said: read(ours, said) for said in ADDRESSES} == {said: read(theirs, said) for said in ADDRESSES}
    loop.close()
