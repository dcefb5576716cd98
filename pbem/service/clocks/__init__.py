"""The time a player has: clocks of running games, time controls, who is asked and until when."""
