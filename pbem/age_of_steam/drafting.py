"""A build that is being put together: what the build page shows of it. Judged by ``building.py`` like any order."""

from collections.abc import Sequence

from pbem.age_of_steam.building import Laid, Site, abandoned, build_step, finish
from pbem.age_of_steam.events_build import LinkCompleted
from pbem.age_of_steam.moves import Build, BuildLink, BuildStep, Exits, Lay, OwnStep, Urbanize
from pbem.age_of_steam.phases.base import AgeOfSteamSheet
from pbem.age_of_steam.phases.build_track import BuildTrack
from pbem.age_of_steam.phases.build_track import site as site_of
from pbem.age_of_steam.placement_rules import plan
from pbem.age_of_steam.placements import cities, link_steps, steps, steps_at
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import cubes_said, place_name, section_said, towards
from pbem.engine import Move, Place, Refused, Say, Who, Word, count_say, replace, say, to_reader
from pbem.engine.events import Event
from pbem.engine.moves import refusal_of
from pbem.rails.board import Label
from pbem.rails.builder import (
    PLANNING_CASH,
    BuildHex,
    BuildTile,
    Draft,
    DraftStep,
    NewCityChoice,
    ReadStep,
    Section,
    read_step,
)
from pbem.rails.hex_words import SHAPES, TERRAIN, ends_said
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import Ends, ends
from pbem.rails.track import Chain, Segment

Read = ReadStep[BuildStep]


def track_asked(sheet: AgeOfSteamSheet, state: State) -> bool:
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
    def only(move: Move) -> BuildStep | None:
        return move.steps[0] if isinstance(move, Build) and len(move.steps) == 1 else None

    return [read_step(text, "build", lambda order: sheet.parse(state, order, {}), only) for text in steps]


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
    lost, own = abandoned(rules, work), rules.net(work.state).sections_of(seat)
    return Draft(
        state=work.state,
        order=str(Build(legal)),
        steps=done,
        placed=len(work.prices),
        limit=rules.tile_limit(state, seat),
        cash=before,
        price=price,
        reduction=((say("Reduction"), sum(work.prices) - price),) if sum(work.prices) != price else (),
        lost=tuple(_section(rules, chain) for chain in lost),
        kept=tuple(_section(rules, chain) for chain in own if chain not in lost),
        completed=tuple(_completed(event) for event in events if isinstance(event, LinkCompleted)),
        hexes=_hexes(rules, work),
        links=tuple(_link_tile(step, laid) for step, laid in link_steps(rules, work)),
        new_cities=_new_cities(rules, work),
        problem=refusal_of(lambda: finish(rules, work)),
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


def _completed(event: LinkCompleted) -> Section:
    words = count_say(
        "Completes {a}–{b}: +{n} point.",
        "Completes {a}–{b}: +{n} points.",
        event.points,
        a=Place(event.ends[0]),
        b=Place(event.ends[1]),
    )
    return Section(words, event.ends[0])


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


def kind_of_hex(rules: Rules, state: State, label: Label) -> Say:
    """Town or terrain, and what lies there already."""
    laid = bool(state.track.get(label))
    if label in rules.board.towns:
        return say("town with track") if laid else say("town")
    terrain = TERRAIN.get(rules.board.hexes[label].terrain, say("land"))
    return say("{terrain} with track", terrain=terrain) if laid else terrain


def shape_of(rules: Rules, work: Site, step: Lay | Exits) -> Say:
    """The tile in words; for replacements what is added or turned and what stays."""
    placement = plan(rules, work.state, work.seat, step)
    if isinstance(step, Exits):
        if placement.old:
            return count_say("adds exit {exits}", "adds exits {exits}", len(step.exits), exits=step.exits)
        return count_say("town with {n} exit", "town with {n} exits", len(step.exits))
    if not placement.old:
        return SHAPES[placement.tile]
    kept = [s for s in work.state.track[step.hex] if s.ends not in {old for old, _ in placement.turned}]
    parts = [
        say("turns {old} to {new}", old=ends_said(rules.board, old), new=ends_said(rules.board, new))
        for old, new in placement.turned
    ]
    parts += [say("adds {new}", new=ends_said(rules.board, new)) for new in placement.added]
    parts += [_kept_said(rules, segment) for segment in kept]
    return say("{parts}", parts=tuple(parts))


def _kept_said(rules: Rules, segment: Segment) -> Say:
    if segment.owner is None:
        return say("keeps {old}", old=ends_said(rules.board, segment.ends))
    return say("keeps {player}: {old}", player=Who(segment.owner), old=ends_said(rules.board, segment.ends))


to_reader("keeps {player}: {old}", player="keeps yours: {old}")


def effect_of(rules: Rules, laid: Laid, hex_: Label, new: tuple[Ends, ...]) -> Say:
    """What the tile leads to: links it completes, else the sections it leaves unfinished."""
    links = tuple(
        count_say(
            "{a}–{b}, {n} point",
            "{a}–{b}, {n} points",
            event.points,
            a=Place(event.ends[0]),
            b=Place(event.ends[1]),
        )
        for event in laid.events
        if isinstance(event, LinkCompleted)
    )
    sections = tuple(section_said(rules, chain) for chain in _new_chains(rules, laid, hex_, new) if not chain.complete)
    if links and sections:
        return say("Completes {links}; unfinished: {sections}.", links=links, sections=sections)
    if links:
        return say("Completes {links}.", links=links)
    return say("Unfinished: {sections}.", sections=sections)


def _new_chains(rules: Rules, laid: Laid, hex_: Label, new: tuple[Ends, ...]) -> list[Chain]:
    net = rules.net(laid.site.state)
    return [net.chain(hex_, segment) for segment in net.track[hex_] if segment.ends in new]


def rank_of(
    rules: Rules, work: Site, laid: Laid, hex_: Label, new: tuple[Ends, ...], price: int, affordable: bool
) -> tuple[int, ...]:
    """Sorts tiles: payable, completing a link, extending own track, fewer exits, cheaper, sharp curves last."""
    completes = any(isinstance(event, LinkCompleted) for event in laid.events)
    extends = any(len(chain.pieces) > 1 for chain in _new_chains(rules, laid, hex_, new))
    sharp = any(TOWN not in ends and (ends[1] - ends[0]) % 6 in (1, 5) for ends in new)
    return (not affordable, not completes, not extends, sharp, len(new), price, *(end for ends in new for end in ends))
