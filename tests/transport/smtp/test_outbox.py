"""Handing a mail over: what counts as sent is on the disk."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pbem.settings.settings import Settings
from pbem.transport import smtp
from pbem.views.letters import Email

MESSAGE = Email("<1@example.org>", b"Message-ID: <1@example.org>\r\n\r\nIt is your turn.\r\n")


def test_a_letter_and_its_name_are_on_the_disk_before_it_counts_as_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noting_fsync(descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        done.append(f"on the disk: {'folder ' if stat.S_ISDIR(os.fstat(descriptor).st_mode) else ''}{Path(path).name}")
        fsync(descriptor)

    def noting_replace(self: Path, target: Path) -> Path:
        done.append("named")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(Path, "replace", noting_replace)
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path / "var"), "PBEM_SECRET_KEY": "a key for this test"})
    smtp.post(settings, MESSAGE, "ana@example.org")
    letter = f".1_example.org.{os.getpid()}"
    assert done == ["on the disk: folder var", f"on the disk: {letter}", "named", "on the disk: folder outbox"]
