"""What a Claude Code file is called: a person's own title first, and never the title of another session."""

from collections.abc import Callable, Mapping
from typing import Any

from service.sources.text import as_text, headline

_MAX_SUMMARIES = 200


class Headings:
    """Title rows in file order; the last of each kind holds."""

    def __init__(self) -> None:
        self._by_person: str | None = None
        self._by_agent: str | None = None
        self._summaries: dict[str, str] = {}  # by the row they title, which may lie in another file

    def take(self, kind: str, row: Mapping[str, Any]) -> None:
        if kind == "custom-title":
            self._by_person = headline(as_text(row.get("customTitle") or row.get("title"))) or self._by_person
        elif kind == "ai-title":
            self._by_agent = headline(as_text(row.get("aiTitle") or row.get("title"))) or self._by_agent
        elif len(self._summaries) < _MAX_SUMMARIES:
            self._take_summary(as_text(row.get("leafUuid")), headline(as_text(row.get("summary"))))

    def title(self, knows: Callable[[str], bool], first_prompt: str | None) -> str | None:
        """The best title there is; `knows` tells whether a row is in this file."""
        if given := self._by_person or self._by_agent:
            return given
        own = [title for leaf, title in self._summaries.items() if knows(leaf)]
        return own[-1] if own else headline(first_prompt or "")

    def _take_summary(self, leaf: str, title: str | None) -> None:
        if leaf and title:
            self._summaries.pop(leaf, None)
            self._summaries[leaf] = title
