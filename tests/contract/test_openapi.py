"""The document at /openapi.json, held against the running service."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import ignored_auth
from starlette.routing import BaseRoute, Mount, Route

from service.config import set_value
from service.web.app import ROUTES
from service.web.health import OPENAPI
from tests.support.live import LiveService, exchange

DOCUMENT: dict[str, Any] = json.loads(OPENAPI.read_text())
EVERY_CHECK = list(HealthCheck)
VERBS = {"get", "put", "post", "patch", "delete"}

BEYOND_SCHEMAS = (
    {"$ref": "#/components/parameters/after"},
    next(one for one in DOCUMENT["paths"]["/api/usage"]["get"]["parameters"] if one.get("name") == "since"),
)


def document_to_try() -> dict[str, Any]:
    """The document less what no schema can say: which cursors and times are valid, and which token is a right one."""
    document: dict[str, Any] = json.loads(OPENAPI.read_text())
    del document["security"]
    for item in document["paths"].values():
        parameters = item.get("get", {}).get("parameters", [])
        parameters[:] = [one for one in parameters if one not in BEYOND_SCHEMAS]
    return document


# Query parameters that nobody knows are passed over, as everywhere on the web.
CONFIG = SchemathesisConfig.from_dict({"generation": {"allow-extra-parameters": False, "deterministic": True}})
# A stream does not end, so its answer is read by hand in tests/web/test_stream.py.
operations = schemathesis.openapi.from_dict(document_to_try(), config=CONFIG)
schema = operations.exclude(path="/api/events")


LINKED = [
    link["operationId"]
    for link in DOCUMENT["paths"]["/api/chat/slots/{slot}"]["put"]["responses"]["201"]["links"].values()
]
BODIES: dict[str, Any] = {
    "putSlot": {"title": "Imports"},
    "changeSlot": {"project": "/home/dev/shop"},
    "makeSummary": {},
    "startTurn": {},
    "endTurn": {"stop_reason": "end_turn", "messages": exchange("Now the exports")},
    "appendMessages": {"messages": exchange("Sort the imports")},
    "rewriteMessages": {"messages": exchange("Start over")},
}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    """One service with the feature on and the outline engine, for all examples."""
    folder = tmp_path_factory.mktemp("contract")
    set_value(folder / "config.json", "session_summary.enabled", True)
    set_value(folder / "config.json", "session_summary.min_user_turns", 1)
    set_value(folder / "config.json", "engine", "outline")
    with LiveService(folder) as service:
        yield service


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=EVERY_CHECK)
def test_every_answer_is_as_documented(case: schemathesis.Case[Any], live: LiveService) -> None:
    """Whatever is sent, well formed or not, the answer is one the document names, and never a 500."""
    case.call_and_validate(base_url=live.url, headers={"Authorization": f"Bearer {live.token}"})


@given(names=st.lists(st.sampled_from(LINKED), min_size=1, max_size=12))
@settings(max_examples=30, deadline=None, suppress_health_check=EVERY_CHECK)
def test_what_follows_from_a_slot_is_as_documented(names: list[str], live: LiveService) -> None:
    """Along the document's links, in any order, every answer is a documented one: 404 from the deletion on."""
    slot, deleted = uuid.uuid4().hex, False
    follow(live, "putSlot", slot)
    for name in names:
        status = follow(live, name, slot)
        assert (status == 404) == deleted, name
        deleted = deleted or name == "deleteSlot"


def follow(live: LiveService, name: str, slot: str) -> int:
    """The status of one documented operation on the slot, after the answer was held against the document."""
    operation = operations.find_operation_by_id(name)
    query = {"turn": 1} if name == "readExchange" else {}
    body = {"body": BODIES[name]} if name in BODIES else {}
    case = operation.Case(path_parameters={"slot": slot}, query=query, **body)
    headers = {"Authorization": f"Bearer {live.token}"}
    answer = case.call_and_validate(base_url=live.url, headers=headers, excluded_checks=[ignored_auth])
    status: int = answer.status_code
    return status


def test_every_route_and_verb_is_documented() -> None:
    """Nothing is served that the document does not name, and nothing is named that is not served."""
    served = {pair for route in ROUTES for pair in _verbs(route)}
    documented = {(path, verb) for path, item in DOCUMENT["paths"].items() for verb in item.keys() & VERBS}
    assert served == documented


def _verbs(route: BaseRoute) -> Iterator[tuple[str, str]]:
    if isinstance(route, Mount):
        yield f"{route.path}/{{file}}", "get"
    elif isinstance(route, Route):
        methods = route.methods or {verb.upper() for verb in VERBS if hasattr(route.endpoint, verb)}
        for verb in methods - {"HEAD"}:
            yield route.path.replace(":path", ""), verb.lower()
