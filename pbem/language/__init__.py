"""The languages people read: catalogues of sentences, and how dates, numbers and lists are written.

The English sentence is the key. A language is there when its catalogue is: ``messages/pl/LC_MESSAGES/pbem.mo`` makes
Polish (``docs/extending.md``). Whoever serves a reader says so with :func:`reading`; every voice then speaks the
reader's language. Nobody having said so, it is English: records, logs, the command line and the JSON API.
"""

from pbem.language.catalogues import ENGLISH, Language, current, language, languages, reading

__all__ = ["ENGLISH", "Language", "current", "language", "languages", "reading"]
