"""The turn API does what its OpenAPI document says, and nothing that the document does not say (schemathesis)."""

import json
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from schemathesis import BaseSchema, GenerationMode, HookContext, checks

from pbem.service.people import accounts
from pbem.store.tables import ProgramToken
from pbem.web.interfaces.answers import document
from tests.fuzz.sentences import examples
from tests.fuzz.world import Made, World, copied

PROGRAM = "pbem_fuzz"
"""The token of a program."""


@pytest.fixture(scope="module")
def world(made: Made) -> Iterator[World]:
    world = copied(*made, "api")
    with world.office.write() as session:
        session.add(ProgramToken(account_id=1, hash=accounts.hashed(PROGRAM), created_at=world.known.now))
    yield world
    world.close()


@pytest.fixture(scope="module")
def api(world: World) -> BaseSchema:
    """The document as the server gives it; most of the tokens are good ones."""
    found = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", world.app)
    tokens, numbers = st.sampled_from(world.known.tokens["t"]), st.integers(0, 40)

    @found.hook("before_generate_path_parameters")
    def good(_: HookContext, strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        game = st.sampled_from(sorted(world.known.games.values()))
        named = {"token": tokens, "submission": numbers, "order": numbers, "game": game, "version": numbers}
        known = st.fixed_dictionaries(named)
        return strategy | known | known | known

    @found.hook("before_generate_headers")
    def program(_: HookContext, strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        return strategy | st.just({"Authorization": f"Bearer {PROGRAM}"})

    @found.hook("before_generate_body")
    def orders(_: HookContext, strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        return strategy | st.sampled_from(world.known.orders).map(lambda order: {"orders": order})

    return found


OPERATIONS = sorted(
    (path, method)
    for path, operations in document("https://play.example.org")["paths"].items()
    for method in operations.keys() & {"get", "post", "put", "patch", "delete"}
)


CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
"""Not those that hold every answer but 200 to right input for a fault: questions that are answered are 410 here."""
RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@examples(25)
@given(data=st.data())
def test_every_operation_is_as_documented(api: BaseSchema, path: str, method: str, data: st.DataObject) -> None:
    case = data.draw(api[path][method].as_strategy(generation_mode=RIGHT))
    case.validate_response(case.call(), checks=CHECKS)


@pytest.mark.parametrize(("path", "method"), [(path, method) for path, method in OPERATIONS if method == "post"])
@examples(25)
@given(data=st.data())
def test_what_is_not_allowed_is_refused(api: BaseSchema, path: str, method: str, data: st.DataObject) -> None:
    case = data.draw(api[path][method].as_strategy(generation_mode=WRONG))
    answer = case.call()
    case.validate_response(answer, checks=CHECKS)
    if answer.status_code == 202:
        sent = case.body
        assert isinstance(sent, dict)
        assert list(sent) == ["orders"]
        assert 1 <= len(str(sent["orders"])) <= 10_000


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", sorted({path for path, _ in OPERATIONS}))
def test_a_method_the_document_does_not_name_is_not_taken(world: World, path: str, method: str) -> None:
    token = world.known.tokens["t"][0]
    answer = world.client.open(path.format(token=token, submission=1, order=1, game="x", version=1), method=method)
    assert answer.status_code == 405
    assert json.loads(answer.text)["error"]
    assert "GET" in answer.headers["Allow"] or "POST" in answer.headers["Allow"]
