"""Letters are written without the state of a game: no template is given anything that leads to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jinja2 import nodes

from pbem.age_of_steam.state import State
from pbem.mail.content import content, table_of
from pbem.mail.environment import environment
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
    owns = {view.envelope.kind: view.own for view in LETTERS.values()}
    for name in environment().list_templates(filter_func=lambda name: "/" in name):
        kind, _, _ = name.partition("/")
        assert [named for named in _own(name) if not hasattr(owns[kind], named)] == [], name


def _own(template: str) -> Iterator[str]:
    """What a template asks of ``own``."""
    loader = environment().loader
    assert loader is not None
    source, _, _ = loader.get_source(environment(), template)
    for node in environment().parse(source).find_all(nodes.Getattr):
        if isinstance(node.node, nodes.Name) and node.node.name == "own":
            yield node.attr
