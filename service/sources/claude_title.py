"""What a Claude Code file is called: a person's own title first, and never the title of another session."""

from collections.abc import Callable, Mapping
from typing import Any

from service.sources.text import as_text, headline

_MAX_SUMMARIES = 200
_BY_PERSON, _BY_AGENT = "custom-title", "ai-title"
_FIELDS = {_BY_PERSON: "customTitle", _BY_AGENT: "aiTitle"}


class Headings:
    """Title rows in file order; the last of each kind holds."""

    def __init__(self) -> None:
        self._given: dict[str, str | None] = {}
        self._summaries: dict[str, str] = {}  # by the row they title, which may lie in another file

    def take(self, kind: str, row: Mapping[str, Any]) -> None:
        if kind in _FIELDS:
            self._take_title(kind, row)
        elif len(self._summaries) < _MAX_SUMMARIES:
            self._take_summary(as_text(row.get("leafUuid")), headline(as_text(row.get("summary"))))

    def title(self, knows: Callable[[str], bool], first_prompt: str | None) -> str | None:
        """The best title there is; `knows` tells whether a row is in this file."""
        if given := self._given.get(_BY_PERSON) or self._given.get(_BY_AGENT):
            return given
        own = [title for leaf, title in self._summaries.items() if knows(leaf)]
        return own[-1] if own else headline(first_prompt or "")

    def _take_title(self, kind: str, row: Mapping[str, Any]) -> None:
        """As it stands: one that was emptied is a title no more; a row without one says nothing."""
        name = next((name for name in (_FIELDS[kind], "title") if isinstance(row.get(name), str)), None)
        if name is not None:
            self._given[kind] = headline(row[name])

    def _take_summary(self, leaf: str, title: str | None) -> None:
        if leaf and title:
            self._summaries.pop(leaf, None)
            self._summaries[leaf] = title
