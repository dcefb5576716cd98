"""A client that knows only forms and links: what a browser without script, or a reader of the screen, can do."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from tests.web.reading import Form, Page
from tests.web.site import Site

CHOICE = re.compile(r'<(?:input|button)\b[^>]*\bname="(orders|chosen|instead)"[^>]*\bvalue="([^"]*)"')


class FormsOnly:
    """Answers the question that is asked with an order, by pressing and following what the page offers."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.url = ""
        self.typed = False
        """Whether an order could only be typed."""

    def answer(self, order: str) -> None:
        """Until the order is sent."""
        page = self._open(self.site.turn())
        after: Page | None
        if order.split()[0] in ("build", "track") or order.startswith("bonus track"):
            after = self._built(page, order)
        elif boxes := [link for link in page.links if link.startswith("?put=")]:
            after = self._put(boxes, order)
        else:
            after = self._offered(page, order)
        if after is not None:  # nothing has been sent so far
            only = next(form for form in after.posts if form.hidden.get("orders", "").split("\n")[0] == order)
            self._send(only, {})

    def _offered(self, page: Page, order: str) -> Page | None:
        """Press a button or choose from a list; all of it where not everything is shown at once."""
        for _ in range(2):
            offered = {unescape(value): name for name, value in CHOICE.findall(page.html)}
            if order in offered:
                return self._send(self._form(page), {offered[order]: order})
            more = [link for link in page.links if "all" in parse_qs(urlsplit(link).query)]
            page = self._open(more[0]) if more else page
        self.typed = True
        return self._send(next(form for form in page.forms if form.id == "play"), {"send": "typed", "typed": order})

    def _put(self, boxes: list[str], order: str) -> Page:
        """Cube by cube, each box a link."""
        chosen: list[str] = []
        for put in order.split()[1:]:
            chosen.append(put)
            page = self._open(next(link for link in boxes if parse_qs(urlsplit(link).query)["put"] == chosen))
            boxes = [link for link in page.links if link.startswith("?put=")]
        return page

    def _built(self, page: Page, order: str) -> Page | None:
        """Hex by hex and tile by tile, each a link."""
        if boards := [link for link in page.links if "build=1" in link]:
            page = self._open(boards[0])
        words = re.sub(r"^(bonus )?(build|track) ", "", order).split("; ")
        for count, step in enumerate(words, 1):
            if words == ["nothing"]:
                break
            page = self._open(
                next(link for link in page.links if parse_qs(urlsplit(link).query).get("hex") == [step.split()[0]])
            )
            wanted = plain("; ".join(words[:count]))
            page = self._open(
                next(
                    link for link in page.links if plain(parse_qs(urlsplit(link).query).get("steps", [""])[0]) == wanted
                )
            )
        return self._send(self._form(page), {})

    def _form(self, page: Page) -> Form:
        """The one that answers: that in which one of several actions is chosen comes first."""
        return min((form for form in page.forms if form.id in ("choose", "play")), key=lambda form: form.id != "choose")

    def _send(self, form: Form, more: dict[str, str]) -> Page | None:
        """The page that follows where a form only leads on, nothing where it has sent orders."""
        fields = {**form.hidden, **more}
        if form.method == "get":
            return self._open(f"{form.action}?{urlencode(fields)}")
        self.site.post(urljoin(self.url, form.action), fields)
        return None

    def _open(self, link: str) -> Page:
        self.url = urljoin(self.url, link).partition("#")[0]
        return self.site.get(self.url)


def plain(draft: str) -> list[list[list[str]]]:
    """A draft as it is compared: track has no direction, and the exits of a town have no order."""
    steps = [step.replace("@", "").split() for step in draft.split(";") if step.strip()]
    return [[[word] for word in place] + sorted(_piece(ends) for ends in pieces.split(",")) for *place, pieces in steps]


def _piece(ends: str) -> list[str]:
    return sorted(ends.split("-"))
