"""The sequence of play, one file a phase, in the order of the rulebook."""

from pbem.age_of_steam.phases.build_track import BuildTrack
from pbem.age_of_steam.phases.goods_growth import GoodsGrowth
from pbem.age_of_steam.phases.issue_shares import IssueShares
from pbem.age_of_steam.phases.money import CollectIncome, IncomeReduction, PayExpenses
from pbem.age_of_steam.phases.move_goods import MoveGoods
from pbem.age_of_steam.phases.select_actions import SelectActions
from pbem.age_of_steam.phases.turn_order import TurnOrder

__all__ = [
    "BuildTrack",
    "CollectIncome",
    "GoodsGrowth",
    "IncomeReduction",
    "IssueShares",
    "MoveGoods",
    "PayExpenses",
    "SelectActions",
    "TurnOrder",
]
