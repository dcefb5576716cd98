"""The pages of a turn: the question, building, deliveries, planning, and what became of the answer."""
