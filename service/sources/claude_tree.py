"""Which prompts of a Claude Code file were taken back: the tree that `uuid` and `parentUuid` make of its rows.

A rewind leaves the rows in the file and hangs the next prompt on an earlier row. Parallel tool calls fork the tree as
well, so only prompts are judged by the chain of parents; every other row lives and dies with the prompt it belongs to.
"""

NOWHERE = -1


class RowTree:
    """Rows in file order as nodes; a parent that is missing in the file is taken to be the row before."""

    def __init__(self) -> None:
        self._node_of: dict[str, int] = {}
        self._parents: list[int] = []
        self._owners: list[int] = []  # the nearest prompt at or above each node
        self._chain: set[int] = set()  # the newest message row and all above it
        self._tip = NOWHERE
        self._linked = False
        self._prompt_at_root = False
        self.changes = 0  # how often an earlier prompt was taken back or came back

    def knows(self, uuid: str) -> bool:
        return uuid in self._node_of

    @property
    def last(self) -> int:
        """The newest node, on which what has no place of its own hangs."""
        return len(self._parents) - 1

    def add(self, uuid: str, parent: str, *, at_root: bool, is_prompt: bool, is_message: bool) -> int:
        """Takes the next row, `at_root` if it says that it has no parent; a message row ends the live branch."""
        node = len(self._parents)
        above = self._node_of.get(parent, node - 1)
        self._linked = self._linked or parent in self._node_of
        if is_prompt and at_root:
            above = self._above_a_root_prompt(node)
        self._parents.append(above)
        self._owners.append(node if is_prompt else self._owner(above))
        if uuid:
            self._node_of[uuid] = node
        if is_message:
            self._move_tip(node)
        return node

    def is_live(self, node: int) -> bool:
        """Whether the prompt a node belongs to still stands."""
        owner = self._owner(node)
        return owner == NOWHERE or owner in self._chain

    def _owner(self, node: int) -> int:
        return NOWHERE if node == NOWHERE else self._owners[node]

    def _above_a_root_prompt(self, node: int) -> int:
        """A second prompt at the root goes back to the start, but only in a file whose rows name their parents."""
        is_rewind = self._prompt_at_root and self._linked
        self._prompt_at_root = True
        return NOWHERE if is_rewind else node - 1

    def _move_tip(self, node: int) -> None:
        """Parents always come before their rows, so both walks end."""
        joined, meeting = [], node
        while meeting != NOWHERE and meeting not in self._chain:
            joined.append(meeting)
            meeting = self._parents[meeting]
        left, at = [], self._tip
        while at != meeting:
            left.append(at)
            at = self._parents[at]
        self._chain.difference_update(left)
        self._chain.update(joined)
        self._tip = node
        if any(self._owners[one] == one for one in left + joined if one != node):
            self.changes += 1
