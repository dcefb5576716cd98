"""Reads a position of Age of Steam from its text."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pbem.age_of_steam.lexicon import COLOURS
from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.position_text import (
    BAG,
    BILL,
    BOX,
    CITIES,
    CUBES,
    DEALT,
    EMPTY,
    FIGURES,
    GONE,
    LAND,
    NEW_CITIES,
    OUT,
    PLAYERS,
    POINTS,
    SEATED,
    in_turn,
)
from pbem.age_of_steam.state import Boxes, Player, State
from pbem.engine import replace
from pbem.engine.moves import SEATS
from pbem.engine.position_text import Misread, Paragraph, ReadPosition, number
from pbem.engine.text import Voice
from pbem.rails.board import Label
from pbem.rails.board_text import DARK, LIGHT
from pbem.rails.position_lines import TableReading, kept_in
from pbem.rails.position_text import POSITION, name_players, read_heading, section
from pbem.rails.walks import Ends, Laid

LETTER: Final = re.compile(r"\((\w)\) \w+$")
"""The letter of a New City before its hex."""


def read(sheet: AgeOfSteamSheet, paragraphs: Sequence[Paragraph], voice: Voice) -> ReadPosition:
    """The state of the text. Raises :class:`Misread`."""
    reading = TableReading(voice, sheet.board, SEATS, COLOURS, sheet.actions)
    sections = {paragraph.head: paragraph.lines for paragraph in paragraphs}
    lines = name_players(reading, section(reading, sections, PLAYERS))
    heading = read_heading(sheet, reading, section(reading, sections, POSITION))
    players = {seat: _player(reading, said) for seat, said in lines.items()}
    seated = heading.said.get(reading.voice.fixed(SEATED))
    seats = tuple(map(reading.seat, seated.split(", "))) if seated else in_turn(sheet, tuple(players))
    table = _Table(sheet, reading)
    for line in section(reading, sections, CITIES):
        table.read_city(line)
    for line in section(reading, sections, NEW_CITIES):
        letter, _, clauses = line.partition(": ")
        table.read_clauses(letter, (letter,), clauses)
    for line in section(reading, sections, LAND):
        place, _, cubes = line.partition(": ")
        table.cubes[reading.hex(place.rpartition(" ")[2])] = reading.cubes(cubes, reading.cube_colours)
    piles = dict(line.split(": ", 1) for line in section(reading, sections, BOX) if ": " in line)
    state = State(
        seats=seats,
        options=heading.options,
        order=tuple(seat for seat, player in players.items() if not player.out),
        players={seat: players[seat] for seat in seats},
        turn=heading.turn,
        phase=heading.phase,
        step=heading.step,
        over=heading.over,
        cubes=table.cubes,
        display=table.display,
        bag=_pile(reading, piles.get(reading.voice.fixed(BAG))),
        gone=_pile(reading, piles.get(reading.voice.fixed(GONE))),
        new_cities=table.new_cities,
        accepts=table.accepts,
        extra=kept_in(reading, sheet.extra, heading.said),
    )
    phase = sheet.phase_of(state)
    laid = Laid(reading, Ends(sheet.board, sheet.place_names(state), tuple(state.new_cities.values())))
    laid.read(paragraphs)
    scratch = kept_in(reading, phase.scratch, heading.said)
    return ReadPosition(replace(state, scratch=scratch, track=laid.track, links=laid.links), reading.names)


def _player(reading: TableReading, said: str) -> Player:
    figures: dict[str, int] = {}
    action, out = None, 0
    for item in said.split(", "):
        word, _, n = item.rpartition(" ")
        if (turn := reading.after(item, OUT)) is not None:
            out = number(turn)
        elif re.fullmatch(r"-?\d+", n):
            figures[reading.fixed(word, (*FIGURES, BILL, POINTS))] = number(n)
        else:
            action = reading.colour(item, reading.actions)
    cash, income, shares, engine = (figures[name] for name in FIGURES)
    return Player(cash, income, shares, engine, action, out)


def _pile(reading: TableReading, said: str | None) -> dict[str, int]:
    """A bag: "red 14, blue 10"."""
    pairs = (item.rpartition(" ") for item in said.split(", ")) if said else ()
    return {reading.colour(word, reading.cube_colours): number(n) for word, _, n in pairs}


class _Table:
    """What lies in Cities and on the display, as far as it is read."""

    def __init__(self, sheet: AgeOfSteamSheet, reading: TableReading) -> None:
        self.sheet, self.reading, self.boxes = sheet, reading, sheet.display_boxes()
        self.cubes: dict[Label, tuple[str, ...]] = {}
        self.display: dict[str, Boxes] = {}
        self.new_cities: dict[str, Label] = {}
        self.accepts: dict[Label, tuple[str, ...]] = {}

    def read_city(self, line: str) -> None:
        subject, _, clauses = line.partition(": ")
        hex_ = self.reading.hex(subject.rpartition(" ")[2])
        label, letter = self.sheet.board.city_at.get(hex_), LETTER.search(subject)
        if label is not None:
            columns: Iterable[str] = self.sheet.board.cities[label].columns
        elif letter is not None:
            label, columns = hex_, letter[1]
            self.new_cities[letter[1]] = hex_
        else:
            raise Misread(f"“{subject}” is no City of this board.")
        self.read_clauses(label, [column for column in columns if column in self.boxes], clauses)

    def read_clauses(self, label: Label, columns: Iterable[str], clauses: str) -> None:
        """What stands behind a City or a New City; ``columns`` are those of it, in their order."""
        reading, left = self.reading, iter(columns)
        for clause in clauses.split("; "):
            if (colours := reading.after(clause, DEALT)) is not None:
                self.accepts[label] = reading.cubes(colours, reading.cube_colours)
            elif (cubes := reading.after(clause, CUBES)) is not None:
                self.cubes[label] = reading.cubes(cubes, reading.cube_colours)
            elif (boxes := reading.after(clause, LIGHT) or reading.after(clause, DARK)) is not None:
                column = next(left, "")
                self.display[column] = self._boxes(column, boxes.partition(" ")[2])

    def _boxes(self, column: str, said: str) -> Boxes:
        empty = self.reading.voice.fixed(EMPTY)
        if said == empty:
            return (None,) * self.boxes.get(column, 1)
        return tuple(
            None if box == empty else self.reading.colour(box, self.reading.cube_colours) for box in said.split(", ")
        )
