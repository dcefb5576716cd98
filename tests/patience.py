"""How long tests wait for what must happen.

What something may cost is limited in seconds of the processor. On the wall clock a machine with other work takes any
number of times as long, so a limit there is for what would otherwise never end, and is long.
"""

PATIENCE = 120.0
"""Seconds of the wall clock."""
