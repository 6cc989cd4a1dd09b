"""The agents that the terminal offers are those that are read."""

from typing import get_args

from service.cli.sessions import Source
from service.domain.source_filter import AGENTS


def test_a_list_can_be_narrowed_to_every_agent_that_is_read() -> None:
    """`list --source` knows the hosts and each agent, and no other."""
    assert get_args(Source) == ("host", *AGENTS)
