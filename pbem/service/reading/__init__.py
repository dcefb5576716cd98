"""Looking without changing anything: views of games, records, feeds, metrics, health, what is due."""
