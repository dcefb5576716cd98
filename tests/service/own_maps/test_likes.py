"""Whoever has finished a game on a map says whether they like it, once for each map, and can change it."""

import pytest

from pbem.service import NoSuch, NotNow
from pbem.service.own_maps import likes, listing
from tests.drawn import SLUG, map_of
from tests.table import Table


@pytest.fixture
def key(table: Table) -> str:
    """A map of Davi; Ana, Ben and Eva have a game on it."""
    made = map_of(table.office, table.account("Davi"), table.now)
    table.start(map=SLUG)
    return made.key


@pytest.mark.postgresql
def test_a_player_of_a_finished_game_is_asked_and_can_change_the_answer(table: Table, key: str) -> None:
    ana, ben = table.account("Ana"), table.account("Ben")
    assert likes.asked(table.office, table.game, ana) is None
    with pytest.raises(NotNow, match="Finish a game on this map first"):
        likes.say_so(table.office, key, ana, table.now, liked=True)
    table.play_on(1000)
    opinion = likes.asked(table.office, table.game, ana)
    assert opinion is not None
    assert (opinion.key, opinion.name, opinion.liked) == (key, "Douro", None)
    for liked, sums in ((True, (1, 1)), (True, (1, 1)), (False, (0, 1))):
        likes.say_so(table.office, key, ana, table.now, liked=liked)
        assert listing.likes(table.office, key) == sums
        again = likes.asked(table.office, table.game, ana)
        assert again is not None
        assert again.liked is liked
    likes.say_so(table.office, key, ben, table.now, liked=True)
    assert listing.likes(table.office, key) == (1, 2)


def test_neither_strangers_nor_whoever_drew_the_map_are_asked(table: Table, key: str) -> None:
    table.play_on(1000)
    davi, zoe = table.account("Davi"), table.account("Zoe")
    assert likes.asked(table.office, table.game, davi) is None
    assert likes.asked(table.office, table.game, zoe) is None
    assert likes.asked(table.office, "nowhere", zoe) is None
    with pytest.raises(NotNow):
        likes.say_so(table.office, key, zoe, table.now, liked=True)
    with pytest.raises(NoSuch):
        likes.say_so(table.office, key, davi, table.now, liked=True)
    with pytest.raises(NoSuch):
        likes.say_so(table.office, "nowhere", zoe, table.now, liked=True)
    assert listing.likes(table.office, key) == (0, 0)


def test_players_on_a_printed_map_are_not_asked(table: Table) -> None:
    table.start()
    table.play_on(1000)
    assert likes.asked(table.office, table.game, table.account("Ana")) is None
