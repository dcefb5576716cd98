"""What leaves the server: letters and messages to webhooks, written in the transaction that causes them; when they
leave, who may take them, and what became of them."""
