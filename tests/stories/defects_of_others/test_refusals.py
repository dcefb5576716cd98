"""Rally the Troops: deleting an account is refused with 401 while games run, and goes on all the same.

18xx.games: deleting an account deletes every game its owner has played in.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import cache

from sqlalchemy import select
from werkzeug.routing import Rule

from pbem.service.base.tokens import TurnClaim
from pbem.service.leagues import members
from pbem.service.leagues.members import NewLeague
from pbem.service.people import accounts
from pbem.store.statuses import LeagueKind
from pbem.store.tables import League
from tests.drawn import map_of
from tests.rows import everything
from tests.web.site import Site

HOST = "https://play.example.org"
NONSENSE: tuple[dict[str, str], ...] = (
    {},
    {
        "do": "nothing we know",
        "orders": "fly to the moon",
        "answer": "perhaps",
        "address": "no address",
        "mark": "0" * 64,
    },
)
TALKS_TO_ANYBODY = {"/login": "mails a link to whoever asks"}


@cache
def _map(site: Site) -> str:
    """A map of somebody else."""
    return map_of(site.office, site.host, site.now).key


def paths(site: Site, rule: Rule) -> list[str]:
    """Addresses of a rule with somebody else's game, and links that are none or have run out."""
    stale = site.office.tokens.make(TurnClaim(site.game, site.view().waiting_for, 99))
    values = {
        "game_id": [site.game, "nowhere"], "token": ["no-token", stale], "number": ["1"], "webhook_id": ["1"],
        "at": ["1"], "seed": ["0123abcd"], "tried": ["-"], "league_id": [_league(site), "nowhere"],
        "game": [site.game, "nowhere"], "version": ["0"], "key": [_map(site), "nowhere"],
        "day": [site.now.date().isoformat()],
    }  # fmt: skip
    found = [rule.rule]
    for argument in rule.arguments:
        mark = re.search(f"<[^<>]*{argument}>", rule.rule)
        assert mark is not None
        assert argument in values, f"say here what {rule} is asked for with"
        found = [path.replace(mark[0], value) for path in found for value in values[argument]]
    return found


def posts(site: Site) -> Iterator[str]:
    """Everything that can be sent to."""
    for rule in site.app.url_map.iter_rules():
        if rule.methods and "POST" in rule.methods and rule.rule not in TALKS_TO_ANYBODY:
            yield from paths(site, rule)


def test_what_is_refused_has_changed_nothing(site: Site) -> None:
    """Guests, strangers with good forms, and players with forms of another site."""
    site.play()
    everywhere = list(posts(site))
    accounts.ask_login(site.office, "eva@example.org", site.now)
    link = site.path(site.read(site.letters("login")[-1]).own.link)
    for who in ("guest", "stranger", "player"):
        client = site.client = site.app.test_client()
        if who == "stranger":
            assert client.post(link, base_url=HOST).status_code == 303
        elif who == "player":
            site.log_in(1)
        before, codes = everything(site.office), Counter[int]()
        for path in everywhere:
            for fields in NONSENSE:
                code = client.post(path, data=fields, base_url=HOST).status_code
                codes[code] += 1
                assert code < 500, path
                after = everything(site.office)
                if code >= 400:
                    assert after == before, f"{path} refused {fields} from a {who} with {code} and did something"
                before = after
        assert sum(codes[code] for code in codes if code >= 400) > len(everywhere), codes


def test_deleting_an_account_is_three_steps_from_its_page_and_logs_out(site: Site) -> None:
    site.log_in(1)
    assert 'href="/account/delete"' in site.client.get("/account", base_url=HOST).text
    shown = site.client.get("/account/delete", base_url=HOST).text
    assert "You leave 1 game: Coal by post" in shown
    before, form = everything(site.office), _form(site)
    refused = site.client.post("/account/delete", data={**form, "address": "ana@example.org"}, base_url=HOST)
    assert (refused.status_code, "Nothing was deleted" in refused.text, everything(site.office)) == (400, True, before)
    done = site.client.post("/account/delete", data={**form, "address": "ben@example.org"}, base_url=HOST)
    assert done.status_code == 303
    assert "Your account is deleted." in site.client.get(done.headers["Location"], base_url=HOST).text
    assert site.client.get("/account", base_url=HOST).status_code != 200


def _league(site: Site) -> str:
    """A league of the host that nobody else takes part in; the same one each time."""
    with site.office.read() as session:
        found = session.scalar(select(League.id))
    wish = NewLeague("Winter", LeagueKind.LEAGUE, "age-of-steam", ("rust_belt",), site.now + timedelta(days=7))
    return found or members.open_league(site.office, site.host, wish, site.now)


def _form(site: Site) -> dict[str, str]:
    page = site.client.get("/account/delete", base_url=HOST)
    found = re.search(r'name="mark" value="([^"]+)"', page.text)
    assert found is not None
    return {"mark": found[1]}
