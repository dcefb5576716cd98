"""What is said about how an order is typed, when one cannot be read."""

import pytest

from tests.age_of_steam.typed_orders import VOCABULARY, bad

DELIVERY = "“move COLOUR FROM > NODE > NODE” and “move COLOUR FROM to NODE”"
USAGE = {
    "issue": "“issue N”",
    "shares": "“shares N”",
    "bid": "“bid N”, “bid max N” and “bid N max N then pass until N”",
    "drop": "“drop”",
    "action": "“action NAME > NAME”",
    "build": "“HEX SW-NE,N-S”",
    "done": "“done”",
    "move": DELIVERY,
    "loco": "“loco”",
    "pass": "“pass”",
    "produce": (
        "“produce decline”, “produce city CITY”, “produce N”, “produce TOWN”, “produce COLOUR>BOX COLOUR>BOX” and "
        "“produce COLOUR COLOUR”"
    ),
    "lift": "“lift COLOUR CITY > CITY”",
    "pay": "“pay”",
    "decline": "“decline”",
    "buyback": "“buyback”",
    "always": (
        "“always issue N”, “always bid max N”, “always auto-pass”, “always auto-loco”, “always pay” and "
        "“always decline”"
    ),
    "cancel": "“cancel”",
    "resign": "“resign”",
}
PARTS = {
    "move red L7 > H13 |": "“ORDER | ORDER”",
    "build max": (
        "“build STEP; STEP”, “HEX SW-NE,N-S”, “TOWN @SE,NW”, “city LETTER TOWN”, “link NAME-NAME”, “max N” and “more”"
    ),
    "build S10": "“HEX SW-NE,N-S”",
    "build Q10 @": "“HEX @SE,NW”",
    "build city": "“city LETTER TOWN”",
    "build city A Q10 keep": "“city LETTER NODE keep COLOUR COLOUR”, “keep all” and “keep none”",
    "build link": "“link NAME-NAME PRICE”",
    "build transcon": "“transcon PLAYER,PLAYER”",
}


@pytest.mark.parametrize("text", [*USAGE, *PARTS])
def test_an_order_that_goes_on_with_nonsense_is_answered_with_how_it_goes_on(text: str) -> None:
    assert str(bad(f"{text} ?").sentence()).partition(" Usage: ")[2] == f"{(USAGE | PARTS)[text]}."


def test_every_word_that_starts_an_order_says_how_it_goes_on() -> None:
    assert list(USAGE) == sorted(VOCABULARY.orders, key=list(USAGE).index)
