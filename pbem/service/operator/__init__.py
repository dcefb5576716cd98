"""What whoever runs the server sees and does: what is due, health, metrics, jobs, notices, blocked accounts."""
