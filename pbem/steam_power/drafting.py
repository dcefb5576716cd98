"""A track action that is being put together: what the build page shows of it, judged like any order."""

from collections.abc import Sequence

from pbem.engine import Move, Refused, Say, refuse, say
from pbem.engine import Place as At
from pbem.engine.moves import no
from pbem.rails.board import Label
from pbem.rails.builder import PLANNING_CASH, BuildHex, BuildTile, Draft, DraftStep, ReadStep, Section, read_step
from pbem.rails.hex_words import SHAPES, TERRAIN, ends_said
from pbem.rails.tiles import TILE_OF, Ends, ends
from pbem.steam_power.laying import MOST_OPERATIONS, Laid, Site, offers, operate
from pbem.steam_power.moves import Bonus, Operation, Place, Remove, Track
from pbem.steam_power.phases import Actions, TakeBonus
from pbem.steam_power.rules import Rules, SteamPowerSheet
from pbem.steam_power.state import State
from pbem.steam_power.words import open_end_said

Read = ReadStep[Operation]


def track_asked(sheet: SteamPowerSheet, state: State) -> bool:
    """Whether the seat to act is asked for track, among other things or alone."""
    if sheet.to_act(state) is None:
        return False
    phase = sheet.phase_of(state)
    return isinstance(phase, Actions) or (isinstance(phase, TakeBonus) and phase.kind(sheet, state) == "track")


def placements(sheet: SteamPowerSheet, state: State) -> tuple[str, ...]:
    """Every legal single operation as an order; none where no track is asked for."""
    if not track_asked(sheet, state):
        return ()
    tracks = (Track((operation,)) for operation, _ in offers(Site(sheet, state)))
    return tuple(str(Bonus(track) if state.phase == "bonus" else track) for track in tracks)


def _read(sheet: SteamPowerSheet, state: State, steps: Sequence[str]) -> list[Read]:
    if not track_asked(sheet, state):
        raise ValueError("nobody builds track now")

    def only(move: Move) -> Operation | None:
        return move.operations[0] if isinstance(move, Track) and len(move.operations) == 1 else None

    return [read_step(text, "track", lambda order: sheet.parse(state, order, {}), only) for text in steps]


def draft(rules: SteamPowerSheet, state: State, steps: Sequence[str]) -> Draft:
    """The draft with its legal operations carried out; the others keep their refusal and are left out."""
    after, lines, done = _carried_out(rules, state, _read(rules, state, steps))
    operations = tuple(operation for operation, _ in done)
    track = Track(operations)
    site = Site(rules, after)
    going = () if (end := site.open_end) is None else (Section(open_end_said(site.railways, end), end.last.hex),)
    full = len(operations) >= MOST_OPERATIONS
    found = [] if full else offers(Site(rules, after.with_cash(state.seat, PLANNING_CASH)))
    return Draft(
        state=after,
        order=str(Bonus(track) if state.phase == "bonus" else track) if operations else "",
        steps=lines,
        placed=len(operations),
        limit=MOST_OPERATIONS,
        cash=state.cash,
        price=sum(laid.price for _, laid in done),
        reduction=(),
        lost=(),
        kept=going,
        completed=tuple(
            Section(say("Completes {a}–{b}.", a=At(event.ends[0]), b=At(event.ends[1])), event.ends[0])
            for _, laid in done
            for event in laid.completed
        ),
        hexes=_hexes(site, found),
        links=tuple(_removal(site) for operation, _ in found if isinstance(operation, Remove)),
        new_cities=(),
        problem=None if operations else refuse("SP-R9", "A track action is one or two operations."),
    )


def _carried_out(
    rules: Rules, state: State, read: Sequence[Read]
) -> tuple[State, tuple[DraftStep, ...], list[tuple[Operation, Laid]]]:
    lines: list[DraftStep] = []
    done: list[tuple[Operation, Laid]] = []
    for item in read:
        if item.step is None:
            lines.append(DraftStep(item.text, say("cannot be read"), 0, item.refusal))
            continue
        try:
            if len(done) == MOST_OPERATIONS:
                raise no("SP-R9", "A track action has two operations at most.")
            laid = operate(Site(rules, state), item.step)
        except Refused as refused:
            lines.append(DraftStep(str(item.step), say("not legal now"), 0, refused.refusal))
            continue
        lines.append(DraftStep(str(item.step), _shape(rules, state, item.step), laid.price))
        state, done = laid.state, [*done, (item.step, laid)]
    return state, tuple(lines), done


