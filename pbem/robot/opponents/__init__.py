"""The robots one can play against.

The modules of this package are searched for them, so a new robot is a new module (``docs/add-a-robot.md``).
"""

from pbem.robot.opponents.declaration import Answer, Robot
from pbem.robot.opponents.registry import every

__all__ = ["Answer", "Robot", "every"]
