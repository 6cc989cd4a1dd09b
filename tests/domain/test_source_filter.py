"""What a person chose of agents and projects: a slip is told, and never taken for the wish to keep everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.source_filter import AGENTS, UNUSABLE, SourceFilter, read_source_filter
from service.sources.formats import PLACES


@pytest.mark.parametrize(
    ("project", "chosen", "expected"),
    [
        ("/home/dev/shop", SourceFilter(), True),
        ("/home/dev/shop", SourceFilter(agents=("codex",)), True),
        ("/home/dev/shop", SourceFilter(include=("/home/dev/*",)), True),
        ("/srv/shop", SourceFilter(include=("/home/dev/*",)), False),
        ("/home/dev/shop", SourceFilter(include=("/home/*",), exclude=("*/shop",)), False),
        (None, SourceFilter(include=("/home/*",)), False),
        (None, SourceFilter(exclude=("/home/*",)), True),
        ("/home/dev/shop", UNUSABLE, False),
    ],
)
def test_the_settings_choose_by_project(project: str | None, chosen: SourceFilter, expected: bool) -> None:
    """What is excluded is out even where it is included, and a session without a project fits no glob."""
    assert chosen.allows(project) is expected


def test_a_name_that_no_agent_has_is_told() -> None:
    """The agents that exist are chosen, and the warning names the other one."""
    warnings: list[str] = []
    assert read_source_filter({"agents": ["codex", "foo"]}, warnings) == SourceFilter(agents=("codex",))
    assert warnings[0].startswith("sources.agents: no such agent: 'foo'; known are claude-code, codex, ")


def test_a_list_of_unknown_names_chooses_nothing() -> None:
    """A typo in the only name leaves all agents in."""
    warnings: list[str] = []
    assert read_source_filter({"agents": ["foo"]}, warnings) == SourceFilter()
    assert warnings[0].endswith("all agents are read")


def test_an_empty_list_of_agents_follows_none() -> None:
    """Nobody's folders are looked into where a person chose nobody."""
    assert read_source_filter({"agents": []}, []).follows("codex") is False


@pytest.mark.parametrize(
    "value",
    [
        "codex",
        ["codex"],
        {"exclude": "*/private/*"},
        {"exclude": ["*/private/*", 1]},
        {"include": {"a": 1}},
        {"agents": "codex", "exclude": []},
    ],
)
def test_what_cannot_be_read_excludes_everything(value: object) -> None:
    """Half a privacy setting lets nothing in, and says so."""
    warnings: list[str] = []
    assert read_source_filter(value, warnings) == UNUSABLE
    assert warnings


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner))
NAMED = st.dictionaries(st.sampled_from(["agents", "include", "exclude", "other"]), VALUES, max_size=4)


@given(NAMED | VALUES)
def test_no_value_breaks_it(value: object) -> None:
    """Whatever stands in the file, a choice or none comes of it."""
    chosen = read_source_filter(value, [])
    assert chosen.usable or not chosen.allows("/home/dev/shop")


def test_every_agent_can_be_chosen() -> None:
    """The names of the settings are those of the places, and of the one agent whose files lie in its projects."""
    assert {place.agent for place in PLACES} | {"aider"} == {*AGENTS}
