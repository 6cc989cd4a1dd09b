"""A host of the service, written from its README and /openapi.json alone, in plain HTTP."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from service.config import set_value
from tests.support.live import LiveService
from tests.support.wait import wait_until_sync

Json = dict[str, Any]


@dataclass
class Host:
    """A small chat dashboard: it feeds its sessions, and shows beside each what the service has to say."""

    url: str
    token: str
    last_event: str | None = None
    etags: dict[str, str] = field(default_factory=dict)
    shown: dict[str, Json] = field(default_factory=dict)

    def call(self, verb: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        return httpx2.request(verb, self.url + path, json=body, headers=headers, timeout=30)

    @staticmethod
    def path(slot: str) -> str:
        return "/api/chat/slots/" + quote(slot, safe="")

    def open_chat(self, slot: str, title: str) -> None:
        self.call("PUT", self.path(slot), {"title": title}).raise_for_status()

    def turn(self, slot: str, said: str, answer: str, facts: list[Mapping[str, str]] | None = None) -> None:
        """A person's turn, told as it begins and as it ends."""
        self.call("POST", self.path(slot) + "/turn/start", {}).raise_for_status()
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": answer, "facts": facts or []}]
        body = {"stop_reason": "end_turn", "messages": messages}
        self.call("POST", self.path(slot) + "/turn/end", body).raise_for_status()

    def panel(self, slot: str) -> Json:
        """What the panel shows: read again only where something has changed."""
        tag = {"If-None-Match": self.etags[slot]} if slot in self.etags else {}
        answer = self.call("GET", self.path(slot) + "/summary", **tag)
        if answer.status_code != 304:
            answer.raise_for_status()
            self.etags[slot], self.shown[slot] = answer.headers["etag"], answer.json()
        return self.shown[slot]

    def shows_as_current(self, slot: str) -> bool:
        """Whether the panel would show its summary without the mark of a stale one."""
        panel = self.panel(slot)
        return bool(panel["enabled"] and panel["intents"] and not panel["stale"])

    def refresh(self, slot: str) -> str | None:
        """The button: the reason where no fresh summary came of it."""
        answer = self.call("POST", self.path(slot) + "/summary", {})
        return None if answer.status_code == 200 else str(answer.json().get("reason", answer.json()["code"]))

    def changes(self, until: str) -> list[tuple[str, str]]:
        """What the stream tells from where it was left, up to a frame of one type."""
        resume = {} if self.last_event is None else {"Last-Event-ID": self.last_event}
        headers = {"Authorization": f"Bearer {self.token}", **resume}
        with httpx2.stream("GET", self.url + "/api/events", headers=headers, timeout=10) as stream:
            seen = []
            for event, data in self._frames(stream):
                seen.append((event, str(data["data"].get("key"))))
                if event == until:
                    break
        return seen

    def _frames(self, stream: httpx2.Response) -> Iterator[tuple[str, Json]]:
        frame: dict[str, str] = {}
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if line:
                frame[name] = value
            elif "event" in frame:
                self.last_event = frame["id"]
                yield frame["event"], json.loads(frame["data"])
                frame = {}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with the feature on, and no model."""
    set_value(tmp_path / "data" / "config.json", "session_summary.enabled", True)
    set_value(tmp_path / "data" / "config.json", "engine", "outline")
    return tmp_path / "data"


def app_token(service: LiveService) -> str:
    return str(service.client.post("/api/tokens", json={"app": "my-chat"}).json()["token"])


def test_a_host_lives_through_a_restart(folder: Path) -> None:
    """It feeds a session, shows the panel, misses nothing while the service is away, and never shows old as current."""
    with LiveService(folder) as service:
        host = Host(service.url, app_token(service))
        assert host.changes("hello") == [("hello", "None")]
        host.open_chat("chat/1", "Checkout")
        host.turn("chat/1", "The cart rounds cents wrongly, please fix it", "Fixed in cart.py.")
        host.turn("chat/1", "Run the tests", "They fail.", [{"kind": "ran", "text": "pytest", "result": "failed"}])
        assert ("session_summary", "chat/1") in host.changes("session_summary")
        assert host.shows_as_current("chat/1")
        first = host.panel("chat/1")
        assert host.panel("chat/1") is first  # a 304 later
        host.call("POST", host.path("chat/1") + "/messages", {"messages": [{"role": "user", "content": "Wait!"}]})
        assert not host.shows_as_current("chat/1")
        assert host.panel("chat/1")["stale_reason"] == "appended"
    with LiveService(folder) as service:
        host.url = service.url
        assert host.changes("session_changed") == [("session_changed", "chat/1")]
        assert not host.shows_as_current("chat/1")
        assert host.panel("chat/1")["intents"] == first["intents"]
        assert host.refresh("chat/1") is None
        assert host.shows_as_current("chat/1")
        assert host.panel("chat/1")["user_turns"] == 3


def test_a_host_never_shows_old_as_current(folder: Path) -> None:
    """After every change of the content, and while a turn runs, the panel says what it is."""
    with LiveService(folder) as service:
        host = Host(service.url, app_token(service))
        host.open_chat("c", "Imports")
        host.turn("c", "Sort the imports of the shop", "Sorted.")
        host.turn("c", "Now the exports of the shop", "Done.")
        wait_until_sync(lambda: host.shows_as_current("c"), within=5)
        rewritten = {"messages": [{"role": "user", "content": "Start over"}] * 2}
        for change in (
            lambda: host.turn("c", "And the docs of the shop, please", "Written."),
            lambda: host.call("PUT", host.path("c") + "/messages", rewritten),
        ):
            before = host.panel("c")["generated_at"]
            change()
            panel = host.panel("c")
            assert panel["stale"] or panel["generated_at"] != before
            wait_until_sync(lambda: host.refresh("c") in (None, "in_flight") and host.shows_as_current("c"), within=5)
        host.call("POST", host.path("c") + "/turn/start", {})
        assert host.refresh("c") == "running"
        service.set("session_summary.enabled", False)
        wait_until_sync(lambda: host.panel("c")["enabled"] is False, within=1)
        assert host.panel("c")["intents"] == []


def test_a_host_shows_its_list_and_what_waits(folder: Path) -> None:
    """One line per session, open items over all of them, what it cost, and the turn behind a claim."""
    with LiveService(folder) as service:
        host = Host(service.url, app_token(service))
        host.open_chat("c", "Imports")
        host.turn("c", "Sort the imports of the shop", "Shall I sort the tests as well?")
        assert host.refresh("c") == "too_few_turns"
        lines = host.call("POST", "/api/sessions/summarize", {"keys": ["c", "unknown"]}).json()["summaries"]
        assert list(lines) == ["c"]
        (listed,) = host.call("GET", "/api/chat/slots?q=imports").json()["slots"]
        assert listed["headline"] == lines["c"]
        assert isinstance(host.call("GET", "/api/open-items").json()["items"], list)
        assert host.call("GET", "/api/usage?slot=c").json()["totals"]["cost_usd"] == 0
        exchange = host.call("GET", host.path("c") + "/messages?turn=1").json()["messages"]
        assert [message["role"] for message in exchange] == ["user", "assistant"]
        receipt = host.call("DELETE", host.path("c")).json()
        assert receipt["deleted"]["messages"] == 2
        assert host.refresh("c") == "slot_not_found"
