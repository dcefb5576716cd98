"""The kinds of letter, one declaration each: a class that says all that the service has to know of a kind.

What a letter of the kind stores is the instance; what is true of all of them stands in the class; what it says beside
that is what ``values`` returns. The modules of this package are searched for them, so a new kind is a new class and its
templates (``docs/extending.md``).
"""

from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import Case, LetterKind, Timing, every, named, names, of, title

__all__ = ["Case", "Context", "LetterKind", "Timing", "every", "named", "names", "of", "title"]
