"""What is true of every kind of letter, in one table: a name stands in the rows of running servers, and when a letter
leaves, whom it may go to and what is in it is promised to players."""

from __future__ import annotations

from pbem.service.letters import kinds

FLAGS = (
    "asks", "pictured", "carries_talk", "always_sent", "to_deleted", "to_strangers", "decisive", "takes_orders",
    "thoughtful", "survives_restore",
)  # fmt: skip
TABLE = """
account-deleted   any_hour  always_sent to_deleted
away              awake
back              awake
board             any_hour pictured takes_orders
called-off        awake
cancelled         awake
caretaker         awake pictured takes_orders
clocks-moved      awake
asked-back        any_hour
consent-asked     awake     carries_talk survives_restore
declined          awake
done              any_hour
from-elsewhere    any_hour
not-taken         any_hour
default-played    awake pictured carries_talk takes_orders
digest            awake     asks carries_talk
end-asked         awake     survives_restore
game-ending       awake     pictured carries_talk
game-over         awake     pictured carries_talk
game-started      awake     pictured carries_talk
guest-game        any_hour to_strangers
invitation        awake     to_strangers decisive survives_restore
league-invitation any_hour to_strangers survives_restore
league-news       awake
lesson            any_hour asks pictured carries_talk takes_orders thoughtful
login             any_hour  always_sent
mail-returned     awake
not-agreed        awake
pause-asked       awake     survives_restore
paused            awake
planning          question asks pictured carries_talk takes_orders
played            any_hour  takes_orders
put-off           awake
refused           any_hour pictured takes_orders
reminder          awake asks pictured carries_talk takes_orders
remove-asked      awake     survives_restore
removed           awake
resigned          awake
resumed           awake
seat-at-table     any_hour to_strangers
seat-offered      awake
seat-taken        awake     pictured carries_talk
set-back          awake
submission-stuck  awake
substitute-wanted awake     pictured to_strangers survives_restore
taken-back        awake     carries_talk
talk              awake     carries_talk
test              any_hour  always_sent
told              any_hour takes_orders
tried             any_hour pictured takes_orders
vote-asked        awake     survives_restore
webhook-stopped   awake
your-turn         merged asks pictured carries_talk takes_orders
"""


def test_every_kind_is_what_its_line_says() -> None:
    for name, timing, *flags in map(str.split, TABLE.strip().splitlines()):
        kind = kinds.named(name)
        assert (kind.timing.name.lower(), [flag for flag in FLAGS if getattr(kind, flag)]) == (timing, flags), name


TITLES = """
account-deleted   account deleted
away              a player is away
back              a player is back
board             the board
called-off          a table was called off
cancelled         game cancelled
caretaker         a caretaker plays for you
asked-back        asks whether you mean it
clocks-moved      all clocks moved
consent-asked     asks to take back
declined          invitation declined
from-elsewhere    an answer from another address
done              what you asked for was done
not-taken         a reply that could not be used
default-played    played for you
digest            digest
end-asked         asks to end the game
game-ending       the game is about to end
game-over         game over
game-started      the game starts
guest-game        the game you started
invitation        invitation
league-invitation invitation to a league
league-news       news of a league
lesson            first game
login             log-in link
mail-returned     emails bounce
not-agreed        not agreed
pause-asked       asks for a pause
paused            the game is paused
planning          plan your turn
played            your orders were played
put-off             a table waits another week
refused           orders not played
reminder          reminder
remove-asked      asks to remove a player
removed           your seat is free
resigned          a player has left
resumed           the game goes on
seat-at-table       your seat at a table
seat-offered      a substitute is wanted
seat-taken        you have a seat
set-back          the server was restored
submission-stuck  orders could not be played
substitute-wanted a seat is free
taken-back        orders taken back
talk              talk
test              test email
told              answer to a word
tried             what orders would lead to
vote-asked        asks for your vote
webhook-stopped   a webhook was stopped
your-turn         your turn
"""


def test_every_kind_is_called_what_its_reader_sees_in_the_list_of_emails() -> None:
    for name, title in (line.split(maxsplit=1) for line in TITLES.strip().splitlines()):
        assert str(kinds.title(name)) == title
