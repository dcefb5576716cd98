"""Pages of the server made pages of a static site: every address relative, nothing left that needs a server."""

import posixpath
import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from urllib.parse import urlsplit

from pbem.web.interfaces.site_folder import Folder

FORM = re.compile(r"\s*<form\b.*?</form>", re.DOTALL)
LINK = re.compile(r"<a\b(?P<before>[^>]*?) href=\"(?P<url>[^\"]*)\"(?P<after>[^>]*)>(?P<inside>.*?)</a>", re.DOTALL)
SHOWN = re.compile(r"(?P<before>\b(?:src|srcset)=\"|<link\b[^>]* href=\"|<image\b[^>]* href=\")(?P<url>/[^\"]*)\"")
PART = re.compile(r"url\(\"?([^)\"]+)\"?\)")
"""What a style sheet needs."""
BUTTON = re.compile(r"class=\"[^\"]*\bbtn\b")


class Links:
    """``pages``: the files of the site by the addresses on the server; ``fetched``: what an address holds there;
    ``folder``: where they are written."""

    def __init__(self, pages: Mapping[str, str], fetched: Callable[[str], bytes], folder: Folder) -> None:
        self._pages, self._fetched, self._folder = pages, fetched, folder
        self._files: dict[str, str] = {}

    def page(self, html: str, name: str) -> str:
        """The page as the file with this name."""

        def linked(found: re.Match[str]) -> str:
            return self._link(found, name)

        def shown(found: re.Match[str]) -> str:
            return f'{found["before"]}{_from(name, self._file(found["url"]))}"'

        return SHOWN.sub(shown, LINK.sub(linked, FORM.sub("", html)))

    def _link(self, found: re.Match[str], name: str) -> str:
        """A link into the site; text where it would lead out of it, nothing for a button."""
        to = urlsplit(unescape(found["url"]))
        if to.scheme or to.netloc or not to.path:
            return found[0]
        file = self._pages.get(to.path)
        if file is None:
            return "" if BUTTON.search(found["before"] + found["after"]) else found["inside"]
        query, mark = f"?{to.query}" if to.query else "", f"#{to.fragment}" if to.fragment else ""
        address = escape(f"{_from(name, file)}{query}{mark}")
        return f'<a{found["before"]} href="{address}"{found["after"]}>{found["inside"]}</a>'

    def _file(self, url: str) -> str:
        """The file of a picture, style sheet or script, which is written when it is first needed."""
        address = unescape(url)
        if address.lstrip("/") in self._folder:
            return address.lstrip("/")
        if address not in self._files:
            name = self._files[address] = urlsplit(address).path.lstrip("/")
            content = self._fetched(address)
            if name.endswith(".css"):
                for part in PART.findall(content.decode()):
                    self._file(posixpath.normpath(posixpath.join("/", posixpath.dirname(name), part)))
            self._folder.put(name, content)
        return self._files[address]


def _from(page: str, file: str) -> str:
    return posixpath.relpath(file, posixpath.dirname(page) or ".")
