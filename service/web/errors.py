"""The one error body of every route."""

from collections.abc import Mapping

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from service.store.engine import StoreBusyError
from service.web import audit


class ApiError(Exception):
    """An answer that is no success: a status, a code for programs, a sentence for people.

    `true_reason` is for the audit log alone, where the answer must not tell it.
    """

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        headers: Mapping[str, str] | None = None,
        true_reason: str | None = None,
        **more: object,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.headers = headers
        self.true_reason = true_reason or code
        self.more = more

    def response(self) -> Response:
        """The error as it goes out."""
        return error_response(self.status, self.code, self.sentence, headers=self.headers, **self.more)


def json_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer whose JSON text is ready."""
    return Response(body, status, headers=headers, media_type="application/json")


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer made of plain values."""
    return json_response(orjson.dumps(value), status, headers)


def error_response(
    status: int, code: str, sentence: str, *, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    """The error body, made here and nowhere else."""
    return json_answer({"error": sentence, "code": code, **more}, status, headers)


def slot_not_found(true_reason: str) -> ApiError:
    """The answer for a slot that does not exist and for one the caller may not see: the same bytes."""
    return ApiError(404, "slot_not_found", "not found", true_reason=true_reason)


def summary_disabled() -> ApiError:
    """The answer to whoever asks for something derived while the feature is off."""
    sentence = "summaries are off; switch them on in the settings"
    return ApiError(409, "summary_disabled", sentence, reason="disabled")


def bad_request(sentence: str, code: str = "bad_request") -> ApiError:
    """The caller sent something that cannot be taken; the sentence says what."""
    return ApiError(400, code, sentence)


async def on_api_error(request: Request, error: Exception) -> Response:
    """Handler for the errors that handlers raise on purpose; denials reach the audit log here."""
    if not isinstance(error, ApiError):
        raise error
    if error.status in audit.DENIALS:
        audit.denied(request.scope, error.true_reason)
    return error.response()


async def on_store_error(_: Request, error: Exception) -> Response:
    """Handler for a database that could not be written or read in time; nothing was half done."""
    if isinstance(error, StoreBusyError):
        sentence = "the store is busy; nothing was changed, try again in a moment"
        return error_response(503, "store_busy", sentence, headers={"Retry-After": "1"})
    sentence = "the store cannot be written (disk full or read-only); nothing was changed"
    return error_response(507, "store_full", sentence, headers={"Retry-After": "30"})


_CODES = {
    404: ("route_not_found", "no such route; see /openapi.json"),
    405: ("method_not_allowed", "method not allowed"),
}


async def on_http_error(request: Request, error: Exception) -> Response:
    """Handler for what the router refuses."""
    if not isinstance(error, HTTPException):
        raise error
    code, sentence = _CODES.get(error.status_code, ("http_error", str(error.detail)))
    if error.status_code in audit.DENIALS:
        audit.denied(request.scope, code)
    return error_response(error.status_code, code, sentence, headers=error.headers)


async def on_defect(_: Request, __: Exception) -> Response:
    """Handler for what should not happen; the server logs it."""
    return error_response(500, "internal_error", "something went wrong here; the service's log says where")
