"""What both parts of a letter say stands once: a sentence that is mended in one of them is mended in the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pytest
from jinja2 import TemplateNotFound, nodes

from pbem.mail.content import content, table_of
from pbem.mail.environment import environment
from tests.mail.game import START
from tests.mail.views import LETTERS

SHORTEST = 4
"""Words of the shortest text that counts as a sentence: labels stand where they are laid out."""


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
    with pytest.raises(TemplateNotFound, match=name):
        environment().get_template(name)
