"""``_``, ``ngettext`` and ``pgettext`` of templates, and the language they are read in."""

from collections.abc import Iterator

import pytest
from jinja2 import Environment
from markupsafe import Markup

from pbem.engine import Who, say
from pbem.engine.text import PLAIN
from pbem.language import current, language, markup, reading
from pbem.web.base.voices import PageVoice
from tests.speaking import angled, spoken_as


@pytest.fixture
def swapped() -> Iterator[str]:
    with spoken_as(angled, "xx") as code:
        yield code


def _page(source: str, **values: object) -> str:
    environment = Environment(autoescape=True)
    markup.install(environment, lambda _context: PageVoice(PLAIN))
    return environment.from_string(source).render(**values)


def test_a_sentence_keeps_its_tags_and_escapes_its_values() -> None:
    page = _page("""{{ _('See <a href="{url}">{name}</a>.', url="/?a=1&b=2", name=name) }}""", name="<b>Ana</b>")
    assert page == 'See <a href="/?a=1&amp;b=2">&lt;b&gt;Ana&lt;/b&gt;</a>.'
    assert _page("{{ _('{name} is out.', name=name) }}", name=Markup("<b>Ana</b>")) == "<b>Ana</b> is out."


def test_values_that_are_sentences_are_read_out() -> None:
    page = _page("{{ _('Why: {why}', why=why) }}", why=say("{who} has < 3.", who=Who("pink")))
    assert page == 'Why: <b class="who pink">Pink</b> has &lt; 3.'


def test_numbers_decide_the_form_of_a_sentence() -> None:
    source = "{{ ngettext('{n} link', '{n} links', n) }}"
    assert [_page(source, n=n) for n in (0, 1, 2)] == ["0 links", "1 link", "2 links"]


def test_templates_and_rules_speak_the_language_of_the_reader(swapped: str) -> None:
    source = "{{ _('A.') }} {{ ngettext('{n} cube', '{n} cubes', 2) }} {{ pgettext('colour', 'red') }} {{ read(why) }}"
    with reading(swapped):
        page = _page(source, why=say("Out."), read=PageVoice(PLAIN).read)
    assert page == "«A.» «2 cubes» «red» «Out.»"
    assert _page("{{ _('A.') }} {{ pgettext('colour', 'red') }}") == "A. red"


def test_records_and_logs_stay_english(swapped: str) -> None:
    with reading(swapped):
        assert str(say("Out.")) == "Out."


def test_a_language_that_is_not_there_is_english() -> None:
    with reading("tlh") as found:
        assert found is current() is language("en")
