"""Pictures: of positions, of drafts, of maps, and what is laid over them."""
