"""What a Messages API server is asked: the bare question, and the options that make its answer cheap and regular."""

from typing import Any

from service.summarizers.protocol import Request, Task

# What servers of other makes may refuse: the fields of `with_options`, and the words for their parts.
OPTIONAL_FIELDS = ("output_config", "cache_control", "thinking", "effort", "json_schema")


def plain_body(request: Request, model: str, max_tokens: int) -> dict[str, Any]:
    """The question in the fields that every server of this API has always known."""
    return {
        "model": model,
        "max_tokens": max_tokens,
        "system": _sendable(request.instructions),
        "messages": [{"role": "user", "content": _sendable(request.text)}],
    }


def with_options(body: dict[str, Any], task: Task, schema: dict[str, Any]) -> dict[str, Any]:
    """The question with its instructions cached for an hour, little effort, no thinking, and a summary's schema."""
    output: dict[str, Any] = {"effort": "low"}
    if task is Task.SUMMARY:
        output["format"] = {"type": "json_schema", "schema": schema}
    system = {"type": "text", "text": body["system"], "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    return body | {"system": [system], "thinking": {"type": "disabled"}, "output_config": output}


def _sendable(text: str) -> str:
    """The text with lone surrogates, which no request can carry, shown as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
