"""The pages of an account: logging in, settings, emails and webhooks, deleting it."""
