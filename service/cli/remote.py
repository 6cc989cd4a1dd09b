"""The data through the running service's own HTTP."""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from service.cli.ending import CommandError
from service.cli.reach import Json, WantedSlots
from service.domain.keys import is_key
from service.store.folder import DataFolder, Serving

_SECONDS = 30.0
# Longer than any pass may take (SPEC section 11), with its wait in the queue.
_MAKING_SECONDS = 1_800.0
_PAGE = 200
_NO_QUERY: Mapping[str, str | int | None] = {}


class Remote:
    """One connection to the service that holds the folder; its refusals end the command with its own sentence."""

    def __init__(self, client: httpx2.Client, folder: DataFolder, where: str) -> None:
        self._client = client
        self._folder = folder
        self._where = where

    @classmethod
    def of(cls, folder: DataFolder, serving: Serving) -> Self:
        """The service that holds the folder, asked with the folder's token."""
        if serving.url is None:
            raise CommandError(f"the service (process {serving.pid}) is starting or stopping; try again in a moment")
        # The address is this machine's whatever its name there, and no proxy leads to it.
        headers = {"Authorization": f"Bearer {folder.dashboard_token()}", "Host": "localhost"}
        client = httpx2.Client(base_url=serving.url, headers=headers, timeout=_SECONDS, trust_env=False)
        return cls(client, folder, serving.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def enabled(self) -> bool:
        return bool(self._ask("GET", "/api/open-items", {"limit": 1}).get("enabled", True))

    def slots(self, wanted: WantedSlots) -> Json:
        filters = {"q": wanted.text, "source": wanted.source, "project": wanted.project, "state": wanted.state}
        return self._pages("/api/chat/slots", "slots", wanted.limit, **filters)

    def summary(self, slot: str) -> Json:
        return self._ask("GET", f"{_slot_path(slot)}/summary")

    def make(self, slot: str) -> Json:
        return self._ask("POST", f"{_slot_path(slot)}/summary", body={}, seconds=_MAKING_SECONDS)

    def open_items(self, limit: int | None) -> Json:
        return self._pages("/api/open-items", "items", limit)

    def usage(self, limit: int | None, slot: str | None, since: str | None) -> Json:
        return self._pages("/api/usage", "passes", limit, slot=slot, since=since)

    def delete(self, slot: str) -> Json:
        return self._ask("DELETE", _slot_path(slot))

    def tokens(self) -> list[Json]:
        return list(self._ask("GET", "/api/tokens")["tokens"])

    def create_token(self, app: str) -> str:
        return str(self._ask("POST", "/api/tokens", body={"app": app})["token"])

    def revoke_tokens(self, app: str) -> int:
        return int(self._ask("DELETE", f"/api/tokens/{quote(app, safe='')}")["revoked"])

    def _pages(self, path: str, rows: str, limit: int | None, **filters: str | None) -> Json:
        """The pages of a list as one, up to `limit` rows."""

        def page(size: int, after: str | None) -> Json:
            return self._ask("GET", path, {"limit": size, "after": after, **filters})

        return gathered(rows, limit, page)

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int | None] = _NO_QUERY,
        body: Json | None = None,
        seconds: float = _SECONDS,
    ) -> Json:
        sent = {name: value for name, value in query.items() if value is not None}
        try:
            answer = self._client.request(method, path, params=sent, json=body, timeout=seconds)
            value = answer.json()
        except (httpx2.HTTPError, ValueError) as error:
            sentence = f"the service at {self._where} did not answer ({type(error).__name__}); is it stopping?"
            raise CommandError(sentence) from error
        if answer.is_success and isinstance(value, dict):
            return value
        if answer.status_code == httpx2.codes.UNAUTHORIZED:
            another = f"another token than {self._folder.token} holds"
            raise CommandError(f"the service at {self._where} was started with {another}; restart it")
        raise _refused(value)


def gathered(rows: str, limit: int | None, page: Callable[[int, str | None], Json]) -> Json:
    """Pages of a list joined until there are no more or `limit` rows are there; the other keys are the first page's."""
    first = joined = page(min(limit or _PAGE, _PAGE), None)
    while joined["next"] is not None and (limit is None or len(joined[rows]) < limit):
        left = _PAGE if limit is None else min(_PAGE, limit - len(joined[rows]))
        more = page(left, joined["next"])
        joined = {**first, rows: [*joined[rows], *more[rows]], "next": more["next"]}
    return joined


def _slot_path(slot: str) -> str:
    if not is_key(slot):
        raise no_such_session()
    return f"/api/chat/slots/{quote(slot, safe='')}"


def _refused(answer: Any) -> CommandError:
    """The service's own sentence; for an unknown slot where to look the keys up."""
    code, sentence = (answer.get("code"), answer.get("error")) if isinstance(answer, dict) else (None, None)
    if code == "slot_not_found":
        return no_such_session()
    return CommandError(str(sentence or "the service gave an answer that cannot be read; see its log"))


def no_such_session() -> CommandError:
    """The one sentence for a key nobody knows."""
    return CommandError("no session has that key; `session-summary list` shows the keys")
