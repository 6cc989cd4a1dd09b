"""The messages of one session while they are being read: replies grow, facts join them, some are shown only later."""

from collections.abc import Callable
from dataclasses import dataclass, field

from service.domain.automation import is_automation
from service.domain.characters import has_visible
from service.domain.messages import Fact, Message, Origin
from service.sources.text import MAX_TEXT, shortened

# More facts than this under one message tell a reader nothing that these do not.
MAX_FACTS = 400


@dataclass(slots=True)
class Entry:
    """One message in the making; `node` is its place in a format's tree of rows, `shown` whether it was said at all."""

    index: int
    role: str
    origin: Origin
    ts: str | None
    parts: list[str]
    node: int
    shown: bool
    facts: list[Fact] = field(default_factory=list)
    chars: int = 0

    @property
    def content(self) -> str:
        return self.parts[0] if len(self.parts) == 1 else shortened("\n\n".join(self.parts))

    def extend(self, text: str) -> None:
        """Adds a block; what was gathered is shortened now and then, so that many blocks take linear time."""
        self.parts.append(shortened(text))
        self.chars += len(self.parts[-1])
        if self.chars > MAX_TEXT:
            self.parts, self.chars = [self.content], 0

    def frozen(self) -> Message:
        return Message(self.role, self.content, self.origin, self.ts, tuple(self.facts))


class Conversation:
    """Entries in file order, and the messages they amount to; asking again costs only what changed since."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._last: Entry | None = None  # the newest that was said
        self._frozen: list[Message] = []
        self._before: list[int] = []  # how many messages stand before each entry that is frozen

    @property
    def has_shown(self) -> bool:
        """Whether anything was said yet."""
        return self._last is not None

    def by_user(self, text: str, origin: Origin, ts: str | None, *, node: int = -1, shown: bool = True) -> Entry:
        """A user message; text that begins like a program's is automation whoever its source takes it for."""
        if is_automation(text):
            origin = Origin.AUTOMATION
        return self._add("user", origin, text, ts, node, shown)

    def by_assistant(self, text: str, ts: str | None, *, node: int = -1) -> Entry:
        return self._add("assistant", Origin.ASSISTANT, text, ts, node, True)

    def is_last(self, entry: Entry) -> bool:
        """Whether nothing was said after the entry."""
        return self._last is entry

    def ends_with(self, text: str) -> bool:
        """Whether the last thing said is this very reply."""
        last = self._last
        return last is not None and last.origin is Origin.ASSISTANT and last.content == shortened(text)

    def hide_from(self, first: Entry) -> None:
        """Takes out an entry and everything after it."""
        for entry in self._entries[first.index :]:
            entry.shown = False
        self._last = self._last_shown()
        self.forget(first.index)

    def extend(self, entry: Entry, text: str) -> None:
        """Joins another block of the same reply."""
        entry.extend(text)
        self.forget(entry.index)

    def show(self, entry: Entry, shown: bool) -> None:
        """Brings an entry in or takes it out; its place stays the one where it was typed."""
        if entry.shown == shown:
            return
        entry.shown = shown
        if shown and (self._last is None or self._last.index < entry.index):
            self._last = entry
        elif not shown and self._last is entry:
            self._last = self._last_shown()
        self.forget(entry.index)

    def note(self, *facts: Fact) -> None:
        """Ties facts to the last message that was said; before the first one there is nothing to tie them to."""
        entry = self._last
        if entry is None:
            return
        for fact in facts:
            if len(entry.facts) < MAX_FACTS and entry.facts[-1:] != [fact]:
                entry.facts.append(fact)
                self.forget(entry.index)

    def forget(self, index: int = 0) -> None:
        """Drops what was frozen from an entry on."""
        if index < len(self._before):
            del self._frozen[self._before[index] :]
            del self._before[index:]

    def messages(self, is_live: Callable[[int], bool] = lambda _node: True) -> tuple[Message, ...]:
        """The messages whose place is live; call `forget` first if that changed for earlier ones."""
        for entry in self._entries[len(self._before) :]:
            self._before.append(len(self._frozen))
            if entry.shown and has_visible(entry.content) and is_live(entry.node):
                self._frozen.append(entry.frozen())
        return tuple(self._frozen)

    def _last_shown(self) -> Entry | None:
        return next((one for one in reversed(self._entries) if one.shown), None)

    def _add(self, role: str, origin: Origin, text: str, ts: str | None, node: int, shown: bool) -> Entry:
        entry = Entry(len(self._entries), role, origin, ts, [shortened(text)], node, shown)
        self._entries.append(entry)
        if shown:
            self._last = entry
        return entry
