"""How commands reach the data: through the running service where there is one, else the database itself."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from service.store.folder import DataFolder, find_serving

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WantedSlots:
    """Which sessions to list; `limit` None means all."""

    limit: int | None = 50
    text: str | None = None
    source: str | None = None
    project: str | None = None
    state: str | None = None


class Data(Protocol):
    """What commands ask for; every answer has the shape that the HTTP route of SPEC section 8 gives it."""

    def enabled(self) -> bool:
        """Whether the feature is on, so that derived data are shown."""
        ...

    def slots(self, wanted: WantedSlots) -> Json: ...

    def summary(self, slot: str) -> Json: ...

    def make(self, slot: str) -> Json:
        """The summary, made first where it is not current."""
        ...

    def open_items(self, limit: int | None) -> Json: ...

    def usage(self, limit: int | None, slot: str | None, since: str | None) -> Json: ...

    def delete(self, slot: str) -> Json: ...

    def tokens(self) -> list[Json]: ...

    def create_token(self, app: str) -> str: ...

    def revoke_tokens(self, app: str) -> int: ...


@contextlib.contextmanager
def reach(folder: DataFolder, config: Path | None = None) -> Iterator[Data]:
    """The data of the folder. Raises CommandError where they cannot be reached."""
    serving = find_serving(folder)
    if serving is None:
        from service.cli.direct import Direct

        yield Direct(folder, config or folder.config)
        return
    from service.cli.remote import Remote

    with Remote.of(folder, serving) as remote:
        yield remote
