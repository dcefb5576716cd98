"""What programs read: the turn API and its description, feeds, health, metrics."""
