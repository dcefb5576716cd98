"""The turn API: what a turn page says and does, for programs."""

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.web.interfaces import answers
from pbem.web.interfaces.answers import document
from tests.web.conftest import Played
from tests.web.site import Site


def _path(site: Site) -> str:
    return site.turn().replace("/t/", "/api/v1/turn/")


def _read(site: Site, path: str, code: int = 200) -> dict[str, Any]:
    answer = site.client.get(site.path(path))
    assert answer.status_code == code, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_a_turn_is_told_with_everything_legal(site: Site) -> None:
    turn = _read(site, _path(site))
    view = site.view()
    assert turn["game"] == view.id
    assert turn["seat"] == view.waiting_for
    assert turn["version"] == 0
    assert turn["phase"] == "issue_shares"
    assert turn["legal"][:3] == ["issue 0", "issue 1", "issue 2"]
    assert turn["placements"] == []
    assert turn["deadline"] == "2026-11-23T18:00:00+00:00"
    assert turn["position"] == view.sheet.position(view.state)
    assert turn["prompt"].startswith("Issue shares. You have $10 and 2 shares; 13 more are allowed. Each brings $5 now")


def test_while_track_is_built_placements_are_told_instead_of_whole_builds(played: Played) -> None:
    site = played("build")
    turn = _read(site, _path(site))
    assert turn["legal"] is None
    assert "build B1 NE-S" in turn["placements"]


def test_orders_are_played_and_the_status_tells_what_happened(site: Site) -> None:
    answer = site.client.post(_path(site), json={"orders": "issue 2"})
    assert answer.status_code == 202
    status = _read(site, answer.get_json()["status"])
    assert status["status"] == "played"
    assert "issued 2 shares" in status["events"][0]
    again = site.client.post(answer.request.path, json={"orders": "issue 2"})
    assert again.get_json() == answer.get_json()
    assert site.view().version == 1


def test_refused_orders_tell_reason_rule_and_place(site: Site) -> None:
    answer = site.client.post(_path(site), json={"orders": "issue 99"})
    status = _read(site, answer.get_json()["status"])
    assert status["status"] == "refused"
    assert "13" in status["reason"]
    assert {"rule", "line", "step"} <= status.keys()
    assert site.view().version == 0


def test_orders_that_wait_say_so(site: Site) -> None:
    site.working = False
    answer = site.client.post(_path(site), json={"orders": "issue 2"})
    assert _read(site, answer.get_json()["status"])["status"] == "waiting"


def test_an_answered_turn_is_gone(site: Site) -> None:
    path = _path(site)
    site.play("issue 2")
    assert _read(site, path, 410)["version"] == 1


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"orders": 2}', "application/json", 400),
        (b'{"orders": ""}', "application/json", 400),
        (b'{"orders": "issue 2", "more": 1}', "application/json", 400),
        (b'{"orders": "\\ud800"}', "application/json", 202),
        (b'{"orders": "issue\\u0000 2"}', "application/json", 202),
        (b'{"orders": "' + b"x" * 10_001 + b'"}', "application/json", 400),
        (b'{"orders": "\xff"}', "application/json", 400),
        (b'{"orders": "issue 2"}', "text/plain", 415),
        (b"x" * 1_000_000, "application/json", 413),
        (b"[" * 50_000, "application/json", 400),
    ],
)
def test_every_body_has_a_clear_answer(site: Site, body: bytes, kind: str, code: int) -> None:
    answer = site.client.post(_path(site), data=body, content_type=kind)
    assert answer.status_code == code
    assert ("error" in answer.get_json()) == (code != 202)
    assert site.view().version == 0


def test_the_description_names_every_address_and_every_field(site: Site, played: Played) -> None:
    described = _read(site, "/api/v1/openapi.json")
    assert described == document("https://play.example.org")
    schemas = described["components"]["schemas"]
    assert set(schemas["Turn"]["properties"]) == set(_read(site, _path(site)))
    rules = {rule.rule for rule in site.app.url_map.iter_rules() if rule.rule.startswith("/api/v1/turn")}
    assert rules == {
        "/api/v1/turn/<token>",
        "/api/v1/turn/<token>/submissions/<int:number>",
        "/api/v1/turn/<token>/withdraw/<int:number>",
    }
    number = site.client.post(_path(site), json={"orders": "issue 99"}).get_json()["status"]
    assert set(_read(site, number)) <= set(schemas["Submission"]["properties"])


def test_the_description_is_made_of_what_answers_are_made_of(site: Site) -> None:
    """A field that is added to an answer is described, and one that is only described cannot be there."""
    described = _read(site, "/api/v1/openapi.json")["components"]["schemas"]
    assert described == answers.schemas()
    for kind in answers.KINDS:
        told = set(kind.__struct_fields__)
        assert set(described[kind.__name__]["properties"]) == told
    assert {schema.removeprefix("#/components/schemas/") for schema in references(document(""))} == set(described)


def references(part: object) -> Iterator[str]:
    """Every schema that something refers to."""
    if isinstance(part, dict):
        yield from ([str(part["$ref"])] if "$ref" in part else [])
    if isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from references(inner)
