"""A person's words in a Codex rollout: what clients wrap around them comes off, what a program put in is told apart."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from service.domain.characters import has_visible
from service.domain.messages import Origin
from service.sources.text import as_text, blocks, shortened

PICTURE = "[picture without words]"

# Blocks of a user item that are context; people's own words never begin so.
_INJECTED_STARTS = (
    "<environment_context>",
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<user_action>",
    "<skill>",
    "<model_switch>",
    "<recommended_plugins>",
    "Another language model started to solve this problem",
)
_AUTOMATION_STARTS = ("<subagent_notification>", "<heartbeat>")
_WRAPPERS = ("# Context from my IDE setup:", "# Files mentioned by the user:", "<in-app-browser-context")
_REQUEST = re.compile(r"^## My request(?: for Codex)?:[ \t\r]*$", re.MULTILINE)
_WHOLE_TAG = re.compile(r"<([a-z_]{1,40})>")
# A custom prompt's template begins with this heading; what lies deeper in a text is somebody's document.
_USER_INPUT = re.compile(r"^## User Input[ \t\r]*\n\s*```[a-z]*[ \t\r]*\n", re.MULTILINE)
_TEMPLATE_HEAD = 2_000
_TEMPLATE_CHARS = 600

Prompt = tuple[str, Origin]


def event_prompt(text: str, *, has_pictures: bool) -> Prompt | None:
    """The prompt an event shows: a person's, unless the whole text is one block that a program made."""
    words = text.strip()
    tag = _WHOLE_TAG.match(words)
    if tag and words.startswith((*_INJECTED_STARTS, *_AUTOMATION_STARTS)) and words.endswith(f"</{tag[1]}>"):
        return (words, Origin.AUTOMATION) if words.startswith(_AUTOMATION_STARTS) else None
    return _by_person(words, has_pictures=has_pictures)


def item_prompt(content: object) -> Prompt | None:
    """The prompt in a user item, block by block, for files whose events tell of none."""
    texts = [as_text(block.get("text")).strip() for block in _text_blocks(content)]
    automation = next((text for text in texts if text.startswith(_AUTOMATION_STARTS)), None)
    own = [text for text in texts if text and not text.startswith((*_INJECTED_STARTS, *_AUTOMATION_STARTS))]
    found = _by_person("\n".join(own), has_pictures=has_pictures(content))
    return found or ((automation, Origin.AUTOMATION) if automation else None)


def event_text(content: object) -> str:
    """The words of an item's blocks, whose types are spelled `text` by some versions and `Text` by others."""
    return "\n".join(as_text(block.get("text")) for block in _text_blocks(content))


def has_pictures(content: object) -> bool:
    """Whether a block of the content is a picture."""
    return any("image" in as_text(block.get("type")).lower() for block in blocks(content))


def _text_blocks(content: object) -> Iterator[Mapping[str, Any]]:
    return (block for block in blocks(content) if as_text(block.get("type")).lower() in ("text", "input_text"))


def _by_person(words: str, *, has_pictures: bool) -> Prompt | None:
    if words.startswith(_WRAPPERS):
        request = _REQUEST.search(words)
        if request is None:
            return None
        words = words[request.end() :].strip()
    words, has_note = _without_picture_notes(words)
    if has_visible(words):
        return _typed_into_template(words), Origin.PERSON
    return (PICTURE, Origin.PERSON) if has_pictures or has_note else None


def _without_picture_notes(words: str) -> tuple[str, bool]:
    end = len(words)
    while words.endswith("</image>", 0, end) and (start := words.rfind("<image", 0, end)) >= 0:
        end = len(words[:start].rstrip())
    return words[:end], end < len(words)


def _typed_into_template(words: str) -> str:
    """A custom prompt expands to a long text of which only the fence is the person's."""
    heading = _USER_INPUT.search(words, 0, _TEMPLATE_HEAD)
    if heading is None:
        return words
    end = words.find("\n```", heading.end() - 1)
    typed = words[heading.end() : end].strip() if end >= 0 else ""
    return typed or f"[custom prompt run without words of one's own]\n{shortened(words, _TEMPLATE_CHARS)}"
