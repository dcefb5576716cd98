"""What a server is told by its environment, and where its files are.

Nothing is imported here: who only looks for a file does not load what a server needs.
"""
