"""Texts for translation that stand in tables and files, and not in a call that marks them."""

from collections.abc import Iterator

from pbem.age_of_steam import position_text as age_of_steam_text
from pbem.age_of_steam import visit_lines, words
from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.lexicon import COLOURS, NOBODY
from pbem.engine import catalog, position_text
from pbem.engine.moves import SEATS
from pbem.engine.text import YOU
from pbem.language import email_words, orders, rulings
from pbem.language.voice import POSITION
from pbem.rails import board_text, place_text, walks
from pbem.rails import position_text as rails_text
from pbem.rails.sheet import MapSheet
from pbem.steam_power import position_text as steam_power_text
from pbem.steam_power.rules import Rules
from tests.messages.found import Message

STEAM_POWER = ("draw", "actions", "bonus")
"""Phases whose names stand for themselves."""
HEADS = ("income", "track", "shares", "contracts", "factories", "cities", "cash", "points", "out")
"""Heads of the final table, and what stands there for a player who is out."""


def messages() -> Iterator[Message]:
    """What maps and games say of themselves, and the words of the rulebooks."""
    note = "A colour: of cubes (as an adjective that goes with “cube”), and where a player has no name, of a player."
    for colour in dict.fromkeys((*COLOURS, *SEATS, NOBODY)):
        yield Message(colour, context="word", places=["pbem/age_of_steam/lexicon.py"], comments=[note])
    for word in words.WORDS.values():
        yield Message(word, context="word", places=["pbem/age_of_steam/words.py"], comments=["An action or a phase."])
    note = "The reader in a list of players (“Davi, you and Ana”), and with a capital as the name in a line of a table."
    yield Message(YOU, context="word", places=["pbem/engine/text.py"], comments=[note])
    for word in STEAM_POWER:
        yield Message(word, context="word", places=["pbem/steam_power/phases.py"], comments=["A phase of Steam Power."])
    for word in HEADS:
        yield Message(word, context="word", places=["pbem/mail/tables.py"], comments=["In the final table of a game."])
    issue = "Head of a column: the number of shares to issue."
    yield Message("issue", context="word", places=["pbem/age_of_steam/phases/issue_shares.py"], comments=[issue])
    for word in Rules.pool_sizes:
        note = "A kind of tiles: “All 10 tiles of the kind “other crossings” are on the board.”"
        yield Message(word, context="word", places=["pbem/steam_power/rules.py"], comments=[note])
    note = "A word of orders as players type it; other spellings behind |: construir|construye. At least two letters."
    for word in orders.WORDS:
        yield Message(word, context=orders.CONTEXT, places=["pbem/language/orders.py"], comments=[note])
    note = (
        "An action in orders, or a colour with its other endings: czerwony|czerwoną. The name of the rulebook is known."
    )
    for word in orders.NAMES:
        yield Message(word, context=orders.CONTEXT, places=["pbem/language/orders.py"], comments=[note])
    note = (
        "What stands in place of a name in “move COLOUR FROM to NODE”, which says how an order is written. In capitals."
    )
    for word in orders.PARTS:
        yield Message(word, context=orders.PART_CONTEXT, places=["pbem/language/orders.py"], comments=[note])
    note = "A word that emails are answered with, first in its line; other spellings behind |: ayuda|auxilio."
    for word in email_words.WORDS:
        yield Message(word, context=email_words.CONTEXT, places=["pbem/language/email_words.py"], comments=[note])
    yield from _position_words()
    for sheet in catalog.sheets():
        place = f"maps/{sheet.slug}/board.toml"
        for word in getattr(sheet, "own_words", {}).values():
            yield Message(word, context="word", places=[f"maps/{sheet.slug}/rules.py"], comments=["An action."])
        for number, rule in enumerate(sheet.written_rules() if isinstance(sheet, MapSheet) else (), 1):
            yield Message(rule, places=[f"maps/{sheet.slug}/rules.py"], comments=[f"Rule {number} of {sheet.name}."])
        written = f"maps/{sheet.slug}/rules.py"
        if isinstance(sheet, DataSheet):
            written = "pbem/age_of_steam/drawings/town_production.py"
        for option in sheet.known_options():
            yield Message(option.title, places=[written], comments=["An option of a game."])
            for words_of_choice in option.choices.values():
                note = f"A choice for the option “{option.title}”."
                yield Message(words_of_choice, places=[written], comments=[note])
        note = f"Where the map {sheet.name} comes from."
        yield Message(sheet.provenance(), places=[place], comments=[note])
        if sheet.remark:
            yield Message(sheet.remark, places=[place], comments=[f"What sets the map {sheet.name} apart, in a list."])
    yield from _rulings()


def _position_words() -> Iterator[Message]:
    """Words of the text of a position, which programs read as well."""
    note = (
        "A word in the text of a position in emails, before its figure or list: “cash 9”, “takes red”, “Bids: Finn 1”. "
        "No word may be another one of the same place; see the page of the document on emails for programs."
    )
    of_boards = (walks, board_text, place_text, rails_text)
    for module in (position_text, *of_boards, age_of_steam_text, visit_lines, steam_power_text):
        place = f"{module.__name__.replace('.', '/')}.py"
        for word in module.WORDS:
            yield Message(word, context=POSITION, places=[place], comments=[note])
    for sheet in catalog.sheets():
        assert isinstance(sheet, MapSheet)
        for kept in (sheet.extra, *(phase.scratch for phase in sheet.phases)):
            for line in kept.lines.values() if kept else ():
                yield Message(
                    line.head, context=POSITION, places=[f"{kept.__module__.replace('.', '/')}.py"], comments=[note]
                )


def _rulings() -> Iterator[Message]:
    """The pages of rulings; sections about a map have its name."""
    names = {sheet.name for sheet in catalog.sheets()}
    note = "What stands between ` is an order, and between * a heading of the rulebook; both signs stay."
    for game, page in rulings.PAGES.items():
        place = [f"docs/{page}"]
        for section in rulings.sections(game):
            for text in (section.title, *section.heads):
                if text not in names:
                    yield Message(text, places=place, comments=["A heading on the page of rulings."])
            for ruling in section.rulings:
                for text in filter(None, ruling.says):
                    yield Message(text, places=place, comments=[f"Ruling {ruling.number}. {note}"])