def _shape(rules: Rules, state: State, operation: Operation) -> Say:
    """The tile in words; for crossings and changes what is added and what stays."""
    if isinstance(operation, Remove):
        return say("takes the last tile away")
    new = _new(rules, operation)
    old = state.track.get(operation.hex, ())
    if not old:
        return SHAPES[TILE_OF[frozenset({new})]]
    said, end = ends_said(rules.board, new), Site(rules, state).open_end
    if end is not None and end.last.hex == operation.hex and end.anchored in new:
        return say("turns {old} to {new}", old=ends_said(rules.board, (end.last.a, end.last.b)), new=said)
    return say("{new} across {old}", new=said, old=tuple(ends_said(rules.board, segment.ends) for segment in old))


def _new(rules: Rules, place: Place) -> Ends:
    edge = rules.board.edge
    return ends(edge(place.ends[0]), edge(place.ends[1]))


def _hexes(site: Site, found: Sequence[tuple[Operation, Laid]]) -> tuple[BuildHex, ...]:
    """Hexes with a legal tile, own open end first."""
    prices: dict[Label, list[int]] = {}
    for operation, laid in found:
        if isinstance(operation, Place):
            prices.setdefault(operation.hex, []).append(laid.price)
    ahead = None if site.open_end is None else site.railways.towards(site.open_end)
    hexes = [
        BuildHex(
            label,
            "",
            _kind(site, label),
            len(costs),
            min(costs),
            min(costs) <= site.state.cash,
            label == ahead,
        )
        for label, costs in prices.items()
    ]
    return tuple(sorted(hexes, key=lambda h: (not h.own_end, not h.affordable, h.label)))


def _kind(site: Site, label: Label) -> Say:
    terrain = TERRAIN.get(site.rules.board.hexes[label].terrain, say("land"))
    return say("{terrain} with track", terrain=terrain) if site.state.track.get(label) else terrain


def _removal(site: Site) -> BuildTile:
    end = site.open_end
    if end is None:
        raise AssertionError("only an incomplete connection has a last tile to remove")
    words = say("remove the track on {hex}", hex=At(end.last.hex))
    effect = say("The connection ends one hex earlier.")
    if len(end.pieces) == 1:
        effect = say("The connection is gone and its train comes back.")
    return BuildTile(str(Remove()), "", (), (), words, 0, effect, True)


def tiles_at(rules: SteamPowerSheet, state: State, steps: Sequence[str], label: str) -> tuple[BuildTile, ...]:
    """Every legal tile on a hex after the draft, those beyond the cash too, the most useful first."""
    after, _, done = _carried_out(rules, state, _read(rules, state, steps))
    if len(done) >= MOST_OPERATIONS:
        return ()
    rich = Site(rules, after.with_cash(state.seat, PLANNING_CASH))
    found = [
        _tile(rules, after, operation, laid)
        for operation, laid in offers(rich)
        if isinstance(operation, Place) and operation.hex == label
    ]
    return tuple(sorted(found, key=lambda tile: tile.rank))


def _tile(rules: Rules, state: State, place: Place, laid: Laid) -> BuildTile:
    new = _new(rules, place)
    kept = tuple((s.a, s.b, s.owner) for s in laid.state.track[place.hex] if s.ends != new)
    affordable = laid.price <= state.cash
    sharp = new[1] - new[0] in (1, 5)
    return BuildTile(
        str(place),
        place.hex,
        (new,),
        kept,
        _shape(rules, state, place),
        laid.price,
        _effect(rules, laid),
        affordable,
        (not affordable, not laid.completed, sharp, laid.price, *new),
    )


def _effect(rules: Rules, laid: Laid) -> Say:
    """What the tile leads to: the connection it completes, else where it goes on."""
    for event in laid.completed:
        return say("Completes {a}–{b}.", a=At(event.ends[0]), b=At(event.ends[1]))
    railways = rules.railways(laid.state)
    end = railways.open_end(laid.state.company)
    if end is None:
        raise AssertionError("what is not complete has an open end")
    return say("Incomplete: {section}.", section=open_end_said(railways, end))
