"""Finished games as books: what a book is made of, read from the store."""

from pbem.engine import Say, say
from pbem.rails.scene import Scene
from pbem.service.archive import proofs, records
from pbem.service.base import NotNow, Office
from pbem.service.base.seals import seal
from pbem.service.games import views
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView, MoveView
from pbem.views.log import Book, Chapter, log_lines


def of_game(office: Office, game_id: str) -> Book:
    """Raises :class:`NoSuch`, and :class:`NotNow` while the game goes on."""
    game = views.game(office, game_id)
    if game.status != GameStatus.OVER:
        raise NotNow(say("This can be made when the game is over."))
    standings = game.standings
    return Book(
        game=game,
        chapters=_chapters(office, game),
        winners=tuple(line for line in standings if line.seat in game.sheet.winners(game.state, standings)),
        address=office.addresses.game(game_id),
        digest=seal(records.export(office, game_id)),
        draws=len(proofs.rolls(office, game_id)) if game.seed else 0,
    )


def _chapters(office: Office, game: GameView) -> tuple[Chapter, ...]:
    turns: dict[int, list[MoveView]] = {}
    for move in game.log:
        if move.number > 0 and move.counts:
            turns.setdefault(move.turn, []).append(move)
    # TRANSLATORS: The head of a page with the board before the first order.
    found = [_chapter(office, game, say("The deal"), 0, [])]
    found += [
        _chapter(office, game, game.sheet.unit.nth(turn), moves[-1].number, moves) for turn, moves in turns.items()
    ]
    return tuple(found)


def _chapter(office: Office, game: GameView, title: Say, number: int, moves: list[MoveView]) -> Chapter:
    with office.read() as session:
        state = views.state_at(session, game, number)
    sheet = game.sheet
    scene: Scene = sheet.scene(state, names=game.names)
    return Chapter(title, scene, sheet.columns(state), sheet.rows(state), log_lines(moves))
