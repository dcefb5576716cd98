"""A game on paper, without a database: read, replay, write, verify; as it was rolled, or from its seed."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from pbem.engine.chance import (
    DEAL,
    NO_SEED,
    Chance,
    ChanceMismatch,
    Draw,
    LoadedChance,
    NotedChance,
    SeededChance,
    ShownChance,
    asked_first,
    commitment,
)
from pbem.engine.flow import PlayedUnasked
from pbem.engine.moves import SEATS, BadMove, Refusal, Refused, Seat
from pbem.engine.phase import Step
from pbem.engine.reading import LONGEST_TEXT, shown
from pbem.engine.sheet import BadOpening, Sheet, State
from pbem.engine.text import say
from pbem.engine.values import Value, field, replace

FORMAT = "pbem-record/1"
NEWER = re.compile(r"pbem-record/(?!1$)[1-9][0-9]{0,3}")
MOST_ENTRIES = 20_000
LONGEST_BOARD = 64 * 1024
UNDIGESTED = ("accepts",)
"""Keys of a position that came after records with digests were kept: with them, none of those would agree."""
REQUIRED = ("game", "map", "players", "turns")
Name = Annotated[str, msgspec.Meta(max_length=32)]


class BadRecord(Exception):
    """Not a record; the sentence says which part of it cannot be used."""


class Entry(Value):
    """One submission. ``chance`` is ``None`` where the record leaves it to the seed."""

    turn: Annotated[int, msgspec.Meta(ge=0, le=MOST_ENTRIES)]
    phase: Name
    player: Name
    orders: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
    chance: tuple[Draw, ...] | None = None
    auto: bool = False
    digest: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Record(Value):
    """A record as read; ``seed`` is empty where it is not revealed.

    ``ended_early``: its players ended the game before its last turn; the result is the standings then.
    ``substitutes``: who took whose seat (``player from to``), after ``entry`` entries. ``board``: the text of the map,
    where it is nowhere in ``maps/``; its name follows from it.
    """

    game: str
    map: str
    options: Mapping[str, str]
    players: tuple[Seat, ...]
    turns: Annotated[tuple[Entry, ...], msgspec.Meta(max_length=MOST_ENTRIES)]
    seed: bytes = b""
    commitment: str = ""
    opening: Mapping[str, Any] | None = None
    deal: tuple[Draw, ...] | None = None
    result: tuple[Mapping[str, Any], ...] = ()
    names: Mapping[Seat, str] = field(default_factory=dict)
    source: str = ""
    ended_early: bool = False
    substitutes: tuple[Mapping[str, Any], ...] = ()
    board: Annotated[str, msgspec.Meta(max_length=LONGEST_BOARD)] = ""


class Played(Value):
    """What became of one entry: the step it led to, or that it was passed over, or why its ``line`` was refused."""

    number: int
    entry: Entry
    state: State
    step: Step[State] | None = None
    passed_over: bool = False
    refusal: Refusal | None = None
    line: int = 0
    draws: tuple[Draw, ...] = ()


def read_record(text: str | bytes) -> Record:
    """Read a record. Raises :class:`BadRecord` for anything that is none."""
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadRecord(f"The record is not JSON: {error}.") from error
    named = raw.get("format") if isinstance(raw, dict) else None
    if isinstance(named, str) and NEWER.fullmatch(named):
        raise BadRecord(f"The record is a {named}, of a newer version of this program; this one reads {FORMAT}.")
    if not isinstance(raw, dict) or named != FORMAT:
        raise BadRecord(f"The record does not contain “format”: “{FORMAT}”.")
    try:
        return _record(raw)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadRecord(f"The record cannot be used: {error}.") from error


def _record(raw: dict[str, Any]) -> Record:
    """Keys that are not of a record are passed over; what may be missing may be ``null`` as well."""
    given = {key: value for key, value in raw.items() if value is not None or key in REQUIRED}
    options = msgspec.convert(given.get("options", {}), dict[str, str | int | bool])
    seed = bytes.fromhex(msgspec.convert(given.get("seed", ""), str))
    record = msgspec.convert(given | {"options": {key: str(options[key]) for key in options}, "seed": seed}, Record)
    if len(set(record.players)) != len(record.players):
        raise ValueError("a player is named twice")
    return record


def write_record(record: Record) -> dict[str, Any]:
    """The record as a JSON object; secrets that are not in it are not written."""
    raw: dict[str, Any] = {
        "format": FORMAT,
        "game": record.game,
        "map": record.map,
        "options": dict(record.options),
        "players": list(record.players),
    }
    for key, value in (
        ("board", record.board),
        ("source", record.source),
        ("names", dict(record.names)),
        ("commitment", record.commitment),
        ("seed", record.seed.hex()),
        ("deal", list(record.deal or ())),
        ("opening", record.opening),
        ("ended_early", record.ended_early),
        ("substitutes", [dict(change) for change in record.substitutes]),
    ):
        if value:
            raw[key] = value
    raw["turns"] = [_entry_json(entry) for entry in record.turns]
    if record.result:
        raw["result"] = [dict(line) for line in record.result]
    return raw


def _entry_json(entry: Entry) -> dict[str, Any]:
    raw: dict[str, Any] = {"turn": entry.turn, "phase": entry.phase, "player": entry.player, "orders": entry.orders}
    if entry.chance:
        raw["chance"] = list(entry.chance)
    if entry.auto:
        raw["auto"] = True
    if entry.digest:
        raw["digest"] = entry.digest
    return raw


def digest(sheet: Sheet, state: State) -> str:
    """The SHA-256 of the position as canonical JSON: what a record holds after every entry."""
    shown = {key: value for key, value in sheet.position(state).items() if key not in UNDIGESTED}
    return hashlib.sha256(canonical(shown)).hexdigest()


_CANONICAL = msgspec.json.Encoder(order="deterministic")


def canonical(position: Mapping[str, Any]) -> bytes:
    """A position as JSON in UTF-8 that is always the same: keys sorted, no spaces, nothing escaped without need.

    Digests that are kept for years are made of these bytes. They are those of Python's ``json.dumps``, but for
    fractions, which no position has.
    """
    return _CANONICAL.encode(position)


def result_lines(sheet: Sheet, state: State) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"player": line.seat, "place": line.place, "score": line.score, "out": line.out}
        for line in sheet.standings(state)
    )


# replaying ----------------------------------------------------------------------------------------------


def start(sheet: Sheet, record: Record, *, from_seed: bool = False) -> tuple[Step[State], tuple[Draw, ...]]:
    """Deal the record's game. Raises :class:`BadRecord` when its options, players or opening are not of this map."""
    known = {option.key: option.choices for option in sheet.known_options()}
    for key, value in record.options.items():
        if value not in known.get(key, {}):
            raise BadRecord(f"{sheet.name} has no option {shown(key)} = {shown(value)}.")
    if len(record.players) not in sheet.player_counts():
        raise BadRecord(f"{sheet.name} cannot be played by {len(record.players)}.")
    if stray := [seat for seat in record.players if seat not in SEATS]:
        raise BadRecord(f"A player cannot be called {shown(stray[0])}; players are {', '.join(SEATS)}.")
    source: Chance = SeededChance(record.seed or NO_SEED, DEAL)  # without a seed every roll is recorded
    if record.deal is not None and not from_seed:
        source = _recorded(sheet, record, record.deal)
    chance = NotedChance(source)
    try:
        step = sheet.start(record.players, chance, record.options, record.opening)
    except (BadOpening, ChanceMismatch) as error:
        raise BadRecord(f"The game cannot be dealt: {error}") from error
    return step, tuple(chance.notes)


