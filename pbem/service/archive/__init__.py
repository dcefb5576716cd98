"""Finished games: the archive, records and their import, copies to download, proofs of the dice, replays and
rechecks."""
