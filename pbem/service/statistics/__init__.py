"""Finished games counted: results, figures of maps added up, ratings; nothing of it is needed to play."""
