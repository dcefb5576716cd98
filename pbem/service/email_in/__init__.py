"""Emails that come in: what they answer, the orders and words in them, and what is answered."""
