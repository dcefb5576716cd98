"""The style sheet of emails written into their tags, because programs that read mail drop style sheets.

What a tag says then is what css-inline makes of it. That is asked once about every tag of the templates in every place
the style sheet tells apart, and not about every email.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import css_inline

from pbem.paths import templates_folder

TAGS, HEADS = 2_000, 100
"""Tags of the templates that are kept as they are written, some hundred, and heads, one for each language."""
BODY, END = "<body>", "\n</body>\n</html>"
"""What the body of every letter begins with, and ends with."""

_INLINER = css_inline.CSSInliner(keep_at_rules=False, load_remote_stylesheets=False)
_PLACE = re.compile(r'<(table|td|ul|ol)(?: role="presentation")? class="(ask|figures|foot|log|rules|stub)">')
"""What decides by its class how tags inside it look. None of these holds one of the same name."""
_TAG = re.compile(r"(<(?:[a-z][^>]*|!--.*?--)>)", re.DOTALL)
_OWN = re.compile(r' (href|src|alt|aria-label)="([^"]*)"')
"""Attributes that every email has for itself; ``_WITH_OWN``: the tags that may have them, ``_NUMBERS``: what stands for
their values in what is kept of a tag."""
_WITH_OWN = ("<a ", "<img ", "<div ")
_NUMBERS = ["own1", "own2", "own3", "own4"]
_QUOTE_IN_TEXT = re.compile("&#34;(?=[^<>]*<)")


class _Place(dict[str, str]):
    """Tags as they are written in one place, each by how a template has it; they are found out as they come.

    ``place``: the class of what they stand in; empty where the style sheet knows of none.
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def within(self, html: str) -> str:
        """HTML of this place with styles in its tags."""
        pieces = _TAG.split(html)
        pieces[1::2] = map(self.__getitem__, pieces[1::2])
        return "".join(pieces)

    def __missing__(self, tag: str) -> str:
        if tag.startswith("<!--"):
            return tag
        if tag.startswith(_WITH_OWN) and _OWN.search(tag):
            return self._with_own(tag)
        written = _written(self._place, tag)
        if len(self) < TAGS:
            self[tag] = written
        return written

    def _with_own(self, tag: str) -> str:
        pieces = _OWN.split(tag)  # what is between them, name and value of each
        values = pieces[2::3]
        pieces[1::3] = [f" {name}=" for name in pieces[1::3]]
        pieces[2::3] = _NUMBERS[: len(values)]
        written = self["".join(pieces)]
        for number, value in zip(_NUMBERS, values, strict=False):
            shown = value.replace("&lt;", "<").replace("&gt;", ">")
            written = written.replace(f'="{number}"', f'="{shown}"', 1)
        return written


_PLACES = {place: _Place(place) for place in ("", "ask", "figures", "foot", "log", "rules", "stub")}


def inlined(html: str) -> str:
    """An email that a template has made, with its styles in its tags."""
    head, _, rest = html.partition(BODY)
    body, outside = _normal(rest.removesuffix(END)), _PLACES[""]
    written, at = [_head(head)], 0
    for place in _PLACE.finditer(body):
        inside = place.end()
        end = body.find(f"</{place[1]}>", inside)
        written.append(outside.within(body[at:inside]))
        written.append(_PLACES[place[2]].within(body[inside:end]))
        at = end
    written.append(outside.within(body[at:]))
    return f"{''.join(written)}\n\n</body></html>"


def _normal(html: str) -> str:
    """The same characters as the library writes them."""
    html = html.replace("&#39;", "'").replace("\xa0", "&nbsp;")
    return _QUOTE_IN_TEXT.sub('"', html).replace("&#34;", "&quot;") if "&#34;" in html else html


def _written(place: str, tag: str) -> str:
    """A tag as the library writes it, with its styles."""
    name = tag[1:-1].split(" ", 1)[0]
    around = f'<div class="{place}">{"<table><tbody><tr>" if name in ("td", "th") else ""}'
    whole = _INLINER.inline(f"{_style_sheet()}{around}{tag}")
    _, begins, rest = whole.rpartition(f"<{name}")
    return f"{begins}{rest.partition('>')[0]}>" if begins else tag


@cache
def _style_sheet() -> str:
    return (templates_folder() / "mail" / "_style.html").read_text("utf-8")


def _head(head: str) -> str:
    """Everything before the body; of this only the title is an email's own."""
    before, _, rest = head.partition("<title>")
    title, _, after = rest.partition("</title>")
    first, last = _around_title(before, after)
    return f"{first}{_normal(f'{title}<')[:-1]}{last}"


@lru_cache(maxsize=HEADS)
def _around_title(before: str, after: str) -> tuple[str, str]:
    whole = _INLINER.inline(f"{before}<title></title>{after}{BODY}</body></html>")
    first, end, last = whole.partition("</title>")
    return first, end + last.partition("</body>")[0]
