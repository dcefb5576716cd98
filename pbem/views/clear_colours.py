"""The colours for colour-blind eyes: what stands for the usual ones of goods and players, for those who choose so.

They keep their names, letters, symbols and rhythms. Those two of a set that look most alike are farther apart than of
the usual ones, for people who see no red, no green or no blue (``tests.render.test_colours`` says how far).
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

CLEAR: Mapping[str, str] = MappingProxyType(
    {
        # goods: areas, and their edges
        "#c62f1b": "#ad4112", "#0f53b7": "#0052a0", "#ae82de": "#b37cff", "#f2be14": "#ebb300",
        "#ec8526": "#ff5310", "#a3a8ae": "#7e948f",
        "#741408": "#5f2007", "#072c66": "#002b55", "#5b3a86": "#5e3a96", "#86660a": "#80610a",
        "#83470a": "#852704", "#52575d": "#3e4b48",
        # players
        "#cb3644": "#a9454a", "#2463cc": "#0b66d8", "#4fbb88": "#07cea3", "#ffe04a": "#f4df00",
        "#55117d": "#500078", "#6a3009": "#591b02", "#eba3cb": "#c890ca", "#7c7f84": "#727180",
        "#eb7f0a": "#e9733b",
    }
)  # fmt: skip
"""From the usual colour of an area or its edge, ``#c62f1b``, to the one that stands for it."""
_CODE = re.compile(r"#[0-9a-fA-F]{6}\b")


def clear(code: str) -> str:
    """What stands for a colour; those that have no part in this stay."""
    return CLEAR.get(code.lower(), code)


def cleared(text: str) -> str:
    """An SVG or HTML document with every colour that it names in this way exchanged."""
    return _CODE.sub(lambda found: clear(found[0]), text)
