"""What is written quickly is what the libraries write, and a letter that has been written leaves nothing behind."""

from __future__ import annotations

import gc
import textwrap
from email.headerregistry import Address
from typing import Any

import css_inline
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail import writing
from pbem.mail.compose import LETTER_POLICY, _mailbox, compose
from pbem.mail.environment import LetterContext, environment
from pbem.mail.inlining import inlined
from pbem.mail.words import COLUMNS, fill
from tests.mail.test_hostile import TEXTS, poisoned
from tests.mail.views import LETTERS

ATOMS = st.text("abcXYZ019!#$%&'*+/=?^_`{|}~-", min_size=1, max_size=20)
NAMES = st.text("abc XY'-_?=!.,<>@\"\\é", max_size=40)
LINES = st.lists(st.text("abcé-—.,()", min_size=1, max_size=90), min_size=1, max_size=40).map(" ".join)


def test_a_letter_leaves_nothing_that_has_to_be_looked_for() -> None:
    """What refers to each other stays until Python looks for it: a thousand objects for each letter that was sent."""
    asking = [view for view in LETTERS.values() if view.asked][:3]
    for view in asking:
        compose(view, None)
    gc.collect()
    gc.disable()
    try:
        for view in asking:
            compose(view, None)
        assert gc.collect() < 10
    finally:
        gc.enable()


def test_what_templates_include_is_part_of_them_and_takes_no_context_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    class Counted(LetterContext):
        def __init__(self, *of: Any, **more: Any) -> None:
            super().__init__(*of, **more)
            made.append(self.name or "")

    monkeypatch.setattr(environment(), "context_class", Counted)
    writing.write(LETTERS["your-turn-move"], "board@pbem")
    assert set(made) == {
        "your-turn/body.html",
        "your-turn/body.txt",
        "your-turn/subject.txt",
        "_parts.html",
    }


def test_styles_stand_in_the_tags_as_the_library_writes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def note(html: str) -> str:
        made.append(html)
        return ""

    monkeypatch.setattr(writing, "inlined", note)
    for name, view in LETTERS.items():
        writing.write(view, "board@pbem")
        if view.asked or view.talk:
            writing.write(poisoned(name, TEXTS["quotes"]), "")
    library = css_inline.CSSInliner(keep_at_rules=False, load_remote_stylesheets=False)
    assert len(made) > len(LETTERS)
    for html in made:
        assert inlined(html) == library.inline(html)


@given(NAMES, ATOMS, st.lists(st.text("ab019-", min_size=1, max_size=12), min_size=1, max_size=4))
def test_an_address_in_a_header_is_written_as_the_library_writes_it(name: str, local: str, domain: list[str]) -> None:
    address = f"{local}@{'.'.join(domain)}"
    header = LETTER_POLICY.header_store_parse("Reply-To", Address(name, addr_spec=address))
    assert _mailbox("Reply-To", name, address) == LETTER_POLICY.fold_binary(*header)


@given(LINES, st.sampled_from((0, 2, 20)), st.sampled_from(("", "- ", " " * 30)))
def test_paragraphs_are_wrapped_as_the_library_wraps_them(line: str, hang: int, first: str) -> None:
    wrapped = textwrap.fill(line, COLUMNS, initial_indent=first, subsequent_indent=" " * hang, break_on_hyphens=False)
    assert fill(line, hang, first) == wrapped
