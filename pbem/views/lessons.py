"""What kind of decision a question is, for somebody who learns the game: the words of lessons."""

from pbem.engine import Say, Seat, Sheet, State, Value, say

TOPICS = ("deliver", "shares", "bid", "action", "build", "engine", "last")
"""What a lesson explains, one letter each, in the order in which it is asked."""
STEAM_POWER = {"actions": "actions", "bonus": "bonus"}
"""What a question of Steam Power is about, by its phase."""
BY_WORD = {"issue": "shares", "bid": "bid", "drop": "bid", "pass": "bid", "action": "action"}
"""What a question is about, by the first word of one of its choices."""
LAST_ROUND = "move_goods.2"


class Words(Value):
    """``head``: which decision it is; ``what``: what that is; ``cost``: what to think of."""

    head: Say
    what: Say
    cost: Say


WORDS = {
    "deliver": Words(
        say("This decision: a delivery"),
        say(
            "A City accepts goods of its own colour. You carry one cube from the City it is in to a City that accepts "
            "it, over links of track; your engine limits how many links. Each link of yours on the way raises your "
            "income by one. A link of somebody else raises theirs."
        ),
        say(
            "Income pays you every turn, and most points at the end come from it. So look for a long route over your "
            "own links, and take a cube that others want before they do."
        ),
    ),
    "shares": Words(
        say("This decision: shares"),
        say(
            "A new turn begins. You can sell shares for money, at this moment only. Money pays for your bid, your "
            "track and your bills."
        ),
        say(
            "Every share costs you money in each turn that is left, and points at the end. So sell what this turn "
            "needs and no more. Too few is worse: if you cannot pay a bill, you lose income."
        ),
    ),
    "bid": Words(
        say("This decision: a bid"),
        say(
            "You bid for your place in the order of this turn. An early place has first choice of actions, hexes and "
            "goods. The first to drop out gets the last place and pays nothing."
        ),
        say(
            "Ask yourself what you would lose by going last. Money is worth no points at the end, but what you bid now "
            "you cannot spend on track."
        ),
    ),
    "action": Words(
        say("This decision: an action"),
        say("Everybody takes one action. Each can be taken only once, and lasts for this turn only."),
        say(
            "Think of the two deliveries that you want to make in this turn. Which action makes them longer, or makes "
            "sure that nobody takes the cube before you?"
        ),
    ),
    "build": Words(
        say("This decision: track"),
        say(
            "You lay tiles with track. A link is track from one City or town to the next, and only a complete link "
            "carries goods. In an order you name each hex and the two sides that the track joins: north is up."
        ),
        say(
            "Build what your next two deliveries need. Each piece of track in a link of yours also counts at the end. "
            "Track that ends nowhere does not."
        ),
    ),
    "engine": Words(
        say("This decision: deliver, or a larger engine"),
        say(
            "Goods move in two rounds. In each round you deliver one cube; once a turn, you can raise your engine by "
            "one link instead. This is the first round of the last turn, so a larger engine can still pay off in the "
            "second."
        ),
        say("You give up one delivery for it. It pays only if the other delivery becomes longer by more than that."),
    ),
    "last": Words(
        say("This decision: the last delivery"),
        say(
            "This is your last decision. Then the bills are paid and the points are counted: for income and for track, "
            "less some for every share."
        ),
        say(
            "There is nothing left to save for. Take the cube that raises your income most, and look at whose links it "
            "uses: each link of others helps them and not you."
        ),
    ),
    "actions": Words(
        say("This decision: your actions"),
        say(
            "You take two actions, one after the other. Contracts bring most points. For each you need its goods: you "
            "fetch them from factories that you can reach, or buy them from the bank, which costs much more."
        ),
        say(
            "Which contract in your hand is nearest? Lay track to its factory, or build the factory yourself. You may "
            "use what belongs to others, but pay for it each time. Take money only if you cannot pay for what you want."
        ),
    ),
    "bonus": Words(
        say("This decision: a bonus"),
        say("The contract that you have fulfilled gives you an extra action. You take it at once or never."),
        say("It uses up none of your two actions, so take it unless it costs money that you need more elsewhere."),
    ),
}


def topic_of(sheet: Sheet, state: State, seat: Seat) -> str:
    """What the open question of a seat is about, of :data:`WORDS`; empty where that has no words."""
    if sheet.game != "age-of-steam":
        return STEAM_POWER.get(sheet.phase(state), "")
    question = sheet.question(state)
    if question.form == "build":
        return "build"
    if question.form == "deliver":
        if sheet.turn(state) != sheet.turns(len(sheet.rows(state))):
            return "deliver"
        return "last" if sheet.moments(state, seat)[:1] == (LAST_ROUND,) else "engine"
    return next((BY_WORD[choice.keyword] for choice in question.choices if choice.keyword in BY_WORD), "")