def replay(sheet: Sheet, record: Record, *, from_seed: bool = False, store: bool = False) -> Iterator[Played]:
    """Play a record entry by entry; stops after the first refused entry.

    ``from_seed``: take every roll from the seed, whatever the entries say. ``store``: pass the state through
    :meth:`Sheet.encode` and back after every entry, as a server does. An entry whose decision was settled
    unasked (it had a single legal answer) is passed over.
    """
    step = start(sheet, record, from_seed=from_seed)[0]
    settled = _settled(step)
    state = step.state
    for number, entry in enumerate(record.turns):
        if store:
            state = sheet.decode(sheet.encode(state))
        if (entry.turn, entry.phase, entry.player) in settled:
            settled.remove((entry.turn, entry.phase, entry.player))
            yield Played(number, entry, state, passed_over=True)
            continue
        chance = NotedChance(_chance(sheet, record, entry, state, from_seed))
        try:
            step = _step(sheet, record, entry, state, chance)
        except BadMove as bad:
            yield Played(number, entry, state, refusal=Refusal(bad.sentence()))
            return
        except Refused as refused:
            yield Played(number, entry, state, refusal=refused.refusal, line=refused.line)
            return
        except ChanceMismatch as mismatch:
            why = say("The dice and draws of the record are not valid: {sentence}.", sentence=str(mismatch))
            yield Played(number, entry, state, refusal=Refusal(why))
            return
        state, settled = step.state, _settled(step)
        yield Played(number, entry, state, step, draws=tuple(chance.notes))


