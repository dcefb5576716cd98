"""Letters are written without the state of a game, and each sentence of theirs stands in one template."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from textwrap import dedent

import pytest
from jinja2 import TemplateNotFound, nodes

from pbem.age_of_steam.state import State
from pbem.mail.content import content, table_of
from pbem.mail.environment import environment
from pbem.service.letters import kinds
from pbem.service.letters.kinds import LetterKind
from pbem.views.games import GameView
from tests.mail.game import START
from tests.mail.views import LETTERS
from tests.reachable import reachable

SHORTEST = 4
"""Words of the shortest text that counts as a sentence: labels stand where they are laid out."""


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
    given = set(kind.__struct_fields__)
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


def _sentences(template: str) -> Iterator[str]:
    """What a template says in a whole sentence."""
    loader = environment().loader
    assert loader is not None
    source, _, _ = loader.get_source(environment(), template)
    for call in environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in ("_", "ngettext"):
            said = call.args[0]
            if isinstance(said, nodes.Name):
                continue  # a text that is gathered where it stands
            assert isinstance(said, nodes.Const)
            if said.value.endswith(".") and len(said.value.split()) >= SHORTEST:
                yield said.value


def test_a_sentence_of_a_letter_stands_in_one_template_alone() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for template in environment().list_templates():
        for said in _sentences(template):
            places[said].add(template)
    assert len(places) > 80
    assert {said: sorted(where) for said, where in places.items() if len(where) > 1} == {}


def test_a_sentence_of_both_parts_is_escaped_and_marked_in_the_html_alone() -> None:
    said = {}
    for ending in ("txt", "html"):
        values = content(LETTERS["away"], table_of(LETTERS["away"]), html=ending == "html")
        values |= {"player": "<Ann>", "deadline": START}
        said[ending] = environment().get_template(f"_answers_by.{ending}").render(values)
    assert said["txt"].startswith("<Ann> answers by Friday 6 November, 20:51 (")
    assert said["html"].startswith("&lt;Ann&gt; answers by <strong>Friday 6 November, 20:51</strong> (")


@pytest.mark.parametrize("name", ["_no_such.txt", "_no_such.html", "_no_such.jinja", "answers_by"])
def test_a_template_that_is_missing_is_an_error(name: str) -> None:
    with pytest.raises(TemplateNotFound, match=name.partition(".")[0]):
        environment().get_template(name)
