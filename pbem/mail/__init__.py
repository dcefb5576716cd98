"""Letters: a :class:`pbem.views.LetterView` in, a whole mail out. Nothing here sends, stores or asks the time."""

from pbem.mail.compose import compose

__all__ = ["compose"]
