"""The folder of a static site: what has not changed is left alone, and what is no longer part of the site goes."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

MANIFEST = ".pbem-site.json"
NOTED_EVERY = 50
"""Files after which it is noted what there is: a game takes seconds to make."""


class Occupied(Exception):
    """The folder cannot be used for a site; the sentence says why."""


class Folder:
    """``put`` every file of the site, or ``keep`` it, then ``end``. Raises :class:`Occupied` for a folder of others."""

    def __init__(self, root: Path) -> None:
        self._root, self.written, self.removed = root, 0, 0
        self._now: dict[str, str] = {}
        try:
            others = [path.name for path in root.iterdir()] if root.exists() else []
            self._before: dict[str, str] = json.loads((root / MANIFEST).read_text()) if MANIFEST in others else {}
        except (OSError, ValueError) as error:
            raise Occupied(f"{root} cannot be read: {error}.") from error
        if MANIFEST not in others and (strange := sorted(name for name in others if not name.startswith("."))):
            raise Occupied(f"{root} holds {strange[0]}, which is not of a site. Choose an empty folder.")
        root.mkdir(parents=True, exist_ok=True)
        if MANIFEST not in others:  # so that it can go on where it was broken off
            (root / MANIFEST).write_text("{}")

    def __len__(self) -> int:
        return len(self._now)

    def __contains__(self, name: str) -> bool:
        return name in self._now

    def keep(self, name: str, source: str) -> bool:
        """Whether a file is there that was made of the same; it stays as it is."""
        if self._before.get(name) != source or not (self._root / name).is_file():
            return False
        self._now[name] = source
        return True

    def put(self, name: str, content: bytes, source: str = "") -> None:
        """Write a file unless it is there; ``source`` tells what it was made of, nothing: what is in it."""
        self._now[name] = source or hashlib.sha256(content).hexdigest()[:32]
        if self._write(name, content):
            self.written += 1
            if self.written % NOTED_EVERY == 0:
                self._note({**self._before, **self._now})

    def end(self) -> None:
        """Remove what was of the site before and is no longer, and note what is."""
        for name in self._before.keys() - self._now.keys():
            (self._root / name).unlink(missing_ok=True)
            self.removed += 1
        self._note(self._now)

    def _note(self, files: Mapping[str, str]) -> None:
        """What was written is known then, also when it is broken off."""
        self._write(MANIFEST, json.dumps(dict(sorted(files.items())), indent=0).encode())

    def _write(self, name: str, content: bytes) -> bool:
        """Whether it was not there like this already."""
        path = self._root / name
        if path.is_file() and path.read_bytes() == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(content)
        os.replace(part, path)
        return True
