"""Whoever has a seat reads of it as "you": each sentence that names a player says what it is to that player."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem.mail.clocks
import pbem.service.archive.course
import pbem.service.games.takeback  # noqa: F401 - whose sentences are looked at
from pbem.engine import Say, Who, catalog, count_say, say
from pbem.engine.text import PlainVoice, forms_to_reader
from pbem.service.games import proposals
from tests.messages.found import KEYWORDS, PLACE, PYTHON, ROOT

OF_OTHERS = {
    "It is {other}'s turn in {phase}, not yours.",
    "Track on {hex} would join {owner}'s track at its side {side}.",
    "The track on {hex} belongs to {owner} and must stay as it is.",
    "A section of {player} from {place} ends here, on the {side} side.",
    "A link of {player} runs here: {a}–{b}.",
    "An unfinished section of {player} from {place} lies here.",
    "{player} bids ${amount}.",
    "${paid}, taken by {player}",
    "Draw from the hand of {player}",
    "you draw from {player}",
    "You are the nominal first player; {other} is asked after you.",
    "{other} may then pay ${price} to be first; if not, you are.",
    "{other} is the nominal first player and did not pay.",
    "{other} is first without paying.",
    "You act for {company}: the train drawn from the bag says which of your companies takes this action. "
    "Track and factories are its own, money and contracts are yours.",
    "{player}: {why}",
    "{player} for {company}",
}
"""Sentences that are only said to others than the player whom they name: "you" stands in them already, who bids is not
asked, robots give reasons and read none, and what is on a picture is the same for all."""


class Reader(PlainVoice):
    """English, said to one player."""

    def __init__(self, reader: str) -> None:
        self.reader = reader


def named() -> Iterator[tuple[str, str, str]]:
    """Sentences with the place in which they name a player, and where they stand."""
    for folder in PYTHON:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _named_in(path)


def _named_in(path: Path) -> Iterator[tuple[str, str, str]]:
    tree = ast.parse(path.read_text("utf-8"))
    loose = set(_loose(tree))
    for call in ast.walk(tree):
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if not isinstance(call, ast.Call) or name not in KEYWORDS:
            continue
        sentences = [
            text.value
            for argument in call.args[KEYWORDS[name][0] : KEYWORDS[name][0] + 1]
            for text in ast.walk(argument)
            if isinstance(text, ast.Constant) and isinstance(text.value, str)
        ]
        for sentence in sentences:
            places = {keyword.arg for keyword in call.keywords if keyword.arg and _is_player(keyword.value, loose)}
            if any(keyword.arg is None for keyword in call.keywords):
                places |= loose & {place[1:-1] for place in PLACE.findall(sentence)}
            for place in sorted(places):
                yield sentence, place, path.relative_to(ROOT).as_posix()


def _loose(tree: ast.Module) -> Iterator[str]:
    """Names of values of a module that are players: keys of dictionaries, and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and _is_player(value, set()):
                    yield key.value
        elif isinstance(node, ast.Assign):
            targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for target, value in zip(targets, values, strict=False):
                if isinstance(target, ast.Name) and _is_player(value, set()):
                    yield target.id


def _is_player(value: ast.expr, loose: set[str]) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="Who")) | ast.Call(func=ast.Attribute(attr="who", value=ast.Name(id="asked"))):
            return True
        case ast.Attribute(value=ast.Name(id="asked"), attr="player"):
            return True
        case ast.Name(id=name):
            return name in loose
        case ast.IfExp(body=body, orelse=orelse):
            return _is_player(body, loose) or _is_player(orelse, loose)
    return False


def test_every_sentence_that_names_a_player_says_what_it_is_to_that_player() -> None:
    assert catalog.sheets()  # which reads what stands in the folders of maps
    assert proposals.every()
    forms, found = forms_to_reader(), list(named())
    missing = [
        f"{where}: “{sentence}” has no form for {{{place}}}: to_reader(…)"
        for sentence, place, where in found
        if sentence not in OF_OTHERS and place not in forms.get(sentence, ())
    ]
    assert missing == []
    assert len(found) > 80
    sentences = {sentence for sentence, _, _ in found}
    assert sentences >= OF_OTHERS


def test_no_form_is_of_a_sentence_that_is_not_said_any_more() -> None:
    sources = "\n".join(path.read_text("utf-8") for folder in PYTHON for path in sorted((ROOT / folder).rglob("*.py")))
    plain = re.sub(r'"\s*\n\s*f?"', "", sources)
    assert [one for one in forms_to_reader() if plain.count(f'"{one}"') < 2] == []


def test_the_reader_is_you_and_others_have_their_names() -> None:
    bid = say("{player} bid ${amount}.", player=Who("red"), amount=3)
    assert (bid.read(Reader("red")), bid.read(Reader("blue"))) == ("You bid $3.", "Red bid $3.")
    assert str(bid) == "Red bid $3."
    stolen = say("{player} drew a contract from the hand of {victim}.", player=Who("red"), victim=Who("blue"))
    assert stolen.read(Reader("red")) == "You drew a contract from the hand of Blue."
    assert stolen.read(Reader("blue")) == "Red drew a contract from your hand."
    assert stolen.read(Reader("green")) == "Red drew a contract from the hand of Blue."


@pytest.mark.parametrize(
    ("shares", "said"), [(1, "You issued 1 share and have $5."), (2, "You issued 2 shares and have $5.")]
)
def test_a_number_decides_the_form_to_the_reader_too(shares: int, said: str) -> None:
    one, many = "{player} issued {n} share and has ${cash}.", "{player} issued {n} shares and has ${cash}."
    assert count_say(one, many, shares, player=Who("red"), cash=5).read(Reader("red")) == said


def test_in_a_list_the_reader_is_you_and_whoever_wins_with_others_is_told_with_whom() -> None:
    order = say("Turn order: {players}.", players=(Who("red"), Who("blue"), Who("green")))
    assert order.read(Reader("blue")) == "Turn order: Red, you and Green."
    won = say("The game is over: {players} share the victory.", players=(Who("red"), Who("blue"), Who("green")))
    assert won.read(Reader("blue")) == "The game is over: you share the victory with Red and Green."


def test_nobody_is_no_reader() -> None:
    assert Say("{player} bid ${amount}.", {"player": Who(""), "amount": 1}).read(Reader("")) == " bid $1."
