"""One question to a server that speaks the Messages API: the request, its retries, and what came of it."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from service.summarizers.draft import Draft
from service.summarizers.error_answer import ErrorAnswer
from service.summarizers.messages_request import OPTIONAL_FIELDS, plain_body, with_options
from service.summarizers.messages_stream import AnswerReader
from service.summarizers.protocol import Failure, Reply, Request, Task, Usage
from service.summarizers.retry import may_ask_again, retry_after

if TYPE_CHECKING:
    import anthropic

logger = logging.getLogger(__name__)

_MOST_RETRIES = 2
_CONNECT_SECONDS = 5.0
# The caller's own timeout stands at the deadline: ending a little before it lets the tokens spent be told.
_BEFORE_DEADLINE = 0.05
# The statuses the API's own clients ask again after, beside every 5xx.
_TRANSIENT_STATUSES = frozenset({408, 409, 429})
# The statuses servers of other makes refuse a field with that they do not know.
_BAD_REQUEST_STATUSES = frozenset({400, 422})
_ERROR_TYPE = re.compile(r"[a-z_]{1,40}")


class Trouble(StrEnum):
    """The failures of SPEC section 7 that a model side can cause."""

    OVERLOADED = "model_overloaded"
    TIMEOUT = "model_timeout"
    UNREACHABLE = "model_unreachable"
    CUT = "model_cut"
    REFUSED = "model_refused"
    TRUNCATED = "model_truncated"
    AUTH = "model_auth"
    ERROR = "model_error"


_BY_STOP_REASON = {
    "refusal": Trouble.REFUSED,
    "max_tokens": Trouble.TRUNCATED,
    "model_context_window_exceeded": Trouble.TRUNCATED,
}
_BY_ERROR_TYPE = {
    "overloaded_error": Trouble.OVERLOADED,
    "rate_limit_error": Trouble.OVERLOADED,
    "authentication_error": Trouble.AUTH,
    "permission_error": Trouble.AUTH,
}
_BY_STATUS = {429: Trouble.OVERLOADED, 529: Trouble.OVERLOADED, 401: Trouble.AUTH, 403: Trouble.AUTH}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be answered, and how long an answer may take where the request names no deadline.

    A title is some thirty tokens; the rest is for compatible servers that think although they are told not to.
    """

    summary_tokens: int = 16_000
    title_tokens: int = 1_024
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Broken:
    """Why an attempt gave no reply; `detail` is for the log and quotes nothing a person or model wrote."""

    trouble: Trouble
    detail: str
    transient: bool = False
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One request, and what is heard of its answer."""

    request: Request
    deadline: float
    plainly: bool
    reader: AnswerReader = field(default_factory=AnswerReader)
    refusal: ErrorAnswer = field(default_factory=ErrorAnswer)


class AnthropicSummarizer:
    """A Summarizer over the official SDK, which is imported when the first question is asked.

    With a `base_url` and no key any key is sent, as local servers want; with neither, the SDK's own look at the
    environment applies. Once a server has refused an optional field, none is sent any more.
    """

    engine = "anthropic"

    def __init__(
        self,
        *,
        model: str,
        api_key: str | None = None,
        base_url: str | None = None,
        limits: Limits | None = None,
        first_wait: float = 0.5,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.model = model
        self._api_key = (api_key or "").strip() or ("none" if base_url else None)
        self._base_url = base_url
        self._limits = limits or Limits()
        self._first_wait = first_wait
        self._now = now
        self._plainly = False

    async def ask(self, request: Request) -> Reply | Failure:
        """Asks, and asks again at most twice before the deadline; `usage` adds up what every attempt was counted."""
        clock = asyncio.get_running_loop().time
        limit = clock() + self._limits.seconds if request.deadline is None else request.deadline
        deadline = limit - _BEFORE_DEADLINE
        spent, retries = Usage(), 0
        while True:
            attempt = _Attempt(request, deadline, self._plainly)
            outcome = await self._outcome_of(attempt)
            spent += attempt.reader.usage
            if isinstance(outcome, Reply):
                return replace(outcome, usage=spent)
            wait = self._wait_after(outcome, retries)
            if wait is None or clock() + wait >= deadline:
                logger.warning("model_failed reason=%s detail=%s retries=%d", outcome.trouble, outcome.detail, retries)
                return Failure(outcome.trouble.value, self.model, spent, outcome.retry_after)
            logger.info("model_retry reason=%s detail=%s wait=%.1f", outcome.trouble, outcome.detail, wait)
            await asyncio.sleep(wait)
            retries += 1

    def _wait_after(self, broken: Broken, retries: int) -> float | None:
        if not broken.transient or retries == _MOST_RETRIES:
            return None
        return self._first_wait * 2**retries if broken.retry_after is None else broken.retry_after

    async def _outcome_of(self, attempt: _Attempt) -> Reply | Broken:
        try:
            async with asyncio.timeout_at(attempt.deadline):
                headers = await self._listen(attempt)
        # The SDK lets through what lies below it (httpx2, ssl, json) and its own AttributeError and TypeError.
        except Exception as error:
            # A status counts from the moment it is there, whatever becomes of the words behind it.
            status = attempt.refusal.status
            return broken_by(error) if status is None else self._refused(attempt, status)
        return self._heard(attempt.reader, headers)

    async def _listen(self, attempt: _Attempt) -> Mapping[str, str]:
        """Feeds the reader one answer and gives back its headers; raises what the SDK raises."""
        # Importing the SDK takes seconds and loading the system's certificates some more: neither may hold the loop.
        left = attempt.deadline - asyncio.get_running_loop().time()
        client, body = await asyncio.to_thread(self._prepare, attempt, max(left, 0.001))
        async with client, client.messages.with_streaming_response.create(**body, stream=True) as response:
            # Raw: compression was not asked for, and to undo it is to let a server fill the memory.
            async for chunk in response.http_response.aiter_raw():
                attempt.reader.feed(chunk)
                if attempt.reader.over:
                    break
            else:
                attempt.reader.end()
            return dict(response.headers)

    def _prepare(self, attempt: _Attempt, seconds: float) -> tuple["anthropic.AsyncAnthropic", dict[str, Any]]:
        import anthropic

        # At DEBUG the SDK logs whole requests (the person's words), at INFO httpx2 logs addresses with the password in
        # them, and the variable ANTHROPIC_LOG switches both on.
        for noisy in ("anthropic", "httpx2"):
            logging.getLogger(noisy).setLevel(logging.WARNING)
        if self._api_key is not None and not (self._api_key.isascii() and self._api_key.isprintable()):
            raise anthropic.CredentialsError("the key holds characters no header may carry")
        client = anthropic.AsyncAnthropic(
            api_key=self._api_key,
            base_url=self._base_url,
            timeout=anthropic.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
            max_retries=0,
            open_telemetry=False,
            # A redirect would carry the person's words, and the key below, to a server nobody named.
            http_client=anthropic.DefaultAsyncHttpxClient(
                follow_redirects=False, event_hooks={"response": [attempt.refusal.stop]}
            ),
            default_headers=self._headers(),
        )
        task = attempt.request.task
        most = self._limits.summary_tokens if task is Task.SUMMARY else self._limits.title_tokens
        body = plain_body(attempt.request, self.model, most)
        return client, body if attempt.plainly else with_options(body, task, anthropic.transform_schema(Draft))

    def _headers(self) -> dict[str, str]:
        headers = {"accept-encoding": "identity"}
        # Some compatible servers know only the older header; the vendor's own API gets the key once.
        if self._base_url and self._api_key:
            headers["x-api-key"] = self._api_key
        return headers

    def _refused(self, attempt: _Attempt, status: int) -> Broken:
        """What an error status means; where it is an optional field, the next attempt goes without them all."""
        broken = _broken_by_status(attempt.refusal, status, self._now())
        if attempt.plainly or status not in _BAD_REQUEST_STATUSES or not attempt.refusal.names(OPTIONAL_FIELDS):
            return broken
        self._plainly = True
        return replace(broken, transient=True)

    def _heard(self, reader: AnswerReader, headers: Mapping[str, str]) -> Reply | Broken:
        if reader.error is not None:
            trouble = _BY_ERROR_TYPE.get(reader.error, Trouble.ERROR)
            overloaded = trouble is Trouble.OVERLOADED
            wish = retry_after(headers, self._now()) if overloaded else None
            return Broken(trouble, f"type:{_known(reader.error)}", transient=overloaded, retry_after=wish)
        if not reader.complete:
            return Broken(Trouble.CUT, "no_end") if reader.begun else Broken(Trouble.ERROR, "no_message")
        if reader.stop_reason != "end_turn":
            reason = reader.stop_reason or ""
            return Broken(_BY_STOP_REASON.get(reason, Trouble.ERROR), f"stop:{_known(reason)}")
        return Reply(reader.text, self.model)


def broken_by(error: Exception) -> Broken:
    """What an exception from the SDK, or from the connection under it, means."""
    import anthropic
    import httpx2

    name = type(error).__name__
    match error:
        case anthropic.APIConnectionError():
            return _broken_before_answer(error.__cause__ or error)
        case httpx2.TimeoutException() | TimeoutError():
            return Broken(Trouble.TIMEOUT, name)
        case httpx2.TransportError():
            return Broken(Trouble.CUT, name)
        case httpx2.InvalidURL():
            return Broken(Trouble.UNREACHABLE, name)
        case anthropic.CredentialsError():
            return Broken(Trouble.AUTH, name)
        case TypeError() if "authentication method" in str(error):
            return Broken(Trouble.AUTH, "no_key")
    return Broken(Trouble.ERROR, name)


def _broken_before_answer(cause: BaseException) -> Broken:
    """What the SDK's connection error stands for: its cause tells a dead server from a wrong address or header."""
    import anthropic
    import httpx2

    name = type(cause).__name__
    match cause:
        case httpx2.LocalProtocolError():
            return Broken(Trouble.ERROR, name)
        case httpx2.UnsupportedProtocol():
            return Broken(Trouble.UNREACHABLE, name)
        case httpx2.ConnectTimeout():
            return Broken(Trouble.UNREACHABLE, name, transient=True)
        case httpx2.TimeoutException() | anthropic.APITimeoutError():
            return Broken(Trouble.TIMEOUT, name)
    return Broken(Trouble.UNREACHABLE, name, transient=True)


def _broken_by_status(refusal: ErrorAnswer, status: int, now: float) -> Broken:
    kind = refusal.kind
    trouble = _BY_STATUS.get(status) or _BY_ERROR_TYPE.get(kind, Trouble.ERROR)
    passes = trouble is Trouble.OVERLOADED or status in _TRANSIENT_STATUSES or status >= 500
    transient = may_ask_again(refusal.headers, passes)
    return Broken(
        trouble,
        f"status:{status},type:{_known(kind)}",
        transient=transient,
        retry_after=retry_after(refusal.headers, now) if passes or transient else None,
    )


def _known(word: str) -> str:
    return word if _ERROR_TYPE.fullmatch(word) else "other"
