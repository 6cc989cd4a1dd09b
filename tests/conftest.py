"""What every test may ask for."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service.config import set_value
from service.store.engine import Database
from service.store.schema import migrate
from tests.support.live import LiveService
from tests.support.model_server import ModelServer


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio alone, as the service does."""
    return "asyncio"


@pytest.fixture(scope="session")
def running_model_server() -> Iterator[ModelServer]:
    """One thread for the whole run: starting and ending it takes a fifth of a second."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def model_server(running_model_server: ModelServer) -> Iterator[ModelServer]:
    """A scripted model server, fresh for each test."""
    running_model_server.reset()
    yield running_model_server
    running_model_server.release()


@pytest.fixture
def service(tmp_path: Path, model_server: ModelServer) -> Iterator[LiveService]:
    """The service with the feature on, asking the scripted model server."""
    folder = tmp_path / "data"
    set_value(folder / "config.json", "session_summary.enabled", True)
    set_value(folder / "config.json", "engine", "anthropic")
    environ = {"ANTHROPIC_BASE_URL": model_server.url, "ANTHROPIC_API_KEY": "made-up-key"}
    with LiveService(folder, environ=environ) as live:
        yield live


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    """A database file of its own, at the newest revision."""
    path = tmp_path / "session-summary.db"
    await migrate(path)
    database = Database(path)
    yield database
    await database.close()
