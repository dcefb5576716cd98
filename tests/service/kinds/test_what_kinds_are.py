"""What is true of every kind of letter, in one table: a name stands in the rows of running servers, and when a letter
leaves, whom it may go to and what is in it is promised to players."""

from __future__ import annotations

from pbem.service import kinds

FLAGS = (
    "asks", "pictured", "carries_talk", "always_sent", "to_deleted", "to_strangers", "decisive", "survives_restore",
)  # fmt: skip
TABLE = """
account-deleted   any_hour  always_sent to_deleted
away              awake
back              awake
cancelled         awake
caretaker         awake     pictured
clocks-moved      awake
consent-asked     awake     carries_talk survives_restore
declined          awake
default-played    awake     pictured carries_talk
digest            awake     asks carries_talk
end-asked         awake     survives_restore
game-ending       awake     pictured carries_talk
game-over         awake     pictured carries_talk
game-started      awake     pictured carries_talk
guest-game        any_hour to_strangers
invitation        awake     to_strangers decisive survives_restore
login             any_hour  always_sent
mail-returned     awake
not-agreed        awake
pause-asked       awake     survives_restore
paused            awake
planning          question  asks pictured carries_talk
played            any_hour  pictured
refused           any_hour
reminder          awake     asks pictured carries_talk
remove-asked      awake     survives_restore
removed           awake
resigned          awake
resumed           awake
seat-offered      awake
seat-taken        awake     pictured carries_talk
set-back          awake
submission-stuck  awake
substitute-wanted awake     pictured to_strangers survives_restore
taken-back        awake     carries_talk
test              any_hour  always_sent
webhook-stopped   awake
your-turn         merged    asks pictured carries_talk
"""


def test_every_kind_is_what_its_line_says() -> None:
    declared = [
        " ".join([kind.kind, kind.timing.name.lower(), *(flag for flag in FLAGS if getattr(kind, flag))])
        for kind in kinds.every().values()
    ]
    assert sorted(declared) == sorted(" ".join(line.split()) for line in TABLE.strip().splitlines())
