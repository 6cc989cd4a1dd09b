"""Which agents' folders are followed, and which projects' sessions may be kept: what a person chose in the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

# SPEC section 12.
AGENTS = (
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "pi",
    "openclaw",
    "copilot",
    "kiro",
    "amazonq",
    "kirocrew",
    "cursor",
    "aider",
)


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """Which agents' folders are followed (None: all that are found), and globs on the project path.

    Not `usable` is what could not be read: it says neither what may be kept nor what must go.
    """

    agents: tuple[str, ...] | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    usable: bool = True

    def follows(self, agent: str) -> bool:
        """Whether the agent's folders are looked into; what is stored of it stays in any case."""
        return self.agents is None or agent in self.agents

    def allows(self, project: str | None) -> bool:
        """Whether sessions of the project may be stored at all; of an unusable filter, none."""
        project = project or ""
        included = not self.include or any(fnmatchcase(project, glob) for glob in self.include)
        return self.usable and included and not any(fnmatchcase(project, glob) for glob in self.exclude)


UNUSABLE = SourceFilter(usable=False)


def read_source_filter(value: object, warnings: list[str]) -> SourceFilter:
    """The settings' section `sources`: a slip in it is told, and never taken for the wish to keep everything."""
    if value is None:
        return SourceFilter()
    if not isinstance(value, Mapping):
        warnings.append("sources: expected an object; the last good choice stands")
        return UNUSABLE
    lists = {name: _texts(value, name, warnings) for name in ("agents", "include", "exclude")}
    usable = all(value.get(name) is None or texts is not None for name, texts in lists.items())
    if not usable:
        return UNUSABLE
    return SourceFilter(_known(lists["agents"], warnings), lists["include"] or (), lists["exclude"] or ())


def _texts(value: Mapping[str, object], name: str, warnings: list[str]) -> tuple[str, ...] | None:
    found = value.get(name)
    if found is None:
        return None
    if isinstance(found, list) and all(isinstance(item, str) for item in found):
        return tuple(found)
    warnings.append(f"sources.{name}: expected a list of texts; the last good choice stands")
    return None


def _known(agents: Sequence[str] | None, warnings: list[str]) -> tuple[str, ...] | None:
    """The agents that exist; where none of those named does, the list chooses nothing."""
    if not agents:
        return None if agents is None else ()
    known = tuple(agent for agent in agents if agent in AGENTS)
    if unknown := sorted({agent for agent in agents if agent not in AGENTS}):
        named = ", ".join(f"{agent!r:.40}" for agent in unknown[:5])
        left = "" if known else "; all agents are read"
        warnings.append(f"sources.agents: no such agent: {named}; known are {', '.join(AGENTS)}{left}")
    return known or None
