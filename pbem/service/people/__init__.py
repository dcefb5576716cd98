"""What belongs to a person and to no game: the account, notifications, absences, blocks, bounces, feeds, webhooks."""
