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