def play_entry(sheet: Sheet, record: Record, entry: Entry, state: State) -> Step[State]:
    """Play one entry of a record. Raises ``BadMove``, ``Refused`` or ``ChanceMismatch``."""
    return _step(sheet, record, entry, state, _chance(sheet, record, entry, state, from_seed=False))


def _step(sheet: Sheet, record: Record, entry: Entry, state: State, chance: Chance) -> Step[State]:
    moves = sheet.parse(state, entry.orders, {})
    if hides(sheet, record):
        state = sheet.holding(state, entry.player, moves)
    return sheet.play(state, entry.player, moves, chance)


def hides(sheet: Sheet, record: Record) -> bool:
    """Whether a record is that of a running game with secrets, which are made up to play it."""
    return not record.seed and record.opening is not None and sheet.hides(record.opening)


def _settled(step: Step[State]) -> list[tuple[int, str, Seat]]:
    """The decisions that were settled unasked on the way: turn, phase, seat."""
    return [(event.turn, event.phase, event.seat) for event in step.events if isinstance(event, PlayedUnasked)]


def _chance(sheet: Sheet, record: Record, entry: Entry, state: State, from_seed: bool) -> Chance:
    if from_seed or (entry.chance is None and record.seed):
        return SeededChance(record.seed, sheet.place(state), asked_first(entry.chance or ()))
    return _recorded(sheet, record, entry.chance or ())


def _recorded(sheet: Sheet, record: Record, draws: Sequence[Draw]) -> Chance:
    return ShownChance(draws, sheet.secret_draws) if hides(sheet, record) else LoadedChance(list(draws))


# proving ------------------------------------------------------------------------------------------------


class Proof(Value):
    """What :func:`verify` found: ``faults`` is empty when everything agrees."""

    entries: int
    draws: int
    faults: tuple[str, ...]


def verify(sheet: Sheet, record: Record) -> Proof:
    """Check a finished game from its revealed seed alone. Raises :class:`BadRecord` when it cannot even be dealt."""
    if not record.seed:
        return Proof(0, 0, ("The record has no seed: a game can be verified only when it is over.",))
    faults: list[str] = []
    if record.opening is not None:
        faults.append("The record has an opening of its own, but a game with a seed is dealt from the seed.")
    if commitment(record.seed) != record.commitment:
        faults.append("The seed does not match the published commitment.")
    dealt, deal = start(sheet, record, from_seed=True)
    draws = len(deal)
    if record.deal is not None and list(record.deal) != list(deal):
        faults.append("The deal does not match the seed.")
    state, entries = dealt.state, 0
    for played in replay(sheet, record, from_seed=True):
        faults.extend(_entry_faults(sheet, played))
        state, entries = played.state, entries + 1
        draws += len(played.draws)
    if not sheet.over(state) and not record.ended_early:
        faults.append("The record ends before the game does.")
    elif [dict(line) for line in record.result] != list(result_lines(sheet, state)):
        faults.append("The result is not the one the game ends with.")
    return Proof(entries, draws, tuple(faults))


def _entry_faults(sheet: Sheet, played: Played) -> Iterator[str]:
    where = f"Entry {played.number} (turn {played.entry.turn}, {played.entry.player})"
    if played.refusal is not None:
        yield f"{where} cannot be played: {played.refusal.sentence()}"
    elif played.passed_over:
        yield f"{where} is not due."
    else:
        if list(played.entry.chance or ()) != list(played.draws):
            yield f"{where}: the rolls do not match the seed."
        if played.entry.digest and played.entry.digest != digest(sheet, played.state):
            yield f"{where}: the position does not match the stored one."


# what of a game is open to everybody while it runs -------------------------------------------------------------------


def running(sheet: Sheet, record: Record, dealt: Mapping[str, Any]) -> Record:
    """What may be seen of a record while its game runs; ``dealt``: the position after the deal, which is open."""
    deal = _open(record.deal or (), sheet.secret_draws) if sheet.secret_draws else None
    turns = tuple(
        entry if entry.chance is None else replace(entry, chance=_open(entry.chance, sheet.secret_draws))
        for entry in record.turns
    )
    return replace(record, seed=b"", deal=deal, opening=sheet.opening(dealt), turns=turns, result=())


def _open(draws: Iterable[Draw], secret: frozenset[str]) -> tuple[Draw, ...]:
    return tuple(draw for draw in draws if draw.get("for") not in secret)
