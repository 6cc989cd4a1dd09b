"""What hosts send: text with half a character in it is taken like any other."""

from typing import Any

import pytest

from tests.support.live import LiveService

JSON = {"Content-Type": "application/json"}
# Half a surrogate pair as JSON spells it: valid JSON, and no character.
HALF = r"\ud83d"
WHOLE = "\ufffd"


def send(service: LiveService, verb: str, path: str, body: str) -> Any:
    """The answer to a body that is sent as it stands; it must be a success."""
    answer = service.client.request(verb, path, content=body.encode(), headers=JSON)
    assert answer.is_success, answer.text
    return answer.json()


@pytest.mark.parametrize("verb", ["PUT", "PATCH"])
@pytest.mark.parametrize("field", ["title", "project"])
def test_half_a_character_in_what_a_slot_is_called(service: LiveService, verb: str, field: str) -> None:
    """A title that its host cut inside an emoji is stored with a mark in the place of the half."""
    service.put("s")
    changed = send(service, verb, service.path("s"), f'{{"{field}": "Deploy {HALF}"}}')
    assert changed[field] == f"Deploy {WHOLE}"


def test_half_a_character_in_a_memory_mode(service: LiveService) -> None:
    """What is no private mode is stored as it was sent, the half aside."""
    send(service, "PUT", service.path("s"), f'{{"memory_mode": "open{HALF}"}}')
    assert service.rows("SELECT memory_mode FROM transcripts") == [(f"open{WHOLE}",)]


def test_half_a_character_in_a_turns_end(service: LiveService) -> None:
    """The turn ends, with a reason that is no plain word; a field nobody knows does not matter."""
    service.put("s")
    body = f'{{"stop_reason": "end{HALF}", "{HALF}": "{HALF}"}}'
    assert send(service, "POST", service.path("s", "turn", "end"), body)["stop_reason"] == "other"


def test_half_a_character_in_a_message(service: LiveService) -> None:
    """In a role, a time, the content or a fact it costs none of the messages."""
    service.put("s")
    facts = f'[{{"kind": "ran", "text": "pytest {HALF}", "result": "passed"}}]'
    rows = (
        f'{{"role": "tool{HALF}", "content": "x"}}',
        f'{{"role": "user", "content": "Sort {HALF}", "ts": "{HALF}", "facts": {facts}}}',
    )
    send(service, "POST", service.path("s", "messages"), f'{{"messages": [{", ".join(rows)}]}}')
    stored = service.rows("SELECT role, content, ts FROM messages ORDER BY seq")
    assert stored == [("other", "", None), ("user", f"Sort {WHOLE}", None)]
    assert service.rows("SELECT text FROM facts") == [(f"pytest {WHOLE}",)]


def test_half_a_character_among_keys(service: LiveService) -> None:
    """It can be no key: asked for titles it is left out, and no transcript is named so."""
    service.set("session_summary.enabled", True)
    titles = send(service, "POST", "/api/sessions/summarize", f'{{"keys": ["{HALF}", "s"], "{HALF}": 1}}')
    assert titles == {"summaries": {}}
    body = f'{{"transcript_key": "{HALF}"}}'.encode()
    answer = service.client.put(service.path("s"), content=body, headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        "transcript_key: 1 to 256 characters, without control characters",
    )
