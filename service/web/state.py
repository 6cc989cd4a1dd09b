"""What every request can reach."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from starlette.requests import Request

from service.config import ConfigFile
from service.passes.generate import Passes
from service.passes.mirror import Mirror
from service.passes.titles import Titles
from service.passes.upkeep import Upkeep
from service.passes.worker import Worker
from service.store.access import DASHBOARD, Caller
from service.store.engine import Database
from service.store.folder import DataFolder
from service.store.readiness import Readiness
from service.web.errors import ApiError
from service.web.stream import Hub


@dataclass(frozen=True, slots=True)
class Running:
    """The parts of a running service; `now` gives epoch seconds, `started` is when it began."""

    db: Database
    config: ConfigFile
    passes: Passes
    titles: Titles
    worker: Worker
    hub: Hub
    upkeep: Upkeep
    readiness: Readiness
    mirror: Mirror
    folder: DataFolder
    now: Callable[[], float]
    started: float

    def settings_since(self) -> float:
        """Since when, in epoch seconds, the service runs with the environment and the settings it has."""
        return max(self.started, self.config.changed_at())

    def now_ns(self) -> int:
        """The clock as the store counts it."""
        return int(self.now() * 1_000_000_000)


class State(TypedDict):
    """The mapping that the lifespan hands to every request."""

    running: Running


ApiRequest = Request[State]


def running(request: ApiRequest) -> Running:
    """The running service behind a request."""
    return request.state["running"]


def caller_of(request: ApiRequest) -> Caller:
    """Who is asking, as the guard found out."""
    caller = request.scope["caller"]
    if not isinstance(caller, Caller):
        raise TypeError("the guard let a request through without a caller")
    return caller


def check_dashboard(request: ApiRequest, does: str) -> None:
    """Refuses an app what is the dashboard's alone. Raises ApiError 403."""
    if caller_of(request) != DASHBOARD:
        raise ApiError(403, "dashboard_only", f"only the dashboard token {does}")
