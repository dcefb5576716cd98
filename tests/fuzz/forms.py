"""A page as somebody who means it ill reads it: every form with every value it offers, and every link."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from typing_extensions import override

VOID = frozenset({"meta", "link", "img", "source", "input", "br", "hr"})


@dataclass
class Form:
    """A form of a page. ``fields``: the values each field may have, the one it has at first in front."""

    method: str
    action: str
    id: str = ""
    fields: dict[str, list[str]] = field(default_factory=dict)


class Found(HTMLParser):
    """What stands on a page. ``flaws``: tags that do not fit; ``words``: all that can be read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.flaws: list[str] = []
        self._words: list[str] = []
        self._open: list[str] = []
        self._form: Form | None = None
        self._named: dict[str, Form] = {}
        self._field = ""
        self.feed(html)
        self.close()
        self.flaws += [f"<{tag}> is not closed" for tag in self._open]

    @property
    def words(self) -> str:
        return " ".join(" ".join(self._words).split())

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append(tag)
        self.flaws += [f"<{tag} {name}>" for name in values if name == "style" or name.startswith("on")]
        self.links += [values[name] for name in ("href", "src") if name in values]
        if tag == "form":
            self._form = Form(values.get("method", "get").lower(), values.get("action", ""), values.get("id", ""))
            self.forms.append(self._form)
            self._named[self._form.id] = self._form
        elif tag == "option":
            self._offer(self._form, self._field, values.get("value", ""), first="selected" in values)
        elif tag in ("input", "button", "textarea", "select"):
            self._control(tag, values)

    def _control(self, tag: str, values: dict[str, str]) -> None:
        form = self._named.get(values["form"]) if "form" in values else self._form
        self._field = values.get("name", "")
        if form is not None and self._field and tag != "select":
            chosen = values.get("type") not in ("radio", "checkbox") or "checked" in values
            self._offer(form, self._field, values.get("value", ""), first=chosen and tag == "input")

    @staticmethod
    def _offer(form: Form | None, name: str, value: str, *, first: bool) -> None:
        if form is not None and name:
            offered = form.fields.setdefault(name, [])
            offered.insert(0 if first else len(offered), value)

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open.pop() != tag:
            self.flaws.append(f"</{tag}> does not fit")
        if tag == "form":
            self._form = None

    @override
    def handle_data(self, data: str) -> None:
        self._words.append(data)
        if self._open and self._open[-1] in ("script", "style") and data.strip():
            self.flaws.append(f"words inside <{self._open[-1]}>")
        if self._open and self._open[-1] == "textarea" and self._form is not None and self._field:
            self._form.fields[self._field].insert(0, data.removeprefix("\n"))
