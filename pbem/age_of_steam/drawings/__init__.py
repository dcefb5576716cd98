"""Maps that are drawings: the table of their rules, its words and fields, checks, and how a drawing is changed."""
