"""A made-up home folder, and the service that follows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import set_value
from tests.support.live import LiveService
from tests.support.model_server import ModelServer


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A made-up home folder in which one agent is installed."""
    (tmp_path / "home" / ".claude" / "projects").mkdir(parents=True)
    return tmp_path / "home"


@pytest.fixture
def mirroring(tmp_path: Path, home: Path, model_server: ModelServer) -> Iterator[LiveService]:
    """The service with the feature on, following the made-up home."""
    folder = tmp_path / "data"
    set_value(folder / "config.json", "session_summary.enabled", True)
    set_value(folder / "config.json", "engine", "anthropic")
    environ = {"ANTHROPIC_BASE_URL": model_server.url, "ANTHROPIC_API_KEY": "made-up-key"}
    with LiveService(folder, environ=environ, home=home, mirror_sources=True) as live:
        yield live
