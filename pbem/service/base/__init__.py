"""What every function of the service stands on: the office, reading rows, signed links, addresses, limits, errors."""

from pbem.service.base.errors import BadInput, NoSuch, NotNow, Problem
from pbem.service.base.office import Office
from pbem.service.base.work import GameReader, GameWork, NewLetter, Work

__all__ = ["BadInput", "GameReader", "GameWork", "NewLetter", "NoSuch", "NotNow", "Office", "Problem", "Work"]
