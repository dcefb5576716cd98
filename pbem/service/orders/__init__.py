"""Orders from submission to played: taken in, played once, and given by robots or at the deadline."""
