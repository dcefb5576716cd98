"""A page as a program reads it: its forms, links, headings and words; complains about tags that do not fit."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from typing_extensions import override

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "form": "action"}
"""What a page runs, fetches or sends to must be ours; the links it only shows are not meant."""
FOREIGN = ("object", "embed", "base", "applet")
VOID = frozenset({"meta", "link", "img", "source", "input", "br", "hr"})


@dataclass
class Form:
    """A form with the values it would send; radio buttons only when checked, buttons apart.

    ``offered``: all values each field may have, that of a button among them, the one it has at first in front.
    """

    method: str
    action: str
    id: str
    fields: dict[str, str] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    offered: dict[str, list[str]] = field(default_factory=dict)

    def offer(self, name: str, value: str, *, first: bool) -> None:
        """One more value of a field."""
        known = self.offered.setdefault(name, [])
        known.insert(0 if first else len(known), value)


class Page(HTMLParser):
    """``text``: all words of the page, ``addresses``: all that it leads to or shows.

    ``flaws``: what the content policy forbids and tags that do not fit; it raises them unless it is ``lenient``.
    """

    def __init__(self, html: str, *, lenient: bool = False) -> None:
        super().__init__()
        self.html = html
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.pictures: list[dict[str, str]] = []
        self.headings: list[str] = []
        self.flaws: list[str] = []
        self._words: list[str] = []
        self._open: list[str] = []
        self._form: Form | None = None
        self._named: dict[str, Form] = {}
        self._area: tuple[Form, str] | None = None
        self._select: tuple[Form, str] | None = None
        self.feed(html)
        self.close()
        self.flaws += [f"<{tag}> is not closed" for tag in self._open]
        assert lenient or not self.flaws, self.flaws
        self.text = " ".join(self._words)

    @property
    def posts(self) -> list[Form]:
        """Its forms that change something, but for the choice of a language and for what every page of a trial has."""
        return [
            form for form in self.forms if form.method == "post" and form.action != "/language" and form.id != "play-on"
        ]

    @property
    def form(self) -> Form:
        """The only form that changes something, but for the one that takes the orders before back."""
        (only,) = (form for form in self.posts if not form.action.partition("?")[0].endswith("/back"))
        return only

    def link(self, part: str) -> str:
        """The first link whose address holds the part."""
        return next(link for link in self.links if part in link)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.flaws += [f"<{tag} {name}>" for name in values if name in ("style", "srcdoc") or name.startswith("on")]
        fetched = values.get(FETCHED.get(tag, ""), "")
        if not re.match(r"(/(?!/)|[#?]|$)", fetched) or "javascript:" in values.get("href", ""):
            self.flaws.append(f"<{tag}> of {fetched}")
        leads_away = "http-equiv" in values and not values.get("content", "").isdigit()  # a page may load itself anew
        if tag in FOREIGN or leads_away:
            self.flaws.append(f"<{tag}>")
        self.addresses += [values[name] for name in ("href", "src") if name in values]
        if "id" in values:
            self.flaws += [f"id twice: {values['id']}"] if values["id"] in self.ids else []
            self.ids.append(values["id"])
        if tag not in VOID:
            self._open.append(tag)
        match tag:
            case "a":
                self.links.append(values.get("href", ""))
            case "img":
                self.pictures.append(values)
            case "form":
                method = values.get("method", "get").lower()
                self._form = Form(method, values.get("action", ""), values.get("id", ""))
                self.forms.append(self._form)
                self._named[self._form.id] = self._form
            case "input" | "button" | "textarea" | "select":
                self._field(tag, values)
            case "option" if self._select is not None:
                form, name = self._select
                form.offer(name, values.get("value", ""), first="selected" in values)
                if "selected" in values or name not in form.fields:
                    form.fields[name] = values.get("value", "")
            case "h1" | "h2":
                self.headings.append("")

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open.pop() != tag:
            self.flaws.append(f"</{tag}> does not fit")
        if tag == "form":
            self._form = None
        if tag == "textarea":
            self._area = None

    @override
    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style") and data.strip():
            self.flaws.append(f"words inside <{self._open[-1]}>")
        if self._area is not None:
            form, name = self._area
            form.fields[name] += data.removeprefix("\n")
            form.offer(name, form.fields[name], first=True)
        if self.headings and any(tag in self._open for tag in ("h1", "h2")):
            self.headings[-1] += data.replace("\N{NO-BREAK SPACE}", " ")
        self._words += data.split()

    def _field(self, tag: str, values: dict[str, str]) -> None:
        if (tag == "input" and "name" not in values) or "data-copy" in values:
            return  # a switch that only the style sheet looks at, a button that only a script uses
        form = self._named.get(values["form"]) if "form" in values else self._form
        if form is None:
            self.flaws.append(f"{values} stands in no form")
            return
        name, value = values.get("name", ""), values.get("value", "")
        chosen = values.get("type") not in ("radio", "checkbox") or "checked" in values
        if name and tag != "select":
            form.offer(name, value, first=chosen and tag == "input")
        if tag == "button":
            form.buttons.append((name, value))
        elif not name:
            return
        elif tag == "select":
            self._select = (form, name)
        elif chosen:
            form.fields[name] = value
            if values.get("type") == "hidden":
                form.hidden[name] = value
        if tag == "textarea":
            self._area = (form, name)
