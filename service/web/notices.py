"""What the person should know of this installation, told with every list that a page begins with."""

from service.store.access import DASHBOARD
from service.web.state import ApiRequest, caller_of, running


def notices(request: ApiRequest) -> dict[str, list[str]]:
    """A further key of the answer, for the dashboard, until somebody has seen to what it says; else nothing."""
    found = running(request).folder.notices() if caller_of(request) == DASHBOARD else []
    return {"notices": found} if found else {}
