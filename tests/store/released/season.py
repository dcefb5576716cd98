"""What hosts have in their databases after a season: games in every state, on every map, and more."""

from datetime import date, timedelta

from pbem.engine import catalog
from pbem.service.base import NotNow
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.games import departures, opening, takeback, votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.letters import outbox, talk
from pbem.service.people import absences, accounts, blocks, bounces, feeds, notifications, webhooks
from pbem.service.turns import outages, planning
from tests.table import NAMES, Table

MORE = (*NAMES, "Eva", "Finn")
FAR = 12
"""Orders after which a game is under way; one game is played further."""


def play(table: Table) -> None:
    """All of it, in the tables of ``table``."""
    outages.beat_on(table.office, table.now)
    for sheet in catalog.sheets():
        counts = list(sheet.player_counts())
        people = counts[len(counts) // 2]
        if people > 1:
            table.start(title=sheet.name, game=sheet.game, map=sheet.slug, names=MORE[:people])
            table.play_on(FAR)
    _in_every_state(table)
    _around_games(table)


def _in_every_state(table: Table) -> None:
    """Games in every state, submissions and letters of every kind, people who are logged in."""
    table.open(title="Nobody has answered")
    table.open(title="Not everybody has")
    table.answer(1)
    table.answer(2, accept=False)
    table.open(title="Called off")
    opening.cancel(table.office, table.game, table.host, table.later(hours=1))
    table.start(title="Just dealt")
    table.start(title="Over", names=NAMES[:3])
    table.send_all()
    table.play_on(1000)
    table.start(title="In the middle")
    table.play_on(30)
    table.play("issue 99")
    table.later(hours=2)
    table.send_all()
    table.play()
    table.send(table.legal())
    unsent = table.letters(status="waiting")
    assert outbox.claim(table.office, unsent[-1].id, table.now)
    outbox.failed(table.office, unsent[-1].id, "451 later", table.now)
    for _ in range(2):
        accounts.ask_login(table.office, "ana@example.org", table.later(minutes=1))
    accounts.stop_mail(table.office, UnsubscribeClaim(2, table.game, "your-turn"), "game", table.now)


def _around_games(table: Table) -> None:
    """Clocks, taking back, votes, free seats, talk, standing orders, webhooks, bounces."""
    table.start(title="People", grace=timedelta(minutes=10), bank=timedelta(days=2), holidays=(date(2026, 12, 25),))
    table.play_on(5)
    table.play("pass" if "pass" in (table.view().sheet.legal(table.view().state) or ()) else None)
    last = next(row for row in reversed(table.submissions()) if row.status == "played" and row.game_id == table.game)
    number = next(seat.number for seat in table.view().seats if seat.seat == last.seat)
    try:
        takeback.take_back(table.office, table.game, number, table.now)
    except NotNow as stands:  # dice may have been rolled; then the others are asked
        print(f"nothing is taken back: {stands}")
    talk.post(table.office, table.game, 0, "Good morning.\nWho builds to Duluth?", table.now)
    talk.write_note(table.office, table.game, 1, "Ben bluffs.", table.now)
    votes.ask(table.office, table.game, 1, Pausing(), table.now)
    notifications.differ(table.office, 2, table.game, "digest")
    feeds.renew(table.office, 2, table.now)
    webhooks.add(table.office, 2, "discord", "https://discord.com/api/webhooks/1/x", "", table.now)
    absences.add(table.office, 3, date(2026, 12, 24), date(2026, 12, 27), table.now)
    table.play()
    table.later(hours=1)
    table.send_all()
    sent = table.letters(status="sent")
    for row in sent[-2:]:
        bounces.returned(table.office, row.id, "5.1.1", "no such mailbox", table.now)
    table.start(title="A free seat")
    table.play_on(3)
    departures.resign(table.office, table.game, 3, table.now)
    table.start(title="Planned", planning=True)
    view = table.view()
    planning.step_by_step(table.office, table.game, view.waiting_for, table.now)
    table.play(f"{table.legal()}\naction locomotive")
    table.play_on(4)
    blocks.block(table.office, 3, table.game, 0, table.now)
