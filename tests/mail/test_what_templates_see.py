"""Letters are written without the state of a game: no template is given anything that leads to it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from textwrap import dedent

import pytest
from jinja2 import nodes

from pbem.age_of_steam.state import State
from pbem.mail.content import content, table_of
from pbem.mail.environment import environment
from pbem.service.letters import kinds
from pbem.service.letters.kinds import LetterKind
from pbem.views.games import GameView
from tests.mail.views import LETTERS
from tests.reachable import reachable


@pytest.mark.parametrize("name", LETTERS)
def test_no_letter_is_given_the_state(name: str) -> None:
    for html in (False, True):
        values = content(LETTERS[name], table_of(LETTERS[name]), html)
        assert [way for way, thing in reachable(values) if isinstance(thing, State | GameView)] == []


def test_every_value_of_its_kind_that_a_template_names_is_there() -> None:
    """Also in branches that no letter of these tests takes: only a letter that leaves would find it out."""
    for name in environment().list_templates(filter_func=lambda name: "/" in name):
        kind, _, _ = name.partition("/")
        assert set(_own(name)) <= _given(kinds.named(kind)), name


@pytest.mark.parametrize("name", LETTERS)
def test_the_letters_of_these_tests_say_what_those_of_the_service_do(name: str) -> None:
    assert set(vars(LETTERS[name].own)) <= _given(kinds.named(LETTERS[name].envelope.kind))


def _given(kind: type[LetterKind]) -> set[str]:
    """What templates of a kind are given as ``own``: its fields, and the keys in its ``values``."""
    given = {field.name for field in fields(kind)}
    for declared in kind.__mro__:
        if "values" in vars(declared):
            tree = ast.parse(dedent(inspect.getsource(declared)))
            keys = (key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys)
            given |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    return given


def _own(template: str) -> Iterator[str]:
    """What a template asks of ``own``."""
    loader = environment().loader
    assert loader is not None
    source, _, _ = loader.get_source(environment(), template)
    for node in environment().parse(source).find_all(nodes.Getattr):
        if isinstance(node.node, nodes.Name) and node.node.name == "own":
            yield node.attr
