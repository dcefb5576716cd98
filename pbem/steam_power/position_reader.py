"""Reads a position of Steam Power from its text; what is hidden is made up."""

from collections.abc import Mapping, Sequence
from itertools import islice

from pbem.engine import Seat, replace
from pbem.engine.moves import SEATS
from pbem.engine.position_text import NONE, Misread, Paragraph, ReadPosition, number
from pbem.engine.text import Voice
from pbem.rails.board import Label
from pbem.rails.position_lines import TableReading, kept_in
from pbem.rails.position_text import POSITION, name_players, read_heading, section
from pbem.rails.walks import Ends, Laid
from pbem.steam_power.position_text import (
    BAG,
    BOX,
    CASH,
    CITIES,
    COMPANY,
    CONTRACTS,
    COUNTERS,
    CUBES,
    DONE,
    FACTORIES,
    FACTORY,
    HAND,
    KNOWN,
    LEFT,
    LEFT_OVER,
    PLAYERS,
    POINTS,
    TO_ACT,
    TRAIN_BAG,
    TRAINS,
)
from pbem.steam_power.rules import SteamPowerSheet
from pbem.steam_power.state import COLOURS, VICTORY, CityTile, Player, State


def viewer_of(reading: TableReading, paragraphs: Sequence[Paragraph]) -> tuple[Seat, tuple[int, ...]]:
    """Whose contracts the text names, and which."""
    for paragraph in paragraphs:
        if paragraph.head.startswith(said := f"{reading.voice.fixed(HAND)}, "):
            numbers = (number(line.partition(":")[0]) for line in paragraph.lines)
            return reading.seat(paragraph.head.removeprefix(said)), tuple(numbers)
    return "", ()


def read(sheet: SteamPowerSheet, paragraphs: Sequence[Paragraph], voice: Voice) -> ReadPosition:
    """The state of the text, with contracts nobody has shown in the bag and in the hands of others. Raises
    :class:`Misread`."""
    reading = TableReading(voice, sheet.board, SEATS, COLOURS, ())
    sections = {paragraph.head: paragraph.lines for paragraph in paragraphs}
    lines = name_players(reading, section(reading, sections, PLAYERS))
    heading = read_heading(sheet, reading, section(reading, sections, POSITION))
    viewer, hand = viewer_of(reading, paragraphs)
    figures = {seat: _figures(reading, said) for seat, said in lines.items()}
    shown = {*hand, *(n for figure in figures.values() for n in figure[DONE])}
    unseen = iter([n for n in sheet.contracts if n not in shown])
    box = dict(line.split(": ", 1) for line in section(reading, sections, BOX) if ": " in line)

    def said(word: str, lines: Mapping[str, str] = heading.said, otherwise: str = "0") -> str:
        return lines.get(reading.voice.fixed(word), otherwise)

    seats = tuple(figures)
    seat = reading.seat(said(TO_ACT))
    left_over, trains = said(LEFT_OVER, box, ""), said(TRAIN_BAG, box, "")
    state = State(
        seats=seats,
        companies=sheet.companies(seats),
        options=heading.options,
        players={
            seat: Player(
                figure[CASH][0],
                hand if seat == viewer else tuple(islice(unseen, figure[CONTRACTS][0])),
                tuple(figure[DONE]),
            )
            for seat, figure in figures.items()
        },
        cities=dict(_city(reading, line) for line in section(reading, sections, CITIES)),
        left_over=reading.cubes(left_over, (*COLOURS, VICTORY)) if left_over else (),
        bag=tuple(islice(unseen, number(said(BAG, box)))),
        seat=seat,
        company=reading.seat(said(COMPANY, otherwise=said(TO_ACT))),
        left=number(said(LEFT)),
        turn=heading.turn,
        phase=heading.phase,
        step=heading.step,
        over=heading.over,
        counters=tuple(islice(unseen, number(said(COUNTERS, box)))),
        trains=reading.cubes(trains, sheet.companies(seats)) if trains not in ("", reading.voice.fixed(NONE)) else (),
        known=number(said(KNOWN)),
    )
    laid = Laid(reading, Ends(sheet.board, sheet.place_names(state)))
    laid.read(paragraphs)
    scratch = kept_in(reading, sheet.phase_of(state).scratch, heading.said)
    return ReadPosition(replace(state, scratch=scratch, track=laid.track), reading.names, viewer)


def _figures(reading: TableReading, said: str) -> dict[str, list[int]]:
    """The figures of a player by their words; ``done`` has any number of them."""
    figures: dict[str, list[int]] = {DONE: []}
    for item in said.split(", "):
        word = item.rstrip("0123456789- ")
        numbers = item.removeprefix(word).split()
        figures[reading.fixed(word, (CASH, CONTRACTS, TRAINS, FACTORIES, POINTS, DONE))] = list(map(number, numbers))
    if missing := [name for name in (CASH, CONTRACTS) if not figures.get(name)]:
        raise Misread(f"{missing[0]} is missing: {said}.")
    return figures


def _city(reading: TableReading, line: str) -> tuple[Label, CityTile]:
    subject, _, clauses = line.partition(": ")
    label = reading.hex(subject.rpartition(" ")[2])
    colour, _, factory = clauses.partition("; ")
    tile = CityTile(reading.colour(colour, (*COLOURS, VICTORY)))
    if (said := reading.after(factory, FACTORY)) is None:
        return label, tile
    owner, _, cubes = said.rpartition(", ")
    left = reading.after(cubes, CUBES)
    return label, replace(tile, factory=reading.seat(owner), cubes=0 if left is None else number(left))
