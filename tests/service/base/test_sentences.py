"""Sentences in columns are read in the language of whoever looks."""

from __future__ import annotations

from pbem.engine.text import count_say, say
from pbem.service.base import sentences


def test_a_sentence_comes_back_whole() -> None:
    for sentence in (say("The answer was {code}.", code=503), count_say("{n} day", "{n} days", 2)):
        assert sentences.read(sentences.kept(sentence, 300)) == sentence


def test_one_that_is_too_long_and_text_of_older_versions_stand_as_they_are() -> None:
    long = say("It said {what}", what="x" * 400)
    assert len(kept := sentences.kept(long, 300)) == 300
    assert str(sentences.read(kept)) == str(long)[:300]
    for text in ("The answer was 503.", "", "[1]", "{not json", "7", '{"say": 1, "with": 2}'):
        assert str(sentences.read(text)) == text
