"""What belongs to a person and to no game: the account, how it is notified, absences, blocks,
webhooks, mail that comes back."""
