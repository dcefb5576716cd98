"""Northern Italy (2 to 5 players; designed for 4 or 5).

1. All rules are those of the base game.
2. The map and the contracts are our own design, not the published ones.
3. Milano and Monza, Firenze and Prato, Pisa and Livorno, Venezia and Padova are adjacent Cities: as soon as any
   connection ends at one of the two, both are open.
4. The lakes are water: no track can be laid on them or lead into them.
"""

from pbem.steam_power.game import SteamPower
from pbem.steam_power.solo import SoloSteamPower


class NorthernItaly(SteamPower):
    """1 to 4. Nothing is bent: Cities, land and water are printed on the board."""


class NorthernItalySolo(SoloSteamPower):
    """The same board for one player with five companies."""


SHEETS = (NorthernItaly, NorthernItalySolo)
