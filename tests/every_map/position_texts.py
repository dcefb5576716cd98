"""Positions of whole games written as text and read back, for every sheet."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle

from pbem.engine import Refused, Sheet, State, Step
from pbem.engine.chance import SeededChance
from pbem.engine.position_text import COLUMNS, as_text, spoken
from pbem.language import languages, reading
from pbem.language.position_letters import read_letter
from pbem.language.voice import GameVoice
from tests.every_map.games import deal, play, seed_of
from tests.every_map.random_player import RandomPlayer

LARGEST = 5_000
"""Bytes of a position."""
BEGUN = 5
"""Of so many builds one is begun and not ended besides."""
NAMES = ("Ana", "Smith, John: jr.", "rosa", "Chloé 7", "nobody", "green")
"""Some of them could be taken for something else."""
LANGUAGES = tuple(language.code for language in languages())


def names_of(state: State) -> dict[str, str]:
    return dict(zip(state.seats, NAMES, strict=False))


def text_of(sheet: Sheet, state: State, names: dict[str, str], viewer: str = "") -> str:
    """In the language that is read."""
    return as_text(spoken(sheet.words(state, viewer), GameVoice(sheet, state, names), names))


def board_text_of(sheet: Sheet) -> str:
    """In the language that is read."""
    return as_text(spoken(sheet.board_words(), GameVoice(sheet, None, {}), ()))


def positions(sheet: Sheet, players: int, number: int, *, thoughtful: bool) -> Iterator[State]:
    """Those of a whole game by robots or by random players, and some builds that are begun and not ended."""
    state = deal(sheet, number, players)
    yield state
    luck = RandomPlayer(sheet, seed_of(number), rash=False)
    steps = (p.step for p in play(sheet, number, state)) if thoughtful else _random_steps(sheet, state, luck)
    for at, step in enumerate(steps):
        yield step.state
        if at % BEGUN == 0 and sheet.phase(step.state) == "build_track":
            yield from _begun(sheet, step.state)


def _random_steps(sheet: Sheet, state: State, luck: RandomPlayer) -> Iterator[Step[State]]:
    while not sheet.over(state):
        _, step = luck.play(state)
        yield step
        state = step.state


def _begun(sheet: Sheet, state: State) -> Iterator[State]:
    """The position after one step of a build, where the map lets it be sent in parts."""
    seat = sheet.to_act(state) or ""
    for order in sheet.placements(state)[-1:]:
        with suppress(Refused):
            moves = sheet.parse(state, f"{order}; more", {})
            yield sheet.play(state, seat, moves, SeededChance(seed_of(0), sheet.place(state))).state


def check_read_back(sheet: Sheet, states: Iterator[State]) -> None:
    """Every position is read back from its text, in one language after the other and for one player after the other."""
    for number, (state, code) in enumerate(zip(states, cycle(LANGUAGES), strict=False)):
        names, viewer = names_of(state), state.seats[number // len(LANGUAGES) % len(state.seats)]
        with reading(code):
            text = text_of(sheet, state, names, viewer)
        assert max(map(len, text.splitlines())) <= COLUMNS
        assert len(text.encode()) <= LARGEST
        position = read_letter(f"Build track, Ana:\n1. nothing\n\n{text}\n\n-- \nA foot.\n", (sheet,)).position
        assert sheet.canonical(position.state, viewer) == sheet.canonical(state, viewer), f"position {number} in {code}"
        assert position.names == names
