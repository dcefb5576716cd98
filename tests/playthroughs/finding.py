"""Looks for games of robots that are worth keeping: with every option, number of players and way to end."""

import random
import re
from collections.abc import Iterator, Mapping

from pbem import robot
from pbem.engine import Sheet, State, replace
from pbem.engine.chance import NotedChance, SeededChance, commitment
from pbem.engine.record import Entry, Record, replay, result_lines, start
from tests.every_map.games import MOST_ORDERS, seed_of
from tests.playthroughs.telling import Game, Line, ending

SENSES = (0.95, 0.2, 0.6, 0.95)
"""How much robots think, in turn: the last ones go bankrupt, or do what no sensible player does."""
USUAL, LONG = "to-the-last-turn", "to-the-end"
"""Games with a fixed number of turns and others."""
ENDS = (USUAL, "shared-victory", "one-survivor", "no-survivor")
"""Ends that are looked for on every sheet that several people play; not every sheet has them all."""
ALONE = {
    r"All shares": "shares-bought-back",
    r"The shares could not": "shares-left",
    r"Bankrupt in turn \d+: ": "bankrupt",
    r"Bankrupt in turn \d+ with income \S+: ": "bankrupt-too-early",
    r"Bankrupt in turn \d+ with income \S+\. ": "bankrupt-with-a-rating",
    r"A game alone": "scored",
}
"""How the sentences on a game that was played alone begin, and how that end is called here."""
ENDS_OF = {
    "barbados": ("bankrupt", "shares-left", "shares-bought-back"),
    "detroit_solo": ("bankrupt-too-early", "bankrupt-with-a-rating"),
    "france": (USUAL, "shared-victory"),  # nobody is eliminated there (R117a)
    "detroit": ("one-survivor", "no-survivor", "no-survivor-shared"),
    **dict.fromkeys(("ireland", "northern_england", "northern_italy"), (LONG, "tie-broken", "shared-victory")),
    **{f"{slug}_solo": ("scored",) for slug in ("ireland", "northern_england", "northern_italy")},
}
"""Of sheets that end in other ways."""
FIRST = 1000
"""The number of the first game that is looked at for what is lacking."""
VARIED = 0.5
"""How much robots think when they take the last decisions of a kept game otherwise."""
Trait = int | str | tuple[str, str]
"""Something a kept game is to show: a number of players, an end, a choice of an option."""


def complete(sheet: Sheet, kept: list[Game], most: int) -> Iterator[Record]:
    """Games with the options, numbers of players and ends that none of those kept has."""
    lacking = wanted(sheet) - {trait for game in kept for trait in traits(sheet, game.record, game.lines[-1])}
    for number in range(most):
        if not lacking:
            return
        record = _try_for(sheet, lacking, kept, number)
        if found := lacking & traits(sheet, record, last_line(sheet, record)):
            lacking -= found
            yield record


def _try_for(sheet: Sheet, lacking: set[Trait], kept: list[Game], number: int) -> Record:
    """A game that may have something that is lacking; for a tie the last decisions of a kept game, taken otherwise."""
    counts = sheet.player_counts()
    defaults = {option.key: option.default for option in sheet.options()}
    choices = sorted(trait for trait in lacking if isinstance(trait, tuple))[:1]
    players = min((trait for trait in lacking if isinstance(trait, int)), default=counts[number % len(counts)])
    whole = [game.record for game in kept if end_of(sheet, game.lines[-1]) in (USUAL, LONG, "tie-broken")]
    if not choices and whole and number % 4:
        return varied(sheet, whole[number % len(whole)], FIRST + number)
    sense = SENSES[number % len(SENSES)] if len(counts) > 1 else 1.0
    return recorded(sheet, FIRST + number, sheet.colours[:players], defaults | dict(choices), sense)


def varied(sheet: Sheet, record: Record, number: int) -> Record:
    """The same game until shortly before its end, with the last decisions taken with less sense."""
    same = record.turns[: len(record.turns) * 9 // 10]
    *_, last = replay(sheet, replace(record, turns=same))
    return _played_on(sheet, replace(record, turns=same), last.state, random.Random(number), VARIED)


def wanted(sheet: Sheet) -> set[Trait]:
    """Every number of players, every choice of every option, every end."""
    choices = {(option.key, choice) for option in sheet.options() for choice in option.choices}
    return {*sheet.player_counts(), *choices, *ENDS_OF.get(sheet.slug, ENDS)}


def traits(sheet: Sheet, record: Record, last: Line) -> set[Trait]:
    """What a game with this last line has of it."""
    return {len(record.players), *record.options.items(), end_of(sheet, last)}


def last_line(sheet: Sheet, record: Record) -> Line:
    """What is told of the end of a game."""
    *_, played = replay(sheet, record)
    return ending(sheet, played.state)


def recorded(sheet: Sheet, number: int, seats: tuple[str, ...], options: Mapping[str, str], sense: float) -> Record:
    """A whole game as a record with seed, rolls and result."""
    seed = seed_of(number)
    record = Record(sheet.game, sheet.slug, options, seats, (), seed=seed, commitment=commitment(seed))
    return _played_on(sheet, record, start(sheet, record)[0].state, random.Random(number), sense)


def _played_on(sheet: Sheet, record: Record, state: State, luck: random.Random, sense: float) -> Record:
    """The record of a game that robots play to its end from where it is."""
    turns = list(record.turns)
    while not sheet.over(state):
        assert len(turns) < MOST_ORDERS, f"a game of {sheet.name} does not end"
        turn, phase, seat = sheet.turn(state), sheet.phase(state), str(sheet.to_act(state))
        order = robot.choose(sheet, state, luck, sense)
        chance = NotedChance(SeededChance(record.seed, sheet.place(state)))
        state = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
        turns.append(Entry(turn, phase, seat, order, tuple(chance.notes) or None))
    return replace(record, turns=tuple(turns), result=result_lines(sheet, state))


def end_of(sheet: Sheet, line: Line) -> str:
    """How a game ended whose last line this is."""
    if line["verdict"] is not None:
        (end,) = (end for beginning, end in ALONE.items() if re.match(beginning, line["verdict"]))
        return end
    scores = [score for _, _, score, out, _ in line["table"] if not out]
    shared = "-shared" if len(line["winners"]) > 1 else ""
    if len(scores) < 2:
        return ("no-survivor", "one-survivor")[len(scores)] + shared
    if shared:
        return "shared-victory"
    if scores[0] == scores[1] is not None:
        return "tie-broken"
    if len(scores) < len(line["table"]):
        return "some-bankrupt"
    return USUAL if sheet.turns(len(line["table"])) else LONG


def name_of(sheet: Sheet, record: Record, last: Line) -> str:
    """Map, number of players and end; options that were not the default."""
    defaults = {option.key: option.default for option in sheet.known_options()}
    chosen = [f"{key}={value}" for key, value in record.options.items() if value != defaults[key]]
    return "-".join((record.map, str(len(record.players)), end_of(sheet, last), *chosen))
