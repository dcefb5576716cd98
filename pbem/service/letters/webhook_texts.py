"""What a webhook is told: from the row of a message to its values, read as the message leaves."""

from dataclasses import replace

from sqlalchemy.orm import Session

from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say, Word, say
from pbem.language import reading
from pbem.language.voice import GameVoice, capital, spoken
from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.store.tables import Account, Game, Webhook, WebhookMessage
from pbem.transport.webhooks import Message


def message(office: Office, session: Session, webhook: Webhook, row: WebhookMessage, game: Game | None) -> Message:
    """The values of a message in the language of whoever made the webhook; without a game it is a test."""
    owner = session.get_one(Account, webhook.account_id)
    with reading(owner.language) as language:
        return replace(_message(office, session, webhook, row, game), language=language.code)


def _message(office: Office, session: Session, webhook: Webhook, row: WebhookMessage, game: Game | None) -> Message:
    if game is None:
        return Message("test", "pbem", spoken(say("This is a test: you will be notified here.")), office.addresses.root)
    sheet = queries.sheet(game)
    state = sheet.decode(game.state)
    seats = queries.seats(session, game.id)
    voice = GameVoice(sheet, state, {seat.colour: seat.name for seat in seats})
    if row.kind == "over":
        return _over(office, game, sheet, state, voice)
    asked = next(seat for seat in seats if seat.number == row.seat_number)
    turn = sheet.unit.nth(game.turn)
    if webhook.game_id is None:
        act = sheet.question(state).act
        sentence = say("It is your turn ({turn}). {act}.", turn=turn, act=act)
        if row.kind == "reminder":
            sentence = say("It is still your turn ({turn}). {act}.", turn=turn, act=act)
        link = office.addresses.turn(game.id, asked.colour, game.version)  # for the player's own eyes
    else:
        phase = Word(game.phase)
        sentence = say("{turn}, {phase}. Waiting for: {name}.", turn=turn, phase=phase, name=asked.name)
        link = office.addresses.game(game.id)
    return Message(
        row.kind,
        game.title,
        capital(sentence.read(voice)),
        link,
        game=game.id,
        map=game.map,
        turn=game.turn,
        phase=game.phase,
        player=asked.name,
        seat=asked.colour,
        deadline=game.deadline_at,
    )


def _over(office: Office, game: Game, sheet: Sheet, state: State, voice: GameVoice) -> Message:
    standings = tuple((voice.who(line.seat), line.score, line.out) for line in sheet.standings(state))
    ended: Say = say("The game on {map} is over.", map=sheet.name)
    if standings and not standings[0][2]:
        ended = say("The game on {map} is over. First: {name}.", map=sheet.name, name=standings[0][0])
    link = office.addresses.game(game.id)
    return Message("over", game.title, ended.read(voice), link, game=game.id, map=game.map, standings=standings)
