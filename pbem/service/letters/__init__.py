"""Letters and messages to webhooks: their kinds, the rows that wait, when they leave, and what became of them."""
