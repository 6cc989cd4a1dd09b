"""Whose file a tree of entries is, pi's or OpenClaw's, and so who stands behind a user text in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service.domain.messages import Origin
from service.sources.conversation import Conversation, Entry
from service.sources.openclaw_wrappers import is_by_program, is_for_sub_agent, is_unmistakable, words_of
from service.sources.text import as_text, shortened

PI = "pi"
OPENCLAW = "openclaw"
PICTURE = "[picture without words]"

_FOLDERS = frozenset({".openclaw", ".clawdbot"})
_CUSTOM_TYPES = ("openclaw", "model-snapshot")


class Speech:
    """Reads user texts as pi's until something shows that the file is OpenClaw's; then earlier ones are judged anew.

    In pi every user text is a person's as it stands, in OpenClaw most are the program's.
    """

    def __init__(self, path: Path, conversation: Conversation, *, is_openclaw: bool) -> None:
        self._conversation = conversation
        self._never = ".pi" in path.parts and not is_openclaw
        self._is_openclaw = is_openclaw or (not self._never and _lies_with_openclaw(path.parts))
        self._doubtful: list[tuple[Entry, str, bool]] = []
        self._spoken = False
        self.sub_agent = False

    @property
    def agent(self) -> str:
        return OPENCLAW if self._is_openclaw else PI

    def entry(self, row: Mapping[str, Any]) -> None:
        """Takes a header or an entry that is no message, either of which may show whose file it is."""
        if shows_openclaw(row):
            self._decide()

    def say(self, text: str, ts: str | None, *, node: int, has_picture: bool) -> None:
        """Adds a user text; a picture without words is said as well."""
        if not text.strip() and not has_picture:
            return
        if is_unmistakable(text):
            self._decide()
        self.sub_agent = self.sub_agent or (self._is_openclaw and not self._spoken and is_for_sub_agent(text))
        self._spoken = True
        words, origin = self._read(text, has_picture=has_picture)
        entry = self._conversation.by_user(words, origin, ts, node=node)
        doubtful = _read_as_openclaw(text, has_picture=has_picture) != (words, origin)
        if doubtful and not self._is_openclaw and not self._never:
            self._doubtful.append((entry, shortened(text), has_picture))

    def _read(self, text: str, *, has_picture: bool) -> tuple[str, Origin]:
        if not self._is_openclaw:
            return text.strip() or PICTURE, Origin.PERSON
        words, origin = _read_as_openclaw(text, has_picture=has_picture)
        return words, Origin.AUTOMATION if self.sub_agent else origin

    def _decide(self) -> None:
        if self._is_openclaw or self._never:
            return
        self._is_openclaw = True
        for entry, text, has_picture in self._doubtful:
            words, entry.origin = self._read(text, has_picture=has_picture)
            entry.parts = [words]
            self._conversation.forget(entry.index)
        self._doubtful.clear()


def shows_openclaw(row: Mapping[str, Any]) -> bool:
    """Whether a header or an entry can only be OpenClaw's."""
    cwd = as_text(row.get("cwd"))[:4096].replace("\\", "/")
    return not _FOLDERS.isdisjoint(cwd.split("/")) or as_text(row.get("customType")).startswith(_CUSTOM_TYPES)


def _read_as_openclaw(text: str, *, has_picture: bool) -> tuple[str, Origin]:
    """The words in the wrappers are a person's unless they begin like the program's; wrappers alone are its own."""
    words = words_of(text)
    if words:
        return words, Origin.AUTOMATION if is_by_program(words) else Origin.PERSON
    return (PICTURE, Origin.PERSON) if has_picture else (text.strip(), Origin.AUTOMATION)


def _lies_with_openclaw(parts: tuple[str, ...]) -> bool:
    return not _FOLDERS.isdisjoint(parts) or (parts[-4:-3] == ("agents",) and parts[-2:-1] == ("sessions",))
