"""A build that is being put together: what the build page shows of it. Judged by ``building.py`` like any order."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.age_of_steam.building import Laid, Site, abandoned, build_step, finish
from pbem.age_of_steam.events_build import LinkCompleted
from pbem.age_of_steam.moves import Build, BuildLink, BuildStep, Exits, Lay, OwnStep, Urbanize
from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.phases.build_track import BuildTrack
from pbem.age_of_steam.phases.build_track import site as site_of
from pbem.age_of_steam.placements import cities, link_steps, steps, steps_at
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.tile_words import effect_of, kind_of_hex, rank_of, shape_of
from pbem.age_of_steam.words import cubes_said, place_name, section_said, towards
from pbem.engine.events import Event
from pbem.engine.moves import Move, Refusal, Refused
from pbem.engine.text import Place, Say, Word, count_say, say
from pbem.engine.values import replace
from pbem.rails.board import Label
from pbem.rails.builder import BuildHex, BuildTile, Draft, DraftStep, NewCityChoice, Section
from pbem.rails.drafting import PLANNING_CASH, ReadStep, read_step
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import ends
from pbem.rails.track import Chain

Read = ReadStep[BuildStep]


def track_asked(sheet: AgeOfSteamSheet, state: State) -> bool:
    """Whether the seat to act is asked for track."""
    phase = sheet.phase_of(state)
    return isinstance(phase, BuildTrack) and phase.building(state) and sheet.to_act(state) is not None


def placements(sheet: AgeOfSteamSheet, state: State) -> tuple[str, ...]:
    """Every legal step as an order; none where no track is asked for."""
    if not track_asked(sheet, state):
        return ()
    work = site_of(state, sheet.asked(state))
    return tuple(f"build {step}" for offers in (cities, steps) for step, _ in offers(sheet, work))


def _site(sheet: AgeOfSteamSheet, state: State) -> Site:
    if not track_asked(sheet, state):
        raise ValueError("nobody builds track now")
    return site_of(state, sheet.asked(state))


def _read(sheet: AgeOfSteamSheet, state: State, steps: Sequence[str]) -> list[Read]:
    return [read_step(text, "build", lambda order: sheet.parse(state, order, {}), _only) for text in steps]


def _only(move: Move) -> BuildStep | None:
    match move:
        case Build((step,)):
            return step
    return None


def draft(rules: AgeOfSteamSheet, state: State, steps: Sequence[str]) -> Draft:
    """The draft with its legal steps carried out; the others keep their refusal and are left out."""
    start = _site(rules, state)
    seat, read = start.seat, _read(rules, state, steps)
    work, done, events = _carried_out(rules, start, read)
    legal = tuple(
        r.step for r, line in zip(_in_order(read), done, strict=True) if r.step is not None and not line.refusal
    )
    before = state.players[seat].cash
    price = rules.build_price(work.state, seat, work.prices)
    return Draft(
        state=work.state,
        order=str(Build(legal)),
        steps=done,
        placed=len(work.prices),
        limit=rules.tile_limit(state, seat),
        cash=before,
        price=price,
        reduction=((say("Reduction"), sum(work.prices) - price),) if sum(work.prices) != price else (),
        lost=tuple(_section(rules, chain) for chain in abandoned(rules, work)),
        kept=tuple(_section(rules, chain) for chain in _kept(rules, work)),
        completed=tuple(_completed(event) for event in events if isinstance(event, LinkCompleted)),
        hexes=_hexes(rules, work),
        links=tuple(_link_tile(step, laid) for step, laid in link_steps(rules, work)),
        new_cities=_new_cities(rules, work),
        problem=_problem(rules, work),
    )


def _in_order(read: Sequence[Read]) -> list[Read]:
    """New Cities first wherever they stand (R42)."""
    return sorted(read, key=lambda r: not isinstance(r.step, Urbanize))


def _carried_out(rules: Rules, work: Site, read: Sequence[Read]) -> tuple[Site, tuple[DraftStep, ...], list[Event]]:
    lines, events = [], list[Event]()
    for item in _in_order(read):
        if item.step is None:
            lines.append(DraftStep(item.text, say("cannot be read"), 0, item.refusal))
            continue
        try:
            laid = build_step(rules, work, item.step)
        except Refused as refused:
            lines.append(DraftStep(str(item.step), say("not legal now"), 0, refused.refusal))
            continue
        lines.append(_line(rules, work, item.step, laid))
        work, events = laid.site, [*events, *laid.events]
    return work, tuple(lines), events


def _line(rules: Rules, before: Site, step: BuildStep, laid: Laid) -> DraftStep:
    match step:
        case Urbanize(letter, hex_, keep):
            words = say("New City {letter} on {town}", letter=letter, town=Place(hex_))
            if keep is not None:
                kept = cubes_said(keep) or (say("none"),)
                words = say(
                    "New City {letter} on {town}; cubes kept: {cubes}", letter=letter, town=Place(hex_), cubes=kept
                )
            return DraftStep(str(step), words, 0)
        case Lay() | Exits():
            words = shape_of(rules, before, step)
            if not before.state.track.get(step.hex):
                words = say("{shape}, {terrain}", shape=words, terrain=kind_of_hex(rules, before.state, step.hex))
            return DraftStep(str(step), words, laid.site.prices[-1])
        case BuildLink(name):
            return DraftStep(str(step), say("link {name}", name=name), laid.site.prices[-1])
        case OwnStep():
            return DraftStep(str(step), step.words(), 0)


def _section(rules: Rules, chain: Chain) -> Section:
    return Section(section_said(rules, chain), towards(rules, chain))


def _kept(rules: Rules, work: Site) -> list[Chain]:
    lost = {chain.pieces for chain in abandoned(rules, work)}
    own = rules.net(work.state).sections_of(work.seat)
    return [chain for chain in own if chain.pieces not in lost]


def _completed(event: LinkCompleted) -> Section:
    words = count_say(
        "Completes {a}–{b}: +{n} point.",
        "Completes {a}–{b}: +{n} points.",
        event.points,
        a=Place(event.ends[0]),
        b=Place(event.ends[1]),
    )
    return Section(words, event.ends[0])


def _problem(rules: Rules, work: Site) -> Refusal | None:
    try:
        finish(rules, work)
    except Refused as refused:
        return refused.refusal
    return None


def _hexes(rules: Rules, work: Site) -> tuple[BuildHex, ...]:
    """Hexes with a legal tile within the cash left, own open ends first, then the cheapest."""
    offers: dict[Label, list[int]] = {}
    for step, laid in steps(rules, work):
        if isinstance(step, Lay | Exits):
            offers.setdefault(step.hex, []).append(laid.site.prices[-1])
    ends_ = _own_ends(rules, work)
    found = [
        BuildHex(
            label,
            rules.board.towns.get(label, ""),
            kind_of_hex(rules, work.state, label),
            len(prices),
            min(prices),
            True,
            label in ends_,
        )
        for label, prices in offers.items()
    ]
    return tuple(sorted(found, key=lambda h: (not h.own_end, h.label)))


def _own_ends(rules: Rules, work: Site) -> set[Label]:
    """Hexes that an open end of the player points at."""
    return {
        beyond
        for chain in rules.net(work.state).chains_of(work.seat)
        for hex_, edge in chain.open
        if (beyond := rules.board.neighbours[hex_][edge]) is not None
    }


def _new_cities(rules: Rules, work: Site) -> tuple[NewCityChoice, ...]:
    def by_name(town: tuple[str, str, Say]) -> str:
        return place_name(rules, work.state, town[1])

    towns: dict[str, list[tuple[str, str, Say]]] = {}
    for step, _ in cities(rules, work):
        towns.setdefault(step.letter, []).append((str(step), step.hex, _site_name(rules, work, step)))
    return tuple(
        NewCityChoice(letter, tile.colours, tile.columns, tuple(sorted(found, key=by_name)))
        for letter, found in towns.items()
        for tile in (rules.board.new_cities[letter],)
    )


def _site_name(rules: Rules, work: Site, step: Urbanize) -> Say:
    """The town, or the New City that is replaced with the cubes of it that are kept."""
    name = place_name(rules, work.state, step.hex)
    if step.hex not in work.state.new_cities.values() or not work.state.cubes.get(step.hex):
        return say("{city}", city=name)
    if step.keep is None:
        return say("{city}, keep all cubes", city=name)
    if not step.keep:
        return say("{city}, keep no cubes", city=name)
    return say("{city}, keep {cubes}", city=name, cubes=tuple(map(Word, step.keep)))


def tiles_at(rules: AgeOfSteamSheet, state: State, steps: Sequence[str], label: str) -> tuple[BuildTile, ...]:
    """Every legal tile on a hex after the draft, those beyond the cash too, the most useful first."""
    work, _, _ = _carried_out(rules, _site(rules, state), _read(rules, state, steps))
    cash = work.state.players[work.seat].cash
    rich = replace(work, state=work.state.with_player(work.seat, cash=PLANNING_CASH))
    found = [_tile(rules, work, step, laid, cash) for step, laid in steps_at(rules, rich, label)]
    return tuple(sorted(found, key=lambda tile: tile.rank))


def _tile(rules: Rules, work: Site, step: Lay | Exits, laid: Laid, cash: int) -> BuildTile:
    edge = rules.board.edge
    if isinstance(step, Exits):
        new = tuple((TOWN, edge(exit_)) for exit_ in step.exits)
    else:
        new = tuple(ends(edge(a), edge(b)) for a, b in step.segments)
    price = laid.site.prices[-1]
    affordable = rules.build_price(laid.site.state, work.seat, laid.site.prices) <= cash
    kept = tuple((s.a, s.b, s.owner) for s in laid.site.state.track[step.hex] if s.ends not in new)
    effect = effect_of(rules, laid, step.hex, new)
    return BuildTile(
        str(step),
        step.hex,
        new,
        kept,
        shape_of(rules, work, step),
        price,
        effect,
        affordable,
        rank_of(rules, work, laid, step.hex, new, price, affordable),
    )


def _link_tile(step: BuildLink, laid: Laid) -> BuildTile:
    words = say("link {name}", name=step.name)
    return BuildTile(str(step), "", (), (), words, laid.site.prices[-1], say("One link, one point."), True)
