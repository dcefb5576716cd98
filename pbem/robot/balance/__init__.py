"""Games that robots play on a map to see whether it is fair, and what these come to."""
