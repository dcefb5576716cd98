"""Letters: a :class:`pbem.views.letters.LetterView` in, a finished email out. Nothing here sends, stores or asks the
time.

Nothing is imported here, so that ``pbem.mail.reader``, a process of its own, starts without what letters are made with.
"""
