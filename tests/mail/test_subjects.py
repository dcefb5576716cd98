"""Subjects say what is to be done and until when, then the title of the game, in sixty characters in each language."""

import ast
import re
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import Say, replace, say
from pbem.language import languages, reading
from pbem.language.times import Calendar
from pbem.language.voice import spoken
from pbem.mail.writing import NO_TITLE, SUBJECT, write
from pbem.views.letters import LetterView
from tests.mail.test_hostile import poisoned
from tests.mail.views import LETTERS, addressed
from tests.messages.found import ROOT

LONG = "Wielkopolska Kolej Żelazna Extraordinária"
"""A title of a game, and the name of everybody in it, that fits nowhere."""
each_language = pytest.mark.parametrize("language", [language.code for language in languages()])
each_letter = pytest.mark.parametrize("name", LETTERS)
DATED = ("your-turn", "reminder", "refused", "lesson")
"""Kinds with a deadline."""


def subject(view: LetterView, language: str) -> str:
    return write(addressed(view, language=language), "").subject


def short(view: LetterView, language: str) -> str:
    """The deadline as a subject has it."""
    assert view.game is not None
    assert view.game.deadline is not None
    with reading(language):
        return spoken(Calendar(view.envelope.zone, view.envelope.now).short(view.game.deadline))


@cache
def acts() -> list[Say]:
    """What games ask, as the second line of every ``Question(`` has it."""
    found = set()
    for folder in ("pbem", "maps"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found |= {text for call in ast.walk(_parsed(path)) if (text := _act(call))}
    return [say(text, number=48) for text in sorted(found)]


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _act(call: ast.AST) -> str:
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Question":
        said = call.args[2]
        if isinstance(said, ast.Call) and isinstance(said.args[0], ast.Constant):
            return str(said.args[0].value)
    return ""


@each_language
@each_letter
def test_a_subject_has_sixty_characters_at_most_and_ends_with_the_title(name: str, language: str) -> None:
    said = subject(LETTERS[name], language)
    assert len(said) <= SUBJECT
    if LETTERS[name].game is not None:
        assert re.search(r"[^\[] \[Slow.*\]$", said) or said.endswith(" [Steam to Sligo]")


@each_language
@each_letter
def test_long_titles_and_names_are_cut_before_what_is_to_be_done(name: str, language: str) -> None:
    view = poisoned(name, LONG)
    said = subject(view, language)
    assert len(said) <= SUBJECT
    if view.game is not None:
        title = re.search(r" \[(.*)\]$", said)
        assert title is not None, said
        assert len(title[1]) >= NO_TITLE + 1
        assert title[1] == LONG or (title[1].endswith("…") and LONG.startswith(title[1][:-1].rstrip()))
    if view.envelope.kind in DATED and view.asked is not None:
        assert short(view, language) in said


@each_language
@pytest.mark.parametrize("kind", ["your-turn-build", "reminder", "refused", "lesson", "lesson-again"])
def test_whatever_is_asked_its_deadline_is_whole(kind: str, language: str) -> None:
    view = LETTERS[kind]
    assert view.asked is not None
    assert view.game is not None
    midweek = replace(view.game, deadline=datetime(2026, 12, 2, 22, 59, tzinfo=view.envelope.now.tzinfo))
    for game in (view.game, midweek):
        assert game.deadline is not None
        late = replace(view, game=game, envelope=replace(view.envelope, now=game.deadline - timedelta(days=2)))
        for act in acts():
            asked = replace(view.asked, question=replace(view.asked.question, act=act))
            said = subject(replace(late, asked=asked), language)
            assert len(said) <= SUBJECT
            assert short(late, language) in said
            assert re.search(r" \[Slow.*\]$", said), said


def test_the_acts_of_both_games_and_their_maps_are_looked_at() -> None:
    said = {act.one for act in acts()}
    assert {"Build track", "Choose a hand to draw from", "Choose who gets the transcontinental bonus"} <= said


def test_the_number_of_the_turn_is_there_where_it_leaves_something_of_the_title() -> None:
    view = LETTERS["your-turn-build"]
    assert subject(view, "en") == "Build track, by Sun 02:51 (turn 3) [Slow train to Duluth]"
    assert view.game is not None
    longer = replace(view, game=replace(view.game, title="Slow train to Duluth and back to Chicago"))
    assert subject(longer, "en") == "Build track, by Sun 02:51 (turn 3) [Slow train to Duluth a…]"


def test_a_letter_without_a_game_has_no_brackets() -> None:
    assert subject(LETTERS["login"], "en") == "Your link to pbem"


def test_no_other_language_speaks_of_twenty_four_o_clock() -> None:
    view = LETTERS["your-turn-build"]
    assert view.game is not None
    night: Any = replace(view.game, deadline=datetime(2026, 11, 29, tzinfo=view.envelope.now.tzinfo))
    for language in languages():
        written = write(addressed(replace(view, game=night), language=language.code), "")
        for part in (written.subject, written.text, written.html):
            assert "23:59" in part
            assert "24:00" not in part
