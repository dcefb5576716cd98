"""Talk that reaches a reader at once."""

from sqlalchemy import Select, func, select
from typing_extensions import override

from pbem.engine import say
from pbem.service.letters.kinds.declaration import Case, LetterKind
from pbem.store.statuses import Sending
from pbem.store.tables import Letter, Post


def unread(letter: Letter) -> Select[Post]:
    before = (
        select(func.coalesce(func.max(Letter.talk_up_to), 0))
        .where(
            Letter.account_id == letter.account_id,
            Letter.game_id == letter.game_id,
            Letter.id != letter.id,
            Letter.status == Sending.SENT,
        )
        .scalar_subquery()
    )
    return select(Post).where(Post.game_id == letter.game_id, Post.id > before, Post.account_id != letter.account_id)


class Talk(LetterKind):
    """Somebody has said something, and the reader wants to know at once."""

    kind, title = "talk", say("talk")
    carries_talk = True

    @override
    def unwanted(self, case: Case) -> str:
        there = case.session.scalars(unread(case.letter).limit(1)).first()
        return "" if there is not None else str(say("another email has told it"))
