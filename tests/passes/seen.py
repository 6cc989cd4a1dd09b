"""What a user of the following service sees, and what an agent writes meanwhile."""

from typing import Any

from tests.support.claude_files import ClaudeFile
from tests.support.live import LiveService


def listed(service: LiveService) -> dict[str, dict[str, Any]]:
    slots = service.client.get("/api/chat/slots").json()["slots"]
    return {slot["key"]: slot for slot in slots}


def turns(service: LiveService) -> dict[str, int]:
    """How many user turns each listed session has."""
    return {key: slot["user_turns"] for key, slot in listed(service).items()}


def two_turns(file: ClaudeFile) -> None:
    """Two whole turns, seen together: the end of the first alone would leave its own row in the ledger."""
    with file.at_once():
        for said in ("Sort the imports", "Now the exports"):
            file.prompt(said)
            file.reply("Done.")
            file.end()


def outcomes(service: LiveService) -> list[str]:
    return [row["outcome"] for row in service.client.get("/api/usage").json()["passes"]]
