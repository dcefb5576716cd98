"""What people do to a game: open it, send orders, take back, vote, leave, take a seat; and what
happens when time is over."""
