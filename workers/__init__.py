"""What runs beside the web: the worker that plays and sends, and the clock that finds what is due."""
