"""Bookmarks and remarks on positions of finished games: who reads them, who removes them, how many there can be."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from pbem.service import BadInput, NoSuch, NotNow, Office
from pbem.service.base.rate_limits import REMARKS, TooMuch
from pbem.service.games import account_deletion, remarks
from pbem.service.games.remarks import LONGEST, MOST_HERE, MOST_OF_ONE, NewRemark
from pbem.service.people import accounts
from pbem.store.tables import Remark
from tests.web.addresses import BASE
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site


@pytest.fixture
def over(played: Played) -> Site:
    return played("over")


@pytest.fixture
def stranger(over: Site) -> int:
    """Somebody who does not play in the game."""
    with over.office.write() as session:
        return accounts.account(session, "eva@example.org", "Eva", over.now).id


def texts(site: Site, account: int | None) -> list[tuple[int, str]]:
    return [(remark.number, remark.text) for remark in remarks.of_game(site.office, site.game, account)]


def test_a_shared_remark_is_seen_at_its_position_and_a_private_one_by_its_author_alone(over: Site) -> None:
    over.log_in(0)
    page = f"/games/{over.game}?at=5"
    shown = Page(over.client.get(page, base_url=BASE).text)
    form = next(form for form in shown.posts if form.action.endswith("/remarks"))
    fields = {**form.hidden, "do": "keep", "remark": "Here <b>it</b> was lost."}
    over.client.post(form.action, data={**fields, "shared": "1"}, base_url=BASE)
    sent = over.client.post(form.action, data={**fields, "remark": "Remember this."}, base_url=BASE)
    assert sent.headers["Location"].endswith("at=5#remarks")
    own = Page(over.client.get(page, base_url=BASE).text)
    assert "Here <b>it</b> was lost." in own.text
    assert "Remember this." in own.text
    guest = over.app.test_client()
    there, elsewhere = guest.get(page).text, guest.get(f"/games/{over.game}?at=6").text
    assert "it&lt;/b&gt; was lost" in there
    assert "was lost" not in elsewhere
    assert 'at=5">order 5</a>' in elsewhere
    assert "Remember this" not in there


def test_a_form_of_another_site_and_a_guest_write_nothing(over: Site) -> None:
    fields = {"at": "5", "do": "keep", "remark": "x", "shared": "1"}
    path = f"/games/{over.game}/remarks"
    assert over.client.post(path, data=fields).headers["Location"].startswith("/login")
    over.log_in(0)
    assert over.client.post(path, data={**fields, "mark": "0" * 32}, base_url=BASE).status_code == 403
    assert texts(over, None) == []


@pytest.mark.parametrize(
    ("number", "text", "shared"),
    [(5, "x" * (LONGEST + 1), True), (5, "  ", True), (100_000, "beyond", False), (5, "\n" * 90 + "x\n" * 90, False)],
)
def test_what_is_too_long_or_nowhere_is_not_kept(over: Site, number: int, text: str, shared: bool) -> None:
    with pytest.raises(BadInput):
        remarks.write(over.office, over.game, over.host, NewRemark(number, text, shared), over.now)


def test_a_running_game_has_no_remarks(site: Site) -> None:
    with pytest.raises(NotNow):
        remarks.write(site.office, site.game, site.host, NewRemark(0, "", shared=False), site.now)


def test_nobody_fills_a_page(over: Site, stranger: int) -> None:
    for number in range(MOST_HERE):
        remarks.write(over.office, over.game, stranger, NewRemark(3, str(number), shared=True), over.now)
    with pytest.raises(NotNow):
        remarks.write(over.office, over.game, over.host, NewRemark(3, "one more", shared=True), over.now)
    for number in range(MOST_OF_ONE - MOST_HERE):
        remarks.write(over.office, over.game, stranger, NewRemark(number, "", shared=False), over.now)
    with pytest.raises(NotNow):
        remarks.write(over.office, over.game, stranger, NewRemark(3, "", shared=False), over.now)


def test_one_account_writes_so_many_in_an_hour(over: Site, stranger: int) -> None:
    limited: Office = replace(over.office, settings=replace(over.office.settings, rate_limits=True))
    for _ in range(REMARKS.most):
        remarks.write(limited, over.game, stranger, NewRemark(3, "", shared=False), over.now)
        mine = remarks.of_game(limited, over.game, stranger)
        remarks.remove(limited, over.game, stranger, mine[0].id, over.now)
    with pytest.raises(TooMuch):
        remarks.write(limited, over.game, stranger, NewRemark(3, "", shared=False), over.now)


def test_authors_and_the_players_of_the_game_remove_remarks_and_nobody_else(over: Site, stranger: int) -> None:
    with over.office.write() as session:
        other = accounts.account(session, "finn@example.org", "Finn", over.now).id
    remarks.write(over.office, over.game, stranger, NewRemark(3, "rude", shared=True), over.now)
    remarks.write(over.office, over.game, stranger, NewRemark(3, "secret", shared=False), over.now)
    shared, private = remarks.of_game(over.office, over.game, stranger)
    for account, number in ((other, shared.id), (over.host, private.id), (other, 10_000)):
        with pytest.raises(NoSuch):
            remarks.remove(over.office, over.game, account, number, over.now)
    remarks.remove(over.office, over.game, over.host, shared.id, over.now)
    remarks.remove(over.office, over.game, stranger, private.id, over.now)
    assert texts(over, stranger) == []


def test_remarks_go_with_the_account_that_wrote_them(over: Site, stranger: int) -> None:
    remarks.write(over.office, over.game, stranger, NewRemark(3, "shared", shared=True), over.now)
    remarks.write(over.office, over.game, over.host, NewRemark(3, "stays", shared=True), over.now)
    account_deletion.delete(over.office, stranger, "eva@example.org", over.now)
    with over.office.read() as session:
        assert session.scalars(select(Remark.text)).all() == ["stays"]
