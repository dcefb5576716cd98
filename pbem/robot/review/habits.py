"""What kind of mistake an order was, told from the words of the order and of the better one."""

from pbem.engine import Say, say
from pbem.robot.review.comparisons import Comparison


def habit(one: Comparison) -> Say:
    """A sentence that other mistakes share."""
    played, better = one.played.split(), one.better.split()
    words = _word(played), _word(better)
    if one.phase == "turn_order":
        return _bids(_number(played), _number(better))
    if "issue" in words:
        return _shares(_number(played), _number(better))
    if words == ("build", "build"):
        return _builds(one.played, one.better)
    if (found := _DELIVERIES.get(words)) is not None:
        return found
    if words[0] == words[1]:
        return _SAME.get(words[0], say("Something else of the same kind was worth more."))
    return _BETTER.get(words[1], say("Something else was worth more."))


_DELIVERIES = {
    ("loco", "move"): say("The engine raised, where a delivery was worth more."),
    ("move", "loco"): say("A delivery, where a larger engine was worth more."),
    ("move", "move"): say("Another cube, or another way, was worth more."),
    ("pass", "move"): say("Nothing delivered, where a delivery was worth more."),
    ("pass", "loco"): say("Nothing done, where a larger engine was worth more."),
}
_SAME = {
    "action": say("Another action was worth more."),
    "track": say("Track in another place was worth more."),
    "contract": say("Another contract, or another way to it, was worth more."),
    "factory": say("A factory in another City was worth more."),
}
_BETTER = {
    "track": say("Track was worth more than what was done."),
    "contract": say("A contract was worth more than what was done."),
    "factory": say("A factory was worth more than what was done."),
    "draw": say("Drawing contracts was worth more than what was done."),
    "cash": say("Taking cash was worth more than what was done."),
}


def _word(order: list[str]) -> str:
    """The first one, of a bonus what is done with it."""
    found = [word for word in order if word != "bonus"]
    return found[0].strip(";") if found else ""


def _number(order: list[str]) -> int:
    """The highest one in an order, of a bid its limit; 0 where there is none."""
    return max((int(word) for word in order if word.isdecimal()), default=0)


def _bids(played: int, better: int) -> Say:
    if played > better:
        return say("Bids above what the place was worth.")
    if played < better:
        return say("Auctions left where the place was worth more.")
    return say("Another bid of the same size was worth more.")


def _shares(played: int, better: int) -> Say:
    if played > better:
        return say("More shares than were needed.")
    return say("Fewer shares than were needed.")


def _builds(played: str, better: str) -> Say:
    tiles = [0 if order == "build nothing" else order.count(";") + 1 for order in (played, better)]
    if tiles[0] == 0:
        return say("No track built, where some was worth its price.")
    if tiles[0] < tiles[1]:
        return say("Less track than was worth its price.")
    if tiles[0] > tiles[1]:
        return say("More track than was worth its price.")
    return say("Track in another place was worth more.")
