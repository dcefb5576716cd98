"""Sentences are found where they stand, go out to translators and come back; what is still missing is told."""

import gettext
import re
import warnings
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from pbem.language import compiling, languages
from tests.messages import batches, catalogues, checks
from tests.messages.found import Message, Unreadable, messages, of_python, of_template

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


def test_templates_give_whole_sentences_with_their_notes() -> None:
    source = """
        {# TRANSLATORS: of a board #}
        {{ _('Read <a href="{url}">this</a>.', url=url) }} 
{{ pgettext("colour", "red") }}
        {% if ngettext("{n} link", "{n} links", n) %}{% endif %}"""
    assert list(of_template(source, "x.html")) == [
        Message('Read <a href="{url}">this</a>.', places=["x.html"], comments=["of a board"]),
        Message("red", context="colour", places=["x.html"]),
        Message("{n} link", "{n} links", places=["x.html"]),
    ]


def test_rules_give_whole_sentences_with_their_notes() -> None:
    source = """
# TRANSLATORS: of a
# share
a = say("{who} pays.", who=1) if x else count_say("{n} cube", "{n} cubes", n)
def refuse(rule, one): return say(one)
b = refuse("R1", "Not " "so." if x else "No.")"""
    assert list(of_python(source, "x.py")) == [
        Message("{who} pays.", places=["x.py"], comments=["of a share"]),
        Message("{n} cube", "{n} cubes", places=["x.py"], comments=["of a share"]),
        Message("Not so.", places=["x.py"]),
        Message("No.", places=["x.py"]),
    ]


@pytest.mark.parametrize("code", ['say(f"{n} cubes")', 'say("a " + b)', 'say("{}".format(a))', "one = 'a'\nsay(one)"])
def test_a_sentence_that_is_put_together_is_told(code: str) -> None:
    with pytest.raises(Unreadable, match=r"x\.py:"):
        list(of_python(code, "x.py"))


def test_a_method_that_is_named_like_a_mark_is_none() -> None:
    assert list(of_python("replies.refuse(office, number, why)", "x.py")) == []


def test_a_template_that_marks_no_sentence_is_told() -> None:
    with pytest.raises(Unreadable, match=r"x\.html:1"):
        list(of_template('{{ _("a " ~ b) }}', "x.html"))


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("Ver {nome}", "has the parameters"),
        ("Ver {name", "braces"),
        ("Ver {name}</b>", "other tags"),
        ('Ver "{name}"', "straight quote"),
        ("Ver {name} & co", "bare &"),
        (" Ver {name}", "space"),
    ],
)
def test_a_translation_that_does_not_fit_is_refused(form: str, why: str) -> None:
    (wrong,) = checks.wrong("See {name}", "", [form], 1)
    assert why in wrong


@pytest.mark.parametrize("form", ["Da {money} y 2 puntos.", "Da ${money} y 3 puntos.", "Da ${money} y puntos."])
def test_a_translation_with_other_figures_is_refused(form: str) -> None:
    (wrong,) = checks.wrong("It brings ${money} and 2 points.", "", [form], 1)
    assert "figures" in wrong
    assert checks.wrong("More than 1,500 a minute", "", ["Más de 1500 por minuto"], 1) == []


def test_polish_has_three_forms_and_says_for_which_numbers() -> None:
    assert batches.examples(Catalog(locale="pl")) == [
        "1",
        "2, 3, 4, 22, 23, 24, …",
        "0, 5, 6, 7, 8, 9, …",
    ]


def test_translations_go_out_and_come_back(tmp_path: Path) -> None:
    sentences = [Message("See {name}.", places=["a.html"]), Message("{n} cube", "{n} cubes", places=["a.html"])]
    found = {(message.context, message.one): message for message in sentences}
    catalogue = catalogues.updated(Catalog(locale="pl"), sentences)
    batches.write(tmp_path / "a.json", list(batches.untranslated(catalogue, found)))
    batch = batches.read(tmp_path / "a.json")
    batch[0]["translation"] = "Zobacz {name}."
    batch[1]["translation"] = ["{n} kostka", "{n} kostki"]
    assert batches.take(catalogue, found, batch) == (1, ["“{n} cube”: there must be 3 forms, not 2."])
    again = catalogues.updated(catalogue, sentences)
    assert [item["key"] for item in batches.untranslated(again, found)] == ["{n} cube"]


def test_a_sentence_that_is_gone_leaves_its_translation_behind() -> None:
    before = catalogues.updated(Catalog(locale="pl"), [Message("Old.")])
    found = catalogues.entry(before, ("", "Old."))
    assert found is not None
    found.string = "Stare."
    gone = catalogues.updated(before, [Message("New.")])
    back = catalogues.entry(catalogues.updated(gone, [Message("Old.")]), ("", "Old."))
    assert catalogues.entry(gone, ("", "Old.")) is None
    assert back is not None
    assert back.string == "Stare."


def test_every_translation_that_is_there_fits_its_sentence() -> None:
    for code in catalogues.codes():
        catalogue = catalogues.read(code)
        for found in catalogue:
            one, many = found.id if isinstance(found.id, tuple) else (str(found.id), "")
            if one and catalogues.filled(found):
                forms = list(map(str, found.string or ())) if many else [str(found.string)]
                assert checks.wrong(one, many, forms, catalogue.num_plurals if many else 1) == [], code


def test_what_rows_of_earlier_versions_say_is_still_translated(tmp_path: Path) -> None:
    """Reasons of robots and of refusals are stored as the sentences they were."""
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "pbem.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Pass"\nmsgstr "Pas"\n\n'
        '#~ msgid "Passed {n} time."\n#~ msgid_plural "Passed {n} times."\n'
        '#~ msgstr[0] "{n} pas"\n#~ msgstr[1] "{n} pasy"\n#~ msgstr[2] "{n} pasów"\n\n'
        '#~ msgid "Pass"\n#~ msgstr "Stary"\n'
    )
    compiling.compile_all(tmp_path)
    with (folder / "pbem.mo").open("rb") as file:
        found = gettext.GNUTranslations(file)
    said = [found.ngettext("Passed {n} time.", "Passed {n} times.", n) for n in (1, 2, 5)]
    assert said == ["{n} pas", "{n} pasy", "{n} pasów"]
    assert found.gettext("Pass") == "Pas"


@pytest.mark.filterwarnings("default::UserWarning")
def test_a_sentence_that_lacks_a_translation_is_a_warning() -> None:
    for code, lacking in catalogues.lacking(messages()).items():
        if lacking:
            warnings.warn(f"{code} shows {len(lacking)} sentences in English: {lacking[:3]}", stacklevel=1)


def test_a_release_needs_every_sentence_of_a_whole_language() -> None:
    sentence = Message("Nobody has translated this.")
    lacking = catalogues.lacking({("", sentence.one): sentence})
    assert lacking == {code: [("", sentence.one)] for code in catalogues.WHOLE}


def test_the_table_names_only_languages_that_are_there() -> None:
    """``make messages`` writes it, and how much of each is done."""
    stated = re.findall(r"^\| .+? \| `(\w+)` \| \d+ %", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(catalogues.WHOLE) <= set(stated) <= {language.code for language in languages()}
