"""The kept letters. ``python -m tests.mail.golden`` writes them anew after a wanted change; read what changed.

Only this command writes: no test run does, whatever is set around it.
"""

from collections.abc import Iterator
from pathlib import Path

from pbem.mail.writing import write
from tests.mail.views import LETTERS

GOLDEN = Path(__file__).with_name("golden")


def files(name: str) -> Iterator[tuple[Path, str]]:
    """The files of a letter, and what they would hold if they were written now."""
    written = write(LETTERS[name], "board@pbem")
    yield GOLDEN / f"{name}.txt", f"Subject: {written.subject}\n\n{written.text}"
    yield GOLDEN / f"{name}.html", written.html


if __name__ == "__main__":
    for file in GOLDEN.iterdir():
        file.unlink()
    for letter in LETTERS:
        for file, text in files(letter):
            file.write_text(text, "utf-8")
