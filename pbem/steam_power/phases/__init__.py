"""The moments in which a seat of Steam Power is asked."""

from pbem.steam_power.phases.actions import Actions
from pbem.steam_power.phases.bonus import TakeBonus
from pbem.steam_power.phases.stealing import Steal

__all__ = ["Actions", "Steal", "TakeBonus"]
