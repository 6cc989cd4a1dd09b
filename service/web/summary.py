"""The summary of a slot: read as it is stored, or made on demand."""

import asyncio
import hashlib
import math

import orjson
from starlette.endpoints import HTTPEndpoint
from starlette.responses import Response

from service.config import Config
from service.domain.gates import Skip
from service.domain.identity import Refusal, StaleReason
from service.domain.markdown import About, as_markdown
from service.domain.reasons import sentence_for
from service.passes.freshness import moved_on
from service.passes.outcome import STORE_BUSY, STORE_FULL, PassResult
from service.store.engine import StoreBusyError, StoreFullError
from service.store.summaries import SlotState, read_slot_state
from service.web.accept import prefers
from service.web.bodies import NoBody, read_body
from service.web.errors import ApiError, json_response, slot_not_found, summary_disabled
from service.web.slots import not_visible, slot_key
from service.web.state import ApiRequest, Running, caller_of, running

_DAY_SECONDS = 24 * 3600
_MARKDOWN = "text/markdown"
_OFF_MARKDOWN = b"Summaries are off, so none is shown; switch them on in the settings.\n"
_NOTHING = b'"intents":[],"constraints":[],"generated_at":null,"user_turns":null,"last_activity":null}'


def summary_body(state: SlotState, config: Config, now_ns: int) -> bytes:
    """The answer for one slot: the stored payload's exact text behind what is true of it at this moment."""
    if not config.enabled:
        return _body(b"false", None, "unavailable", None)
    if state.private:
        return _body(b"true", None, "unavailable", None)
    generate_state = _generate_state(state, config, now_ns)
    return _body(b"true", moved_on(state), generate_state, state.payload, known_since=state.known_since_ns / 1e9)


def _body(
    enabled: bytes,
    stale: StaleReason | None,
    generate_state: str,
    payload: str | None,
    *,
    known_since: float | None = None,
) -> bytes:
    head = orjson.dumps(
        {
            "stale": stale is not None,
            "stale_reason": stale,
            "known_since": known_since or None,
            "generate_state": generate_state,
        }
    )
    rest = _NOTHING if payload is None else payload[1:].encode()
    return b'{"enabled":' + enabled + b"," + head[1:-1] + b"," + rest


def _generate_state(state: SlotState, config: Config, now_ns: int) -> str:
    if state.leased(now_ns):
        return "unavailable"
    return "ready" if state.user_turns >= config.section.min_user_turns else "too_few_turns"


class SummaryEndpoint(HTTPEndpoint):
    """GET reads and never generates; POST answers once a fresh summary exists, or says why none does."""

    async def get(self, request: ApiRequest) -> Response:
        service, slot = running(request), slot_key(request)
        state, body = await _read(request, service, slot)
        media_type = "application/json"
        if prefers(request.headers.getlist("accept"), _MARKDOWN, media_type):
            body, media_type = await asyncio.to_thread(_markdown, body, state), _MARKDOWN
        etag = f'"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'
        headers = {"ETag": etag, "Vary": "Accept"}
        if _matches(request.headers.get("if-none-match"), etag):
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=media_type)

    async def post(self, request: ApiRequest) -> Response:
        service, slot = running(request), slot_key(request)
        await read_body(request, NoBody)
        result = await service.passes.request(slot, caller_of(request))
        if result is None:
            raise await not_visible(request, slot)
        if not result.current:
            raise _not_made(result)
        _, body = await _read(request, service, slot)
        return json_response(body)


async def _read(request: ApiRequest, service: Running, slot: str) -> tuple[SlotState, bytes]:
    now_ns = service.now_ns()
    state = await service.db.read(lambda r: read_slot_state(r, slot, caller_of(request), now_ns))
    if state is None:
        raise await not_visible(request, slot)
    return state, summary_body(state, service.config.current(), now_ns)


def _markdown(body: bytes, state: SlotState) -> bytes:
    answer = orjson.loads(body)
    if not answer["enabled"]:
        return _OFF_MARKDOWN
    about = About(state.title or state.slot, state.slot, state.project or "", state.user_turns)
    return as_markdown(answer, about).encode()


def _whole_seconds(seconds: float) -> int:
    """As a header holds it; a model side that wants to be left alone for longer than a day is asked tomorrow."""
    return max(0, math.ceil(min(seconds, _DAY_SECONDS)))


def _matches(if_none_match: str | None, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in tags or "*" in tags


def _not_made(result: PassResult) -> Exception:
    """The one answer for each reason, with the same word that log and ledger have."""
    reason = str(result.reason)
    headers = None if result.retry_after is None else {"Retry-After": str(_whole_seconds(result.retry_after))}
    match reason:
        case Refusal.DELETED:
            return slot_not_found(reason)
        case Skip.DISABLED:
            return summary_disabled()
        case Skip.IN_FLIGHT:
            return ApiError(409, "summary_in_flight", "a summary is being made; read it in a moment", reason=reason)
        case Skip.RUNNING:
            return ApiError(409, "summary_turn_running", "a turn is running; ask when it has ended", reason=reason)
        case "model_overloaded":
            return ApiError(503, "model_overloaded", sentence_for(reason), headers=headers, reason=reason)
        case s if s == STORE_BUSY:
            return StoreBusyError()
        case s if s == STORE_FULL:
            return StoreFullError()
    sentence = f"no summary was made: {sentence_for(reason)}"
    return ApiError(409, "summary_unavailable", sentence, headers=headers, reason=reason)
