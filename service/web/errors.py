"""The one error body of every route."""

from collections.abc import Mapping

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from service.store.engine import StoreBusyError


class ApiError(Exception):
    """An answer that is no success: a status, a code for programs, a sentence for people."""

    def __init__(
        self, status: int, code: str, sentence: str, *, headers: Mapping[str, str] | None = None, **more: str
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.headers = headers
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
    status: int, code: str, sentence: str, *, headers: Mapping[str, str] | None = None, **more: str
) -> Response:
    """The error body, made here and nowhere else."""
    return json_answer({"error": sentence, "code": code, **more}, status, headers)


def slot_not_found() -> ApiError:
    """The answer for a slot that does not exist and for one the caller may not see: the same bytes."""
    return ApiError(404, "slot_not_found", "not found")


def bad_request(sentence: str, code: str = "bad_request") -> ApiError:
    """The caller sent something that cannot be taken; the sentence says what."""
    return ApiError(400, code, sentence)


async def on_api_error(_: Request, error: Exception) -> Response:
    """Handler for the errors that handlers raise on purpose."""
    if not isinstance(error, ApiError):
        raise error
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


async def on_http_error(_: Request, error: Exception) -> Response:
    """Handler for what the router refuses."""
    if not isinstance(error, HTTPException):
        raise error
    code, sentence = _CODES.get(error.status_code, ("http_error", str(error.detail)))
    return error_response(error.status_code, code, sentence, headers=error.headers)


async def on_defect(_: Request, __: Exception) -> Response:
    """Handler for what should not happen; the server logs it."""
    return error_response(500, "internal_error", "something went wrong here; the service's log says where")
