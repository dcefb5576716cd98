"""Maps that people draw: their drafts, the versions that games are played on, and who may see them."""
