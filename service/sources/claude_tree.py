"""Which prompts of a Claude Code file were taken back: the tree that `uuid` and `parentUuid` make of its rows.

A rewind leaves the rows in the file and hangs the next prompt on an earlier row. Tools called at once fork the tree as
well, and a message typed meanwhile may hang on a result that the agent's next reply does not follow. So a prompt was
taken back only where another prompt, on which the talk went on later, begins at the row it began at or at one above.
Every other row lives and dies with the prompt it belongs to.
"""

from enum import Enum, auto

NOWHERE = -1


class RowKind(Enum):
    """What a row is in the tree: a rewind is a fork of what was said, whatever a program wrote in between."""

    SILENT = auto()  # of a program: hooks, markers, local commands
    WORK = auto()  # the agent's: its replies, and what its tools answered
    PROMPT = auto()  # what starts the agent's work


class RowTree:
    """Rows in file order as nodes; a parent that is missing in the file is taken to be the row before.

    Below the nodes lies the tree of what was said, from which silent rows are left out.
    """

    def __init__(self) -> None:
        self._node_of: dict[str, int] = {}
        self._said_at: list[int] = []  # of each node, what was said there or last above it
        self._above: list[int] = []  # from here on of each thing said: the one before it on its branch,
        self._prompts: list[int] = []  # the prompt it belongs to,
        self._kinds: list[RowKind] = []
        self._taken_back: frozenset[int] = frozenset()
        self._linked = False
        self._forked = False

    def knows(self, uuid: str) -> bool:
        return uuid in self._node_of

    @property
    def last(self) -> int:
        """The newest node, on which what has no place of its own hangs."""
        return len(self._said_at) - 1

    def add(self, uuid: str, parent: str, *, at_root: bool, kind: RowKind) -> int:
        """Takes the next row, `at_root` if it says that it has no parent."""
        node = len(self._said_at)
        self._linked = self._linked or parent in self._node_of
        above = self._place_of(self._node_of.get(parent, node - 1))
        # A prompt at the root goes back to the start, but only in a file whose rows name their parents.
        if kind is RowKind.PROMPT and at_root and self._linked:
            above = NOWHERE
        self._said_at.append(above if kind is RowKind.SILENT else self._say(above, kind))
        if uuid:
            self._node_of[uuid] = node
        return node

    def is_live(self, node: int) -> bool:
        """Whether the prompt a node belongs to still stands, as of the last `judge`."""
        place = self._place_of(node)
        return place == NOWHERE or self._prompts[place] not in self._taken_back

    def judge(self) -> bool:
        """Looks at the forks again where one was added; whether a prompt was taken back or came back."""
        if not self._forked:
            return False
        self._forked = False
        before, self._taken_back = self._taken_back, self._left_behind()
        return before != self._taken_back

    def _place_of(self, node: int) -> int:
        return NOWHERE if node == NOWHERE else self._said_at[node]

    def _say(self, above: int, kind: RowKind) -> int:
        place = len(self._above)
        self._forked = self._forked or above != place - 1
        self._above.append(above)
        self._kinds.append(kind)
        self._prompts.append(place if kind is RowKind.PROMPT or above == NOWHERE else self._prompts[above])
        return place

    def _left_behind(self) -> frozenset[int]:
        """The prompts that were taken back, and those that had been said below them."""
        newest, newest_prompt = self._newest()
        left: set[int] = set()
        for place, above in enumerate(self._above):
            if above in left or newest_prompt[above] > newest[place]:
                left.add(place)
        return frozenset(place for place in left if self._kinds[place] is RowKind.PROMPT)

    def _newest(self) -> tuple[list[int], list[int]]:
        """The newest thing said on the branch that begins at each place, and on those of the prompts right below it.

        The last element of the second list stands for the root, whose place is -1.
        """
        newest = list(range(len(self._above)))
        newest_prompt = [NOWHERE] * (len(newest) + 1)
        for place in reversed(newest.copy()):
            above = self._above[place]
            if self._kinds[place] is RowKind.PROMPT:
                newest_prompt[above] = max(newest_prompt[above], newest[place])
            if above != NOWHERE:
                newest[above] = max(newest[above], newest[place])
        return newest, newest_prompt
