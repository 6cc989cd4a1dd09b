"""Made-up rows of Claude Code files, and what its reader makes of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import FactKind, FactResult
from service.sources.claude_code import ClaudeCodeReader
from service.sources.session import Session

Row = dict[str, Any]


def typed(content: object, **fields: object) -> Row:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def replied(*blocks: Row | str, reply: str = "m1", stop: str | None = None, **fields: object) -> Row:
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"id": reply, "role": "assistant", "content": content, "stop_reason": stop}
    return {"type": "assistant", "message": message, **fields}


def text(words: str) -> Row:
    return {"type": "text", "text": words}


def tool(name: str, call: str = "t1", **given: object) -> Row:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def result(output: object = "ok", *beside: Row, call: str = "t1", error: bool | None = None, **fields: object) -> Row:
    block: Row = {"type": "tool_result", "tool_use_id": call, "content": output}
    if error is not None:
        block["is_error"] = error
    return typed([block, *beside], **fields)


def queue(operation: str, content: str | None = None, **fields: object) -> Row:
    return {"type": "queue-operation", "operation": operation, "content": content, "sessionId": "s", **fields}


def attached(prompt: str, mode: str = "prompt", **fields: object) -> Row:
    return {
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": prompt, "commandMode": mode, **fields},
    }


def linked(*rows: Row) -> list[Row]:
    """The rows as one chain, `n0` first; a row that names its own parent keeps it."""
    return [
        {"uuid": f"n{n}", "parentUuid": f"n{n - 1}" if n else None, **row} if row["type"] != "queue-operation" else row
        for n, row in enumerate(rows)
    ]


def session_of(*rows: Mapping[str, Any], name: str = "s") -> Session:
    reader = ClaudeCodeReader(Path(f"{name}.jsonl"))
    for row in rows:
        reader.add(row)
    return reader.session()


def prompts(*rows: Mapping[str, Any]) -> list[str]:
    return [message.content for message in session_of(*rows).messages if message.by_person]


def facts(*rows: Mapping[str, Any]) -> list[tuple[FactKind, str, FactResult | None]]:
    return [(fact.kind, fact.text, fact.result) for message in session_of(*rows).messages for fact in message.facts]


MARKER: Row = {"type": "system", "subtype": "turn_duration"}
API_ERROR: Row = {**replied("API Error: 529"), "isApiErrorMessage": True}
