"""Connections to other programs: the broker, SMTP, IMAP, DNS and webhooks. Nothing else opens a connection."""
