"""Moves, events, chance, phases and the flow between them: no game in it.

Everything here is pure: no clock, no input or output, no global random numbers.
"""
