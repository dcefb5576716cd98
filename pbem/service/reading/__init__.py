"""What is read: views of games, records (and their import), feeds, metrics, health, what is due."""
