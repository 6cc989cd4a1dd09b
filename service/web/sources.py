"""What was found of each agent on this machine: folders, files, sessions, and what was left out and why."""

from dataclasses import asdict
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from service.passes.found_files import AgentFindings
from service.web.errors import json_answer
from service.web.state import ApiRequest, check_dashboard, running


async def read_sources(request: ApiRequest) -> Response:
    """The last look at each agent's files; `looking` while files wait for theirs."""
    check_dashboard(request, "reads what was found on this machine")
    findings = await running(request).mirror.findings()
    return json_answer(
        {
            "following": findings.following,
            "looking": findings.looking,
            "looked_at": findings.looked_at,
            "agents": [_shown(agent) for agent in findings.agents],
        }
    )


def _shown(agent: AgentFindings) -> dict[str, Any]:
    known = {"agent": agent.agent, "folders": agent.folders, "note": agent.note, "read": agent.read}
    return {**known, **asdict(agent.report)}


ROUTES = [Route("/api/sources", read_sources, methods=["GET"])]
