"""What happens to a game besides orders: opening, seats, votes, pauses, take-backs and the end; views of a game; and
what becomes of the seats when accounts are merged or deleted."""
