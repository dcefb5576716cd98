"""The pages of a game and of its people: the lobby, a new game, the game, votes and talk, the archive."""
