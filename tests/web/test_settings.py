"""The switch of the feature over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.live import LiveService


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveService]:
    """A service as it is on a fresh machine: off."""
    with LiveService(tmp_path) as service:
        yield service


def test_the_switch_takes_effect_at_once(live: LiveService) -> None:
    """Switched on, the next answer knows it; other settings in the file stay."""
    live.set("max_passes", 3)
    live.put("s")
    assert live.client.patch("/api/settings", json={"enabled": True}).json() == {"enabled": True}
    assert live.summary("s")["enabled"] is True
    assert '"max_passes": 3' in live.folder.config.read_text()


@pytest.mark.parametrize("value", ["true", 1, None, [], "yes"])
def test_only_a_real_boolean_switches(live: LiveService, value: object) -> None:
    """Anything but true or false is refused, and the feature stays off."""
    answer = live.client.patch("/api/settings", json={"enabled": value})
    assert answer.status_code == 400
    live.put("s")
    assert live.summary("s")["enabled"] is False


def test_an_app_cannot_switch(live: LiveService) -> None:
    """Only the dashboard's token changes a setting."""
    token = live.client.post("/api/tokens", json={"app": "a-host"}).json()["token"]
    with live.client_of(token) as app:
        answer = app.patch("/api/settings", json={"enabled": True})
    assert (answer.status_code, answer.json()["code"]) == (403, "dashboard_only")


def test_a_file_that_cannot_be_changed_is_named(live: LiveService) -> None:
    """Where the file holds something else than settings, it is left alone and the answer says what to mend."""
    live.folder.config.write_text("[1, 2]")
    answer = live.client.patch("/api/settings", json={"enabled": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "settings_unwritable")
    assert live.folder.config.read_text() == "[1, 2]"
