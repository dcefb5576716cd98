"""Tiles and hexes in words for the build page: shape, effect, and which tile is worth showing first."""

from __future__ import annotations

from pbem.age_of_steam.building import Laid, Site
from pbem.age_of_steam.events_build import LinkCompleted
from pbem.age_of_steam.moves import Exits, Lay
from pbem.age_of_steam.placement_rules import plan
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import section_said
from pbem.engine.text import Place, Say, Who, count_say, say, to_reader
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.tile_words import SHAPES, TERRAIN, ends_said
from pbem.rails.tiles import Ends
from pbem.rails.track import Chain, Segment


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
    parts += [_kept(rules, segment) for segment in kept]
    return say("{parts}", parts=tuple(parts))


def _kept(rules: Rules, segment: Segment) -> Say:
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
