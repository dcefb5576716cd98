"""Play a whole game of random legal orders, or of robots, without a server."""

import argparse
import json
import random
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from pbem import robot
from pbem.cli import _sheets, _terminal
from pbem.cli._terminal import Failure
from pbem.engine import Sheet, State
from pbem.engine.chance import DEAL, NotedChance, SeededChance, commitment
from pbem.engine.record import Entry, Record, digest, result_lines, write_record
from pbem.robot import opponents
from pbem.robot.opponents import Robot
from pbem.service.base.seals import sealed
from pbem.service.base.validation import distinct


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="for example age-of-steam")
    parser.add_argument("map", metavar="MAP", help="such as rust_belt (see pbem maps), or the folder of a drawn map")
    parser.add_argument("--players", type=int, metavar="N", help=f"default: {_sheets.USUAL}, or what the map allows")
    parser.add_argument("--seats", metavar="KIND,KIND,…", help=f"a robot for each seat: {', '.join(opponents.every())}")
    parser.add_argument("--seed", help="the same seed plays the same game (default: a new one)")
    parser.add_argument("-o", "--output", type=Path, metavar="RECORD", help="write the record to this file")


def run(args: argparse.Namespace) -> int:
    sheet = _sheets.find(args.game, args.map)
    kinds = _kinds(args.seats or "")
    if kinds and args.players not in (None, len(kinds)):
        raise Failure("--players and --seats name different numbers of players.", 2)
    players = _sheets.players(sheet, len(kinds) or args.players)
    record, state = play(sheet, players, args.seed or secrets.token_hex(16), kinds)
    for standing in sheet.standings(state):
        score = "out" if standing.score is None else f"{standing.score} points"
        print(f"{standing.place}. {standing.seat}: {score}")
    print(f"{len(record.turns)} orders, {sheet.turn(state)} turns")
    if args.output is not None:
        text = json.dumps(sealed(write_record(record)), indent=1, ensure_ascii=False)
        _terminal.write(args.output, f"{text}\n".encode())
    return 0


def _kinds(text: str) -> list[Robot]:
    known = opponents.every()
    kinds = [kind.strip().casefold() for kind in text.split(",") if kind.strip()]
    if unknown := [kind for kind in kinds if kind not in known]:
        raise Failure(f"There is no robot “{unknown[0][:40]}”. You can choose {', '.join(known)}.", 2)
    return [known[kind] for kind in kinds]


def play(sheet: Sheet, players: int, seed: str, robots: Sequence[Robot] = ()) -> tuple[Record, State]:
    """A whole game whose dice and orders follow from a word, and its record; without ``robots``, one for each seat,
    orders are random."""
    secret = random.Random(seed).randbytes(32)
    luck = random.Random(f"{seed} orders")
    seats = sheet.colours[:players]
    options = {option.key: option.default for option in sheet.options()}
    dealt = NotedChance(SeededChance(secret, DEAL))
    state = sheet.start(seats, dealt, options).state
    entries: list[Entry] = []
    taken: set[str] = set()
    while not sheet.over(state):
        _progress(sheet, state, len(entries))
        seat, turn, phase = sheet.to_act(state) or "", sheet.turn(state), sheet.phase(state)
        if robots:
            order = robots[seats.index(seat)].decide(sheet, state, seed, options).orders
        else:
            order = robot.choose(sheet, state, luck)
        moves = sheet.parse(state, order, {})
        chance = NotedChance(SeededChance(secret, sheet.place(state)))
        state = sheet.play(state, seat, moves, chance).state
        orders = "; ".join(map(str, moves))
        entries.append(Entry(turn, phase, seat, orders, tuple(chance.notes), digest=digest(sheet, state)))
    record = Record(
        sheet.game,
        sheet.slug,
        options,
        seats,
        tuple(entries),
        secret,
        commitment(secret),
        deal=tuple(dealt.notes),
        result=result_lines(sheet, state),
        names={seat: distinct(player.name, taken) for seat, player in zip(seats, robots, strict=False)},
        board=sheet.drawing,
    )
    return record, state


def _progress(sheet: Sheet, state: State, orders: int) -> None:
    if sys.stderr.isatty():
        print(f"\rturn {sheet.turn(state)}, {sheet.phase(state)}, {orders} orders ", end="", file=sys.stderr)
