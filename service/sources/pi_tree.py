"""The tree that the entries of a pi or OpenClaw file make, of which only the branch up from the newest entry counts."""

NOWHERE = -1
_UNKNOWN = -1


class EntryTree:
    """Entries in file order as nodes; a parent that stands nowhere in the file is taken to be the entry before.

    Two programs that write one file may put an entry before its parent. Such a parent is known as of the next `settle`.
    """

    def __init__(self) -> None:
        self._node_of: dict[str, int] = {}
        self._named: list[int] = []  # the parents as the entries name them
        self._parents: list[int] = []  # the same without circles
        self._depths: list[int] = []
        self._branch: list[int] = []  # the live node of each depth, as of the last `settle`
        self._awaited: dict[str, list[int]] = {}  # entries by the parent that has not come yet
        self._came_late: list[tuple[int, int]] = []  # entries with the parent that came since the last `settle`
        self._newest_below: dict[int, int] = {}  # of parents that came late, as of the last `settle`

    def knows(self, entry_id: str) -> bool:
        return entry_id in self._node_of

    @property
    def has_late(self) -> bool:
        """Whether an entry stands before its parent."""
        return bool(self._newest_below)

    @property
    def tip(self) -> int:
        """The newest entry, which ends the live branch; NOWHERE before the first. Of a parent and a child the child."""
        node = len(self._parents) - 1
        while node in self._newest_below:
            node = self._newest_below[node]
        return node

    def parent(self, node: int) -> int:
        return self._parents[node]

    def add(self, entry_id: str, parent_id: str, *, at_root: bool) -> int:
        """Takes the next entry; `at_root` if it says that it has no parent."""
        node = len(self._parents)
        above = NOWHERE if at_root else self._node_of.get(parent_id, node - 1)
        self._named.append(above)
        self._parents.append(above)
        self._depths.append(0 if above == NOWHERE else self._depths[above] + 1)
        if entry_id:
            self._node_of[entry_id] = node
            self._came_late += [(child, node) for child in self._awaited.pop(entry_id, ())]
        if parent_id and not at_root and parent_id not in self._node_of:
            self._awaited.setdefault(parent_id, []).append(node)
        return node

    def settle(self) -> bool:
        """Moves the live branch to the newest entry; whether entries left it. Costs what joined and what left.

        Where a parent came late it costs the whole tree, once.
        """
        moved = self._link_late()
        joined, at = [], self.tip
        while at != NOWHERE and not self.is_live(at):
            joined.append(at)
            at = self._parents[at]
        kept = 0 if at == NOWHERE else self._depths[at] + 1
        left = len(self._branch) > kept
        self._branch[kept:] = reversed(joined)
        return left or moved

    def is_live(self, node: int) -> bool:
        """Whether an entry stands on the branch as of the last `settle`."""
        depth = self._depths[node]
        return depth < len(self._branch) and self._branch[depth] == node

    def _link_late(self) -> bool:
        """Hangs entries on the parents that came after them; whether there were any."""
        if not self._came_late:
            return False
        for child, parent in self._came_late:
            self._named[child] = parent
        self._came_late.clear()
        self._parents = self._named.copy()
        self._branch.clear()
        order = self._measure()
        newest = [NOWHERE] * len(order)
        for node in reversed(order):
            if (parent := self._parents[node]) != NOWHERE:
                newest[parent] = max(newest[parent], newest[node], node)
        late = (parent for node, parent in enumerate(self._parents) if parent > node)
        self._newest_below = {parent: newest[parent] for parent in late}
        return True

    def _measure(self) -> list[int]:
        """Counts the depths anew, and tells the order from parents to children.

        A circle of parents is cut at the first of its entries in the file.
        """
        below: list[list[int]] = [[] for _ in self._parents]
        for node, parent in enumerate(self._parents):
            if parent != NOWHERE:
                below[parent].append(node)
        self._depths, order = [_UNKNOWN] * len(below), list[int]()
        self._measure_from([node for node, parent in enumerate(self._parents) if parent == NOWHERE], below, order)
        for node, depth in enumerate(self._depths):
            if depth == _UNKNOWN:
                self._parents[node] = node - 1
                self._measure_from([node], below, order)
        return order

    def _measure_from(self, ready: list[int], below: list[list[int]], order: list[int]) -> None:
        """Goes down from entries whose parents' depths are known, if they have any."""
        while ready:
            node = ready.pop()
            above = self._parents[node]
            self._depths[node] = 0 if above == NOWHERE else self._depths[above] + 1
            order.append(node)
            ready += (child for child in below[node] if self._depths[child] == _UNKNOWN)
