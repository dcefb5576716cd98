"""Bodies, addresses and names that are made to harm: nothing is unpacked, nothing is reached, nothing runs."""

import gzip
import json
import re
import time

import pytest
from sqlalchemy import update

from pbem.service.letters import talk
from pbem.store.tables import Account, Game, Post, Seat
from tests.web.addresses import BASE, Known
from tests.web.base.test_headers import Foreign
from tests.web.site import Site

UP = [
    "..",
    "../secret_key",
    "....//secret_key",
    "%2e%2e%2fsecret_key",
    "..%5csecret_key",
    "%00",
    "/etc/passwd",
    "a\u202e",
]
BODIES = {
    "deep": "[" * 30_000 + "]" * 30_000,
    "deep objects": '{"orders":' * 5_000 + "1" + "}" * 5_000,
    "infinite": '{"orders": 1e999999}',
    "no number": '{"orders": NaN}',
    "digits": '{"orders": ' + "9" * 60_000 + "}",
    "half a character": '{"orders": "\\ud800"}',
    "nul": '{"orders": "pass\\u0000"}',
    "twice": '{"orders": "pass", "orders": ["pass"]}',
    "number of many digits": json.dumps({"orders": "issue " + "9" * 9_000}),
    "many orders": json.dumps({"orders": "pass;" * 2_000}),
    "open quote": json.dumps({"orders": '"' * 9_999}),
    "signs without width": json.dumps({"orders": "\u200b" * 9_999}),
    "marks": json.dumps({"orders": "a" + "\u0301" * 9_000}),
}
MARKUP = ("text/html", "application/atom+xml", "image/svg+xml")
NAME = "<script>alert(1)</script>\"'><img src=//evil.example/x onerror=alert(1)>{{7*7}}"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_json_costs_more_than_its_length(site: Site, body: str) -> None:
    path = f"/api/v1{site.turn().replace('/t/', '/turn/')}"
    version, began = site.view().version, time.process_time()
    answer = site.client.post(path, data=body, content_type="application/json")
    assert answer.status_code in (202, 400, 413)
    assert time.process_time() - began < 2
    if answer.status_code == 202:
        assert site.client.get(site.path(answer.get_json()["status"])).get_json()["status"] == "refused"
    assert site.view().version == version


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_no_body_is_unpacked(site: Site, coding: str) -> None:
    bomb = gzip.compress(b"orders=" + b"x" * 20_000_000)
    assert len(bomb) < 64 * 1024
    for kind in ("application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"):
        answer = site.client.post(site.turn(), data=bomb, content_type=kind, headers={"Content-Encoding": coding})
        assert answer.status_code == 400
    assert site.submissions() == []


def test_a_form_of_very_many_fields_is_too_much(site: Site) -> None:
    part = '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n'
    kind = "multipart/form-data; boundary=x"
    assert site.client.post(site.turn(), data=part * 1_100 + "--x--\r\n", content_type=kind).status_code == 413
    file = '--x\r\nContent-Disposition: form-data; name="orders"; filename="../x"\r\n\r\npass\r\n--x--\r\n'
    assert site.client.post(site.turn(), data=file, content_type=kind).status_code == 400
    assert site.submissions() == []


@pytest.mark.parametrize("name", UP)
def test_no_address_leads_out_of_what_is_shown(site: Site, name: str) -> None:
    secret = site.office.settings.data_dir / "secret_key"
    secret.write_text("a key that lies beside the outbox")
    for rule in site.app.url_map.iter_rules():
        if rule.arguments and "GET" in (rule.methods or ()) and "int:" not in rule.rule:
            path = re.sub("<[^>]+>", name.replace("\\", "\\\\"), rule.rule)
            with site.client.get(path, buffered=True) as answer:
                assert answer.status_code in (301, 302, 308, 400, 404), path
                assert "lies beside" not in answer.get_data(as_text=True)


@pytest.fixture
def named(site: Site) -> Known:
    """A game in which everything that people can name is called something bad."""
    known = Known(site)
    talk.post(site.office, site.game, 0, f"{NAME}\n[x](javascript:alert(1)) https://evil.example", site.now)
    talk.write_note(site.office, site.game, site.host, NAME, site.now)
    with site.office.write() as session:
        session.execute(update(Game).values(title=NAME))
        session.execute(update(Seat).values(name=NAME[:79]))
        session.execute(update(Account).values(name=NAME[:79]))
        session.execute(update(Post).values(name=NAME[:79]))
    return known


def test_whatever_people_write_and_are_called_is_text_on_every_page(named: Known) -> None:
    shown = 0
    for rule, path in named.paths("GET"):
        with named.site.client.get(path, base_url=BASE) as answer:
            assert answer.status_code < 500, rule
            if answer.mimetype not in MARKUP:
                continue
            text = answer.get_data(as_text=True)
            shown += "alert(1)" in text
            assert not re.search("<script>|<img src=//|href=.?javascript", text), rule
            assert all("noreferrer" in link for link in re.findall('<a href="https://evil[^>]+>', text)), rule
            assert ("7*7" in text) == ("alert(1)" in text), rule
            if answer.mimetype == "text/html":
                assert Foreign(text).found == [], rule
    assert shown > 8


def test_what_was_searched_and_typed_is_text_in_the_answer(site: Site) -> None:
    for path in (f"/archive?q={NAME}", f"{site.turn()}?typed={NAME}&check=1", f"{site.turn()}?order={NAME}"):
        answer = site.client.get(path)
        assert "&lt;script&gt;" in answer.text, path
        assert Foreign(answer.text).found == []
    for fields in ({"orders": NAME + "x" * 10_000}, {"typed": NAME, "send": "typed", "x": "y"}):
        answer = site.client.post(site.turn(), data=fields, follow_redirects=True)
        assert "&lt;script&gt;" in answer.text
        assert Foreign(answer.text).found == []
