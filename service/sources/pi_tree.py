"""The tree that the entries of a pi or OpenClaw file make, of which only the branch up from the newest entry counts."""

NOWHERE = -1


class EntryTree:
    """Entries in file order as nodes; a parent that is missing in the file is taken to be the entry before."""

    def __init__(self) -> None:
        self._node_of: dict[str, int] = {}
        self._parents: list[int] = []
        self._depths: list[int] = []
        self._branch: list[int] = []  # the live node of each depth, as of the last `settle`

    def knows(self, entry_id: str) -> bool:
        return entry_id in self._node_of

    @property
    def tip(self) -> int:
        """The newest entry, which ends the live branch; NOWHERE before the first."""
        return len(self._parents) - 1

    def parent(self, node: int) -> int:
        return self._parents[node]

    def add(self, entry_id: str, parent_id: str, *, at_root: bool) -> int:
        """Takes the next entry; `at_root` if it says that it has no parent."""
        node = len(self._parents)
        above = NOWHERE if at_root else self._node_of.get(parent_id, node - 1)
        self._parents.append(above)
        self._depths.append(0 if above == NOWHERE else self._depths[above] + 1)
        if entry_id:
            self._node_of[entry_id] = node
        return node

    def settle(self) -> bool:
        """Moves the live branch to the newest entry; whether entries left it. Costs what joined and what left."""
        joined, at = [], self.tip
        while at != NOWHERE and not self.is_live(at):
            joined.append(at)
            at = self._parents[at]
        kept = 0 if at == NOWHERE else self._depths[at] + 1
        left = len(self._branch) > kept
        self._branch[kept:] = reversed(joined)
        return left

    def is_live(self, node: int) -> bool:
        """Whether an entry stands on the branch as of the last `settle`."""
        depth = self._depths[node]
        return depth < len(self._branch) and self._branch[depth] == node
